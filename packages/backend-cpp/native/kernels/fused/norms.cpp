// layer_norm and rms_norm with their gradients: rows of the last axes.
#include <algorithm>
#include <cmath>
#include <memory>

#include "dtypes/reals.hpp"
#include "kernels/fused/fused.hpp"
#include "runtime/parameters.hpp"
#include "traversal/rows.hpp"

namespace lamina {
namespace {

// Where x's rows begin: the last `ndim` axes are one.
int lead_of(const View& x, const Call& call) {
    const int64_t last = integer_of(call, "ndim");
    if (last < 1 || last > x.g.ndim) fail(PyExc_ValueError, "%s: %lld of %d axes", call.op, (long long)last, x.g.ndim);
    return x.g.ndim - int(last);
}

// Vectors of the last axes and statistics of the others: dense, or the inherited kernel does it.
struct Beside {
    const View& x;
    int lead;
    const char* op;
    bool dense = true;

    void read_vector(View& v, PyObject* given, bool written, const char* name) {
        if (given == Py_None) return;
        v.read(given, written, op);
        require(v, name, x.code, x.g.shape + lead, x.g.ndim - lead, op);
        dense = dense && v.g.contiguous;
    }

    void read_statistic(View& v, PyObject* given, bool written, const char* name) {
        v.read(given, written, op);
        require(v, name, wide(x.code), x.g.shape, lead, op);
        dense = dense && v.g.contiguous;
    }
};

// kernel.index: whether rows are centred, as a layer_norm's are; an rms_norm has neither mean nor bias.
bool run_norm(const Kernel& kernel, const Call& call) {
    const bool centred = kernel.index != 0;
    if (call.count != (centred ? 4 : 3)) fail(PyExc_TypeError, "%s: %zd arrays given", call.op, call.count);
    call.require_keywords(2);
    View x, out, mean, rstd, weight, bias;
    x.read(call.positional[1], false, call.op);
    if (kernel.rows[x.code] == nullptr) return false;
    Beside beside = {x, lead_of(x, call), call.op};
    const Py_ssize_t results = centred ? 3 : 2;
    out.read(result_of(call, 0, results), true, call.op, &x);
    require(out, "out", x.code, x.g.shape, x.g.ndim, call.op);
    if (centred) beside.read_statistic(mean, result_of(call, 1, results), true, "the mean");
    beside.read_statistic(rstd, result_of(call, results - 1, results), true, "rstd");
    beside.read_vector(weight, call.positional[2], false, "weight");
    if (centred) beside.read_vector(bias, call.positional[3], false, "bias");
    Rows rows(x, beside.lead, x.g.ndim - beside.lead);
    if (!beside.dense || !rows.even(x) || !rows.even(out)) return false;
    const double eps = number_of(call, "eps");
    const auto& loops = *static_cast<const FusedLoops*>(kernel.rows[x.code]);
    Wide factors, shifts;
    factors.read(weight);
    shifts.read(bias);
    rows.add(out, true, true);
    rows.add(x, true);
    rows.run(3, [&](int64_t i, char* const* p) {
        NormRow row = {p[0], p[1], factors.data, shifts.data, rows.n, eps, 0, 0, centred};
        loops.norm(row);
        if (centred) put(mean, i, row.mean);
        put(rstd, i, row.rstd);
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
    Beside beside = {x, lead_of(x, call), call.op};
    require(gradient, "gradient", x.code, x.g.shape, x.g.ndim, call.op);
    const Py_ssize_t results = centred ? 3 : 2;
    out.read(result_of(call, 0, results), true, call.op, &x);
    require(out, "out", x.code, x.g.shape, x.g.ndim, call.op);
    beside.read_vector(weight, call.positional[3], false, "weight");
    beside.read_vector(weights, result_of(call, 1, results), true, "the weight's gradient");
    beside.read_statistic(rstd, call.positional[call.count - 1], false, "rstd");
    if (centred) {
        beside.read_vector(biases, result_of(call, 2, results), true, "the bias's gradient");
        beside.read_statistic(mean, call.positional[4], false, "the mean");
    }
    Rows rows(x, beside.lead, x.g.ndim - beside.lead);
    if (!beside.dense || !rows.even(x) || !rows.even(out) || !rows.even(gradient)) return false;
    const auto& loops = *static_cast<const FusedLoops*>(kernel.rows[x.code]);
    Wide factors;
    factors.read(weight);
    rows.add(out, true, true);
    rows.add(gradient, true);
    rows.add(x, true);
    const int64_t line = rows.n * kItemSize[wide(x.code)], work = x.g.size * 4, sums = centred ? 2 : 1;
    const int64_t parts = std::max<int64_t>(1, std::min<int64_t>({rows.count, 16, work / (4 * kParallel) * 4 + 1}));
    std::unique_ptr<char[]> memory(new char[size_t(parts * sums * line + 1)]());
    rows.run_pieces(parts, work, [&](int64_t part, int64_t i, char* const* p) {
        char* mine = memory.get() + part * sums * line;
        loops.norm_gradient({p[0], p[1], p[2], factors.data, mine, centred ? mine + line : nullptr, rows.n,
                             centred ? value(mean, i) : 0.0, value(rstd, i), centred});
    });
    for (int64_t part = 1; part < parts; ++part) loops.add(memory.get(), memory.get() + part * sums * line, sums * rows.n);
    const auto finish = [&](const View& to, const char* from) {
        if (is_narrow(to.code))
            narrow(to.data, reinterpret_cast<const float*>(from), to.code, 1, rows.n);
        else
            std::memcpy(to.data, from, size_t(line));
    };
    finish(weights, memory.get());
    if (centred) finish(biases, memory.get() + line);
    return true;
}

const Registration registration([](const Loops& loops) {
    const struct { const char* name; bool (*run)(const Kernel&, const Call&); int centred; } made[] = {
        {"layer_norm", run_norm, 1}, {"layer_norm_gradient", run_norm_gradient, 1},
        {"rms_norm", run_norm, 0},   {"rms_norm_gradient", run_norm_gradient, 0}};
    for (const auto& each : made) {
        Kernel& kernel = kernel_named(each.name, each.run);
        kernel.index = each.centred;
        for (int code : kFloats) kernel.rows[code] = &loops.fused->of[code == kFloat64];
    }
});

}  // namespace
}  // namespace lamina
