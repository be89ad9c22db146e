// bincount, histc and histogram: how many items, or what weights, fall where.
#include "dtypes/number.hpp"
#include "kernels/indices/index_arrays.hpp"
#include "runtime/kernel.hpp"
#include "runtime/parameters.hpp"
#include "runtime/threads.hpp"

namespace lamina {
namespace {

int64_t step_of(const View& v) { return v.g.size > 1 ? v.g.strides[0] : 1; }

// Counts, or sums of weights in their own order: item i belongs to bin(i), or to none where that is -1.
template <class R, class Bin>
void add_up(const View& out, const View* weights, int64_t n, const Bin& bin) {
    R* to = reinterpret_cast<R*>(out.data);
    const int64_t step = step_of(out);
    for (int64_t i = 0; i < out.g.size; ++i) to[i * step] = R(0);
    const R* weight = weights != nullptr ? reinterpret_cast<const R*>(weights->data) : nullptr;
    const int64_t by = weights != nullptr ? step_of(*weights) : 0;
    if (weight == nullptr && step == 1) {
        for (int64_t i = 0; i < n; ++i)
            if (const int64_t at = bin(i); at >= 0) to[at] += R(1);
        return;
    }
    for (int64_t i = 0; i < n; ++i) {
        const int64_t at = bin(i);
        if (at >= 0) to[at * step] += weight != nullptr ? weight[i * by] : R(1);
    }
}

// Calls add(R()) for the type of what is added up.
template <class Add>
void with_sum_type(int code, const Add& add) {
    if (code == kFloat32) return add(float());
    if (code == kFloat64) return add(double());
    add(int64_t());
}

struct Operands {
    View out, x, edges, weights;
    bool weighted = false;

    // The last argument is the weights, or None.
    void read(const Call& call, int count) {
        if (call.count != count) fail(PyExc_TypeError, "%s: %zd arrays given; it wants %d", call.op, call.count, count);
        out.read(call.positional[0], true, call.op);
        x.read(call.positional[1], false, call.op);
        if (out.g.ndim != 1 || x.g.ndim != 1) fail(PyExc_ValueError, "%s: out and x want one axis", call.op);
        PyObject* last = call.positional[count - 1];
        weighted = last != Py_None;
        if (!weighted) return;
        weights.read(last, false, call.op);
        require(weights, "the weights", out.code, x.g.shape, 1, call.op);
    }

    bool apart() const { return !may_meet(out, x) && (!weighted || !may_meet(out, weights)); }
    const View* weight() const { return weighted ? &weights : nullptr; }
};

bool run_bincount(const Kernel&, const Call& call) {
    Operands all;
    all.read(call, 3);
    const View &x = all.x, &out = all.out;
    if (x.code != kInt64 || !all.apart()) return false;
    if (!all.weighted) require(out, "out", kInt64, out.g.shape, 1, call.op);
    if (out.code != kInt64 && out.code != kFloat32 && out.code != kFloat64) return false;
    const int64_t* numbers = reinterpret_cast<const int64_t*>(x.data);
    const int64_t length = out.g.size, step = step_of(x);
    bool fits = true;
    {
        const WithoutGil free(x.g.size >= kReleaseGil);
        with_sum_type(out.code, [&](auto sum) {
            add_up<decltype(sum)>(out, all.weight(), x.g.size, [&](int64_t i) {
                const int64_t number = read_once(numbers + i * step);
                const bool inside = uint64_t(number) < uint64_t(length);
                fits &= inside;
                return inside ? number : -1;
            });
        });
    }
    if (!fits) fail(PyExc_ValueError, "%s: an item is negative, or out has no place for it", call.op);
    return true;
}

template <class T, class C>
void bin_evenly(const View& out, const View& x, double low, double high) {
    const T* items = reinterpret_cast<const T*>(x.data);
    const int64_t bins = out.g.size, step = step_of(x);
    const C first = C(low), last = C(high), scale = C(double(bins) / (high - low)), most = C(bins - 1);
    add_up<int64_t>(out, nullptr, x.g.size, [&](int64_t i) {
        const C item = C(plain(items[i * step]));
        if (!(item >= first && item <= last)) return int64_t(-1);
        const C bin = (item - first) * scale;
        return bin < most ? int64_t(bin) : bins - 1;
    });
}

bool run_histc(const Kernel& kernel, const Call& call) {
    if (call.count != 2) fail(PyExc_TypeError, "%s: %zd arrays given; it wants out and x", call.op, call.count);
    call.require_keywords(2);
    const double low = number_of(call, "low"), high = number_of(call, "high");
    View out, x;
    out.read(call.positional[0], true, call.op);
    x.read(call.positional[1], false, call.op);
    if (kernel.rows[x.code] == nullptr || x.g.ndim != 1 || out.g.ndim != 1 || out.g.size == 0 || may_meet(out, x)) return false;
    require(out, "out", kInt64, out.g.shape, 1, call.op);
    if (!(low < high)) fail(PyExc_ValueError, "%s: the range is empty", call.op);
    const WithoutGil free(x.g.size >= kReleaseGil);
    switch (x.code) {
        case kFloat16: bin_evenly<Half, float>(out, x, low, high); break;
        case kBFloat16: bin_evenly<BFloat16, float>(out, x, low, high); break;
        case kFloat32: bin_evenly<float, float>(out, x, low, high); break;
        default: bin_evenly<double, double>(out, x, low, high);
    }
    return true;
}

template <class T, class R>
void bin_between(const View& out, const View& x, const View& edges, const View* weights) {
    const T *items = reinterpret_cast<const T*>(x.data), *edge = reinterpret_cast<const T*>(edges.data);
    const int64_t bins = out.g.size, step = step_of(x), by = step_of(edges);
    add_up<R>(out, weights, x.g.size, [&](int64_t i) {
        const T item = items[i * step];
        if (!(item >= edge[0] && item <= edge[bins * by])) return int64_t(-1);
        int64_t low = 0;  // the last interval contains its right edge
        for (int64_t length = bins; length > 1;) {
            const int64_t half = length / 2;
            low += edge[(low + half) * by] <= item ? half : 0;
            length -= half;
        }
        return low;
    });
}

bool run_histogram(const Kernel& kernel, const Call& call) {
    Operands all;
    all.read(call, 4);
    const View &x = all.x, &out = all.out;
    if (kernel.rows[x.code] == nullptr || out.g.size == 0 || !all.apart()) return false;
    all.edges.read(call.positional[2], false, call.op);
    const int64_t edges = out.g.size + 1;
    require(all.edges, "the edges", x.code, &edges, 1, call.op);
    if (all.weighted ? out.code != x.code : out.code != kInt64) fail(PyExc_TypeError, "%s: out is %s", call.op, kNames[out.code]);
    if (may_meet(out, all.edges)) return false;
    const WithoutGil free(x.g.size >= kReleaseGil / 10);
    const auto run = [&](auto item) {
        using T = decltype(item);
        all.weighted ? bin_between<T, T>(out, x, all.edges, &all.weights) : bin_between<T, int64_t>(out, x, all.edges, nullptr);
    };
    x.code == kFloat32 ? run(float()) : run(double());
    return true;
}

const Registration registration([](const Loops&) {
    kernel_named("bincount", run_bincount).rows[kInt64] = kServed;
    for (const int code : {kFloat16, kBFloat16, kFloat32, kFloat64}) kernel_named("histc", run_histc).rows[code] = kServed;
    for (const int code : {kFloat32, kFloat64}) kernel_named("histogram", run_histogram).rows[code] = kServed;
});

}  // namespace
}  // namespace lamina
