// softmax_gradient and log_softmax_gradient along any one axis.
#include "kernels/fused/fused.hpp"
#include "runtime/parameters.hpp"
#include "traversal/rows.hpp"
#include "traversal/side_by_side.hpp"

namespace lamina {
namespace {

using Loop = void (*)(char* out, const char* gradient, const char* result, int64_t n);

bool run_gradient(const Kernel& kernel, const Call& call) {
    if (call.count != 3) fail(PyExc_TypeError, "%s: %zd arrays given; it wants out, gradient and result", call.op, call.count);
    call.require_keywords(1);
    View out, gradient, result;
    out.read(call.positional[0], true, call.op);
    gradient.read(call.positional[1], false, call.op, &out);
    result.read(call.positional[2], false, call.op, &out);
    if (kernel.rows[out.code] == nullptr) return false;
    require(gradient, "gradient", out.code, out.g.shape, out.g.ndim, call.op);
    require(result, "result", out.code, out.g.shape, out.g.ndim, call.op);
    const int64_t axis = integer_of(call, "axis");
    if (axis < 0 || axis >= out.g.ndim)
        fail(PyExc_ValueError, "%s: axis %lld of an array with %d dimensions", call.op, (long long)axis, out.g.ndim);
    if (out.g.size == 0) return true;
    const int logarithm = kernel.index, cost = logarithm ? 4 : 2, type = out.code == kFloat64;
    const SideBySide lines(out, int(axis));
    if (lines.worthwhile() && gradient.g.contiguous && result.g.contiguous) {
        const auto& loops = *best_loops().softmaxes;
        const int64_t item = out.itemsize(), n = out.g.shape[axis];
        lines.run(n, cost, [&](int64_t, int64_t start, int64_t count) {
            const int64_t at = start * item;
            loops.gradient_down[logarithm][type](out.data + at, gradient.data + at, result.data + at, n, lines.stride, count);
        });
        return true;
    }
    const auto loop = reinterpret_cast<Loop>(const_cast<void*>(kernel.rows[out.code]));
    Rows rows(out, int(axis));
    rows.add(out, true, true);
    rows.add(gradient, true);
    rows.add(result, true);
    rows.run(cost, [&](int64_t, char* const* p) { loop(p[0], p[1], p[2], rows.n); });
    return true;
}

const Registration registration([](const Loops& loops) {
    for (int code : kFloats) {
        const FusedLoops& of = loops.fused->of[code == kFloat64];
        Kernel& plain = kernel_named("softmax_gradient", run_gradient);
        plain.rows[code] = reinterpret_cast<const void*>(of.softmax_gradient);
        plain.index = 0;
        Kernel& logarithm = kernel_named("log_softmax_gradient", run_gradient);
        logarithm.rows[code] = reinterpret_cast<const void*>(of.log_softmax_gradient);
        logarithm.index = 1;
    }
});

}  // namespace
}  // namespace lamina
