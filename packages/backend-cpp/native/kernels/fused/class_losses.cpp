// cross_entropy and nll_loss with their gradients: rows of scores, and one class per row.
#include <cmath>

#include "kernels/fused/classes.hpp"
#include "kernels/fused/fused.hpp"
#include "traversal/rows.hpp"
#include "traversal/side_by_side.hpp"

namespace lamina {
namespace {

bool run_cross_entropy(const Kernel& kernel, const Call& call) {
    if (call.count != 4) fail(PyExc_TypeError, "%s: %zd arrays given; it wants out, x, target and weight", call.op, call.count);
    call.require_keywords(4);
    View loss, logs, x;
    loss.read(result_of(call, 0, 2), true, call.op);
    logs.read(result_of(call, 1, 2), true, call.op);
    x.read(call.positional[1], false, call.op);
    Classes all;
    if (!all.read(kernel, call, x, call.positional[2], call.positional[3])) return false;
    all.smoothing = number_of(call, "smoothing");
    all.require_losses(loss, "the loss", call.op);
    require(logs, "logsumexp", kFloat64, all.target.g.shape, all.target.g.ndim, call.op);
    if (!loss.g.contiguous || !logs.g.contiguous || may_meet(loss, all.target) || may_meet(logs, all.target)) return false;
    const auto& loops = *static_cast<const FusedLoops*>(kernel.rows[x.code]);
    Rows rows(x, all.axis);
    rows.add(x, true);
    rows.add(all.target, false);
    const Losses losses(all, loss);
    const int64_t item = kItemSize[wide(x.code)];
    const double hard = 1 - all.smoothing, even = all.smoothing / double(all.classes);
    const SideBySide side_by_side(x, all.axis);
    if (all.classes > 0 && side_by_side.found && all.smoothing == 0)
        side_by_side.run(all.classes, 5, [&](int64_t row, int64_t start, int64_t count) {
            double* sums = reinterpret_cast<double*>(logs.data) + row;
            loops.logsumexp_down(x.data + start * item, all.classes, side_by_side.stride, count, sums);
            for (int64_t j = 0; j < count; ++j) {
                const int64_t target = all.target_of(all.target.data + (row + j) * 8);
                losses.set(row + j, target < 0 ? 0.0 : all.of(target) * (sums[j] - value(x, start + j + target * side_by_side.stride)));
            }
        });
    else
        rows.run(5, [&](int64_t i, char* const* p) {
            const int64_t target = all.target_of(p[1]);
            const double sum = rows.n == 0 ? -INFINITY : loops.logsumexp(p[0], rows.n);
            reinterpret_cast<double*>(logs.data)[i] = sum;
            double found = 0;
            if (target >= 0) {
                found = all.of(target) * (sum - value(p[0] + target * item, wide(x.code)));
                if (all.smoothing != 0)
                    found = hard * found +
                            even * (all.weights * sum - loops.dot(p[0], all.factors.data, rows.n));
            }
            losses.set(i, found);
        });
    losses.reduce();
    return true;
}

bool run_cross_entropy_gradient(const Kernel& kernel, const Call& call) {
    if (call.count != 6) fail(PyExc_TypeError, "%s: %zd arrays given; it wants out and five inputs", call.op, call.count);
    call.require_keywords(4);
    View out, gradient, x, logs;
    out.read(call.positional[0], true, call.op);
    gradient.read(call.positional[1], false, call.op);
    x.read(call.positional[2], false, call.op, &out);
    require_same_shape(out, x, call.op);
    Classes all;
    if (!all.read(kernel, call, x, call.positional[3], call.positional[4])) return false;
    if (call.positional[5] == Py_None) return false;
    logs.read(call.positional[5], false, call.op);
    all.smoothing = number_of(call, "smoothing");
    require(out, "out", x.code, x.g.shape, x.g.ndim, call.op);
    all.require_losses(gradient, "gradient", call.op);
    require(logs, "logsumexp", kFloat64, all.target.g.shape, all.target.g.ndim, call.op);
    if (out.g.size == 0) return true;
    if (may_meet(out, all.target)) return false;
    const auto& loops = *static_cast<const FusedLoops*>(kernel.rows[x.code]);
    Rows rows(x, all.axis);
    rows.add(out, true, true);
    rows.add(x, true);
    rows.add(all.target, false);
    rows.add(logs, false);
    rows.add(gradient, false);
    const double kept = 1 - all.smoothing, even = all.smoothing / double(all.classes);
    const SideBySide side_by_side(x, all.axis);
    if (side_by_side.found && all.smoothing == 0 && out.g.contiguous && logs.g.contiguous && (gradient.g.ndim == 0 || gradient.g.contiguous)) {
        const int64_t item = x.itemsize();
        side_by_side.run(all.classes, 5, [&](int64_t row, int64_t start, int64_t count) {
            double hard[kRowsSideBySide];
            for (int64_t j = 0; j < count; ++j) {
                const int64_t target = all.target_of(all.target.data + (row + j) * 8);
                hard[j] = target < 0 ? 0 : all.of(target) * all.share(value(gradient, all.reduction == kNone ? row + j : 0));
            }
            loops.class_gradient_down(out.data + start * item, side_by_side.stride, x.data + start * item, all.classes,
                                      side_by_side.stride, count, reinterpret_cast<const double*>(logs.data) + row, hard);
            for (int64_t j = 0; j < count; ++j) {
                const int64_t target = all.target_of(all.target.data + (row + j) * 8);
                for (int64_t c = 0; target < 0 && c < all.classes; ++c) put(out, start + j + c * side_by_side.stride, 0);
                const int64_t at = start + j + target * side_by_side.stride;
                if (target >= 0) put(out, at, value(out, at) - hard[j]);
            }
        });
        return true;
    }
    rows.run(4, [&](int64_t, char* const* p) {
        ClassRow row = {p[0], p[1], all.factors.data, rows.n, all.target_of(p[2]),
                        *reinterpret_cast<const double*>(p[3]), 0, 0, 0};
        if (row.target >= 0) {
            const double g = all.share(value(p[4], x.code));
            row.hard = g * kept * all.of(row.target);
            row.smooth = g * even;
            row.scale = row.hard + row.smooth * all.weights;
        }
        loops.class_gradient(row);
    });
    return true;
}

// The losses of the rows of a matrix, which are one item each.
template <class T>
void pick(const Classes& all, const View& x, const Losses& losses) {
    const T* items = reinterpret_cast<const T*>(x.data);
    const int64_t row = x.g.strides[0], step = x.g.strides[1];
    for (int64_t i = 0; i < all.target.g.size; ++i) {
        const int64_t target = all.target_of(all.target.data + i * 8);
        losses.set(i, target < 0 ? 0.0 : -all.of(target) * double(items[i * row + target * step]));
    }
}

bool run_nll_loss(const Kernel& kernel, const Call& call) {
    if (call.count != 4) fail(PyExc_TypeError, "%s: %zd arrays given; it wants out, x, target and weight", call.op, call.count);
    call.require_keywords(3);
    View loss, x;
    loss.read(call.positional[0], true, call.op);
    x.read(call.positional[1], false, call.op);
    Classes all;
    if (!all.read(kernel, call, x, call.positional[2], call.positional[3])) return false;
    all.require_losses(loss, "the loss", call.op);
    if (!loss.g.contiguous || may_meet(loss, all.target)) return false;
    const Losses losses(all, loss);
    if (x.g.ndim == 2 && all.axis == 1 && !is_narrow(x.code)) {
        const WithoutGil free(all.target.g.size * 4 >= kReleaseGil);
        if (x.code == kFloat32)
            pick<float>(all, x, losses);
        else
            pick<double>(all, x, losses);
        losses.reduce();
        return true;
    }
    Rows rows(x, all.axis);
    rows.n = 1;  // one item of each row is read
    rows.add_starts(x);
    rows.add(all.target, false);
    const int64_t item = x.itemsize(), step = x.g.strides[all.axis];
    rows.run(4, [&](int64_t i, char* const* p) {
        const int64_t target = all.target_of(p[1]);
        losses.set(i, target < 0 ? 0.0 : -all.of(target) * value(p[0] + target * step * item, x.code));
    });
    losses.reduce();
    return true;
}

bool run_nll_loss_gradient(const Kernel& kernel, const Call& call) {
    if (call.count != 4) fail(PyExc_TypeError, "%s: %zd arrays given; it wants out, gradient, target and weight", call.op, call.count);
    call.require_keywords(4);
    View out, gradient;
    out.read(call.positional[0], true, call.op);
    gradient.read(call.positional[1], false, call.op);
    Classes all;
    if (!all.read(kernel, call, out, call.positional[2], call.positional[3])) return false;
    if (integer_of(call, "classes") != all.classes) fail(PyExc_ValueError, "%s: out has %lld classes", call.op, (long long)all.classes);
    all.require_losses(gradient, "gradient", call.op);
    if (out.g.size == 0) return true;
    if (!out.g.contiguous || may_meet(out, all.target)) return false;
    Rows rows(out, all.axis);
    rows.n = 1;  // one item of each row is not 0
    rows.add_starts(out);
    rows.add(all.target, false);
    rows.add(gradient, false);
    const int64_t item = out.itemsize(), step = out.g.strides[all.axis];
    {
        const WithoutGil free(out.g.size >= kReleaseGil);
        parallel(out.g.size, grain_of(out.g.size, out.g.size),
                 [&](int64_t begin, int64_t end) { std::memset(out.data + begin * item, 0, size_t((end - begin) * item)); });
    }
    rows.run(1, [&](int64_t, char* const* p) {
        const int64_t target = all.target_of(p[1]);
        if (target >= 0) put(p[0] + target * step * item, out.code, -all.of(target) * all.share(value(p[2], out.code)));
    });
    return true;
}

const Registration registration([](const Loops& loops) {
    for (int code : kFloats) {
        const FusedLoops* of = &loops.fused->of[code == kFloat64];
        kernel_named("cross_entropy", run_cross_entropy).rows[code] = of;
        kernel_named("cross_entropy_gradient", run_cross_entropy_gradient).rows[code] = of;
        kernel_named("nll_loss", run_nll_loss).rows[code] = of;
        kernel_named("nll_loss_gradient", run_nll_loss_gradient).rows[code] = of;
    }
});

}  // namespace
}  // namespace lamina
