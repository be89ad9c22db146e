// layer_norm and rms_norm with their gradients: rows of the last axes, dense.
#include <algorithm>
#include <cmath>
#include <memory>

#include "fused.hpp"
#include "parameters.hpp"
#include "reals.hpp"
#include "threads.hpp"

namespace lamina {
namespace {

// How x splits into rows: the last `ndim` axes are one.
struct Split {
    int lead;
    int64_t rows = 1, n = 1;

    Split(const View& x, const Call& call) {
        const int64_t last = integer_of(call, "ndim");
        if (last < 1 || last > x.g.ndim) fail(PyExc_ValueError, "%s: %lld of %d axes", call.op, (long long)last, x.g.ndim);
        lead = x.g.ndim - int(last);
        for (int d = 0; d < x.g.ndim; ++d) (d < lead ? rows : n) *= x.g.shape[d];
    }
};

// Reads a vector of the last axes, or None; false where it is not dense.
bool read_vector(View& v, PyObject* given, const char* name, const View& x, const Split& split, const char* op) {
    if (given == Py_None) return true;
    v.read(given, false, op);
    require(v, name, x.code, x.g.shape + split.lead, x.g.ndim - split.lead, op);
    return v.g.contiguous;
}

// kernel.index: whether rows are centred, as a layer_norm's are; an rms_norm has neither mean nor bias.
bool run_norm(const Kernel& kernel, const Call& call) {
    const bool centred = kernel.index != 0;
    if (call.count != (centred ? 4 : 3)) fail(PyExc_TypeError, "%s: %zd arrays given", call.op, call.count);
    call.require_keywords(2);
    View x, out, mean, rstd, weight, bias;
    x.read(call.positional[1], false, call.op);
    if (kernel.rows[x.code] == nullptr) return false;
    const Split split(x, call);
    const Py_ssize_t results = centred ? 3 : 2;
    out.read(result_of(call, 0, results), true, call.op, &x);
    require(out, "out", x.code, x.g.shape, x.g.ndim, call.op);
    if (centred) mean.read(result_of(call, 1, results), true, call.op);
    rstd.read(result_of(call, results - 1, results), true, call.op);
    if (centred) require(mean, "the mean", x.code, x.g.shape, split.lead, call.op);
    require(rstd, "rstd", x.code, x.g.shape, split.lead, call.op);
    bool dense = x.g.contiguous && out.g.contiguous && rstd.g.contiguous && (!centred || mean.g.contiguous);
    dense = read_vector(weight, call.positional[2], "weight", x, split, call.op) && dense;
    if (centred) dense = read_vector(bias, call.positional[3], "bias", x, split, call.op) && dense;
    if (!dense) return false;
    const double eps = number_of(call, "eps");
    const auto& loops = *static_cast<const FusedLoops*>(kernel.rows[x.code]);
    const int64_t line = split.n * x.itemsize(), work = x.g.size * 3;
    const WithoutGil free(work >= kReleaseGil);
    parallel(split.rows, grain_of(split.rows, work), [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
            NormRow row = {out.data + i * line, x.data + i * line, weight.data, bias.data, split.n, eps, 0, 0, centred};
            loops.norm(row);
            if (centred) put(mean, i, row.mean);
            put(rstd, i, row.rstd);
        }
    });
    return true;
}

// Sums over rows are made in parts that do not depend on the number of threads, and added in their order.
bool run_norm_gradient(const Kernel& kernel, const Call& call) {
    const bool centred = kernel.index != 0;
    if (call.count != (centred ? 6 : 5)) fail(PyExc_TypeError, "%s: %zd arrays given", call.op, call.count);
    call.require_keywords(2);
    View gradient, x, weight, mean, rstd, out, weights, biases;
    gradient.read(call.positional[1], false, call.op);
    x.read(call.positional[2], false, call.op, &gradient);
    if (kernel.rows[x.code] == nullptr || call.positional[4] == Py_None || call.positional[call.count - 1] == Py_None) return false;
    const Split split(x, call);
    require(gradient, "gradient", x.code, x.g.shape, x.g.ndim, call.op);
    const Py_ssize_t results = centred ? 3 : 2;
    out.read(result_of(call, 0, results), true, call.op, &x);
    weights.read(result_of(call, 1, results), true, call.op);
    if (centred) biases.read(result_of(call, 2, results), true, call.op);
    if (centred) mean.read(call.positional[4], false, call.op);
    rstd.read(call.positional[call.count - 1], false, call.op);
    require(out, "out", x.code, x.g.shape, x.g.ndim, call.op);
    require(weights, "the weight's gradient", x.code, x.g.shape + split.lead, x.g.ndim - split.lead, call.op);
    require(rstd, "rstd", x.code, x.g.shape, split.lead, call.op);
    bool dense = x.g.contiguous && gradient.g.contiguous && out.g.contiguous && weights.g.contiguous && rstd.g.contiguous;
    if (centred) {
        require(biases, "the bias's gradient", x.code, x.g.shape + split.lead, x.g.ndim - split.lead, call.op);
        require(mean, "the mean", x.code, x.g.shape, split.lead, call.op);
        dense = dense && biases.g.contiguous && mean.g.contiguous;
    }
    dense = read_vector(weight, call.positional[3], "weight", x, split, call.op) && dense;
    if (!dense) return false;
    const auto& loops = *static_cast<const FusedLoops*>(kernel.rows[x.code]);
    const int64_t line = split.n * x.itemsize(), work = x.g.size * 4;
    const int64_t parts = std::max<int64_t>(1, std::min<int64_t>({split.rows, 16, work / (4 * kParallel) * 4 + 1}));
    const int64_t grain = (split.rows + parts - 1) / std::max<int64_t>(1, parts), sums = centred ? 2 : 1;
    std::unique_ptr<char[]> room(new char[size_t(parts * sums * line + 1)]());
    const WithoutGil free(work >= kReleaseGil);
    if (split.rows > 0)
        parallel(parts, 1, [&](int64_t first, int64_t last) {
            for (int64_t part = first; part < last; ++part) {
                char* mine = room.get() + part * sums * line;
                for (int64_t i = part * grain; i < std::min(split.rows, (part + 1) * grain); ++i)
                    loops.norm_gradient({out.data + i * line, gradient.data + i * line, x.data + i * line, weight.data, mine,
                                         centred ? mine + line : nullptr, split.n, centred ? value(mean, i) : 0.0, value(rstd, i),
                                         centred});
            }
        });
    std::memset(weights.data, 0, size_t(line));
    if (centred) std::memset(biases.data, 0, size_t(line));
    for (int64_t part = 0; part < parts; ++part) {
        loops.add(weights.data, room.get() + part * sums * line, split.n);
        if (centred) loops.add(biases.data, room.get() + part * sums * line + line, split.n);
    }
    return true;
}

}  // namespace

void register_norms(const Loops& loops) {
    const int codes[] = {kFloat32, kFloat64};
    const struct { const char* name; bool (*run)(const Kernel&, const Call&); int centred; } made[] = {
        {"layer_norm", run_norm, 1}, {"layer_norm_gradient", run_norm_gradient, 1},
        {"rms_norm", run_norm, 0},   {"rms_norm_gradient", run_norm_gradient, 0}};
    for (const auto& each : made) {
        Kernel& kernel = kernel_named(each.name, each.run);
        kernel.index = each.centred;
        for (int i = 0; i < 2; ++i) kernel.rows[codes[i]] = &loops.fused->of[i];
    }
}

}  // namespace lamina
