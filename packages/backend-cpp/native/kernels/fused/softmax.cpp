// softmax and log_softmax along any one axis.
#include "runtime/kernel.hpp"
#include "traversal/rows.hpp"
#include "traversal/side_by_side.hpp"

namespace lamina {
namespace {

bool run_softmax(const Kernel& kernel, const Call& call) {
    if (call.count != 2) fail(PyExc_TypeError, "%s: %zd arrays given; it wants out and x", call.op, call.count);
    call.require_keywords(1);
    View out, x;
    out.read(call.positional[0], true, call.op);
    x.read(call.positional[1], false, call.op, &out);
    if (kernel.rows[x.code] == nullptr) return false;
    if (out.code != x.code)
        fail(PyExc_TypeError, "%s: out is %s and x %s; it wants one dtype", call.op, kNames[out.code], kNames[x.code]);
    require_same_shape(out, x, call.op);
    const long axis = PyLong_AsLong(call.keyword("axis"));
    if (axis == -1 && PyErr_Occurred()) throw PythonError{};
    if (axis < 0 || axis >= x.g.ndim)
        fail(PyExc_ValueError, "%s: axis %ld of an array with %d dimensions", call.op, axis, x.g.ndim);
    if (x.g.size == 0) return true;
    const auto& loops = *static_cast<const Softmaxes*>(kernel.rows[x.code]);
    const int logarithm = kernel.index, type = x.code == kFloat64;
    const SideBySide lines(x, int(axis));
    if (lines.worthwhile() && out.g.contiguous) {
        const int64_t item = x.itemsize(), n = x.g.shape[axis];
        lines.run(n, 4, [&](int64_t, int64_t start, int64_t count) {
            loops.down[logarithm][type](out.data + start * item, x.data + start * item, n, lines.stride, count);
        });
        return true;
    }
    const SoftmaxRow loop = loops.row[logarithm][type];
    Rows rows(x, int(axis));
    rows.add(out, true, true);
    rows.add(x, true);
    rows.run(4, [&](int64_t, char* const* p) { loop(p[0], p[1], rows.n); });
    return true;
}

const Registration registration([](const Loops& loops) {
    for (const int code : kFloats) {
        for (const int logarithm : {0, 1}) {
            Kernel& kernel = kernel_named(logarithm ? "log_softmax" : "softmax", run_softmax);
            kernel.rows[code] = loops.softmaxes;
            kernel.index = logarithm;
        }
    }
});

}  // namespace
}  // namespace lamina
