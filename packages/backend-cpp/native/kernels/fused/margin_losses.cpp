// multi_margin_loss and its gradient: rows of scores, of which those of other classes are to stay below the target's by a margin.
#include <algorithm>
#include <cstring>

#include "kernels/fused/classes.hpp"
#include "traversal/rows.hpp"

namespace lamina {
namespace {

// The mean over classes of what comes nearer to a row's target than a margin, to a power.
struct Margins {
    Classes all;
    double margin;
    bool squared;

    bool read(const Kernel& kernel, const Call& call, const View& x, PyObject* target, PyObject* weight) {
        margin = number_of(call, "margin");
        squared = integer_of(call, "p") == 2;
        if (x.g.ndim != 2) fail(PyExc_ValueError, "%s: rows of scores are needed, not %d dims", call.op, x.g.ndim);
        if (!all.read_along(1, kernel, call, x, target, weight)) return false;
        all.total = double(all.target.g.size);
        return true;
    }

    // apart(c, by how much) for each class of a row that is too near.
    template <class T, class F>
    void each(const T* x, int64_t target, const F& apart) const {
        const T kept = T(margin) - x[target];
        for (int64_t c = 0; c < all.classes; ++c)
            if (const T missed = kept + x[c]; missed > 0 && c != target) apart(c, missed);
    }

    template <class T>
    double loss(const T* x, int64_t target) const {
        double sum = 0;
        each(x, target, [&](int64_t, T missed) { sum += squared ? missed * missed : missed; });
        return all.of(target) * (sum / double(all.classes));
    }

    template <class T>
    void gradient(T* out, const T* x, int64_t target, double g) const {
        const T slope = T(all.of(target) * all.share(g) / double(all.classes));
        double sum = 0;
        std::fill_n(out, all.classes, T(0));
        each(x, target, [&](int64_t c, T missed) {
            out[c] = squared ? 2 * missed * slope : slope;
            sum += double(out[c]);
        });
        out[target] = T(-sum);
    }
};

bool run_multi_margin_loss(const Kernel& kernel, const Call& call) {
    if (call.count != 4) fail(PyExc_TypeError, "%s: %zd arrays given; it wants out, x, target and weight", call.op, call.count);
    call.require_keywords(3);
    View loss, x;
    loss.read(call.positional[0], true, call.op);
    x.read(call.positional[1], false, call.op);
    Margins margins;
    const Classes& all = margins.all;
    if (!margins.read(kernel, call, x, call.positional[2], call.positional[3])) return false;
    all.require_losses(loss, "the loss", call.op);
    if (!loss.g.contiguous || may_meet(loss, all.target)) return false;
    const Losses losses(all, loss);
    Rows rows(x, 1);
    rows.add(x, true);
    rows.add(all.target, false);
    rows.run(2, [&](int64_t i, char* const* p) {
        const int64_t target = all.target_of(p[1]);
        if (target < 0)
            losses.set(i, 0.0);
        else if (x.code == kFloat64)
            losses.set(i, margins.loss(reinterpret_cast<const double*>(p[0]), target));
        else
            losses.set(i, margins.loss(reinterpret_cast<const float*>(p[0]), target));
    });
    losses.reduce();
    return true;
}

bool run_multi_margin_loss_gradient(const Kernel& kernel, const Call& call) {
    if (call.count != 5) fail(PyExc_TypeError, "%s: %zd arrays given; it wants out, gradient, x, target and weight", call.op, call.count);
    call.require_keywords(3);
    View out, gradient, x;
    out.read(call.positional[0], true, call.op);
    gradient.read(call.positional[1], false, call.op);
    x.read(call.positional[2], false, call.op, &out);
    require_same_shape(out, x, call.op);
    Margins margins;
    const Classes& all = margins.all;
    if (!margins.read(kernel, call, x, call.positional[3], call.positional[4])) return false;
    require(out, "out", x.code, x.g.shape, x.g.ndim, call.op);
    all.require_losses(gradient, "gradient", call.op);
    if (out.g.size == 0) return true;
    if (may_meet(out, all.target) || may_meet(out, x)) return false;
    Rows rows(out, 1);
    rows.add(out, true, true);
    rows.add(x, true);
    rows.add(all.target, false);
    rows.add(gradient, false);
    rows.run(2, [&](int64_t, char* const* p) {
        const int64_t target = all.target_of(p[2]);
        const double g = value(p[3], x.code);
        if (target < 0)
            std::memset(p[0], 0, size_t(rows.n) * (x.code == kFloat64 ? 8 : 4));
        else if (x.code == kFloat64)
            margins.gradient(reinterpret_cast<double*>(p[0]), reinterpret_cast<const double*>(p[1]), target, g);
        else
            margins.gradient(reinterpret_cast<float*>(p[0]), reinterpret_cast<const float*>(p[1]), target, g);
    });
    return true;
}

const Registration registration([](const Loops&) {
    for (int code : kFloats) {
        kernel_named("multi_margin_loss", run_multi_margin_loss).rows[code] = kServed;
        kernel_named("multi_margin_loss_gradient", run_multi_margin_loss_gradient).rows[code] = kServed;
    }
});

}  // namespace
}  // namespace lamina
