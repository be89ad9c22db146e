// matmul over leading axes, and linear: finds the strides of each product, and divides large ones among threads.
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>

#include "kernel.hpp"
#include "threads.hpp"

namespace lamina {
namespace {

using GemmLoop = void (*)(const Gemm&, char*);

// Room for panels, one for each thread, kept until the thread ends.
struct Scratch {
    char* bytes = nullptr;
    ~Scratch() { std::free(bytes); }
    char* get() {
        if (bytes == nullptr) bytes = static_cast<char*>(std::aligned_alloc(64, size_t(kGemmScratch)));
        return bytes;
    }
};
thread_local Scratch scratch;

// Like `parallel`, with scratch of the thread for each part. The calling thread has some; where another finds no memory for its
// own, that one does all parts again.
template <class F>
void parallel_with_scratch(int64_t n, int64_t grain, const F& part) {
    std::atomic<bool> lacking{false};
    parallel(n, grain, [&](int64_t begin, int64_t end) {
        if (char* room = scratch.get())
            part(begin, end, room);
        else
            lacking.store(true, std::memory_order_relaxed);
    });
    if (lacking.load()) part(0, n, scratch.get());
}

struct Product {
    Gemm g;
    int item;
    int leading = 0;  // axes of products side by side
    int64_t count = 1;
    int64_t shape[kMaxDims], a[kMaxDims], b[kMaxDims], c[kMaxDims];

    void add_leading(int64_t n, int64_t a_stride, int64_t b_stride, int64_t c_stride) {
        count *= n;
        if (n == 1) return;
        shape[leading] = n;
        a[leading] = a_stride;
        b[leading] = b_stride;
        c[leading++] = c_stride;
    }

    // Leading axes along which b is the same, and a and c go on evenly, are more rows.
    void rows_from_leading() {
        while (leading > 0) {
            const int d = leading - 1;
            if (b[d] != 0 || a[d] != g.a_row * g.m || c[d] != g.c_row * g.m) return;
            g.m *= shape[d];
            count /= shape[d];
            --leading;
        }
    }

    Gemm at(int64_t i) const {
        Gemm one = g;
        for (int d = leading - 1; d >= 0; --d) {
            const int64_t step = i % shape[d];
            i /= shape[d];
            one.a += step * a[d] * item;
            one.b += step * b[d] * item;
            one.c += step * c[d] * item;
        }
        return one;
    }

    void run(GemmLoop loop) const {
        const double work = double(count) * double(g.m) * double(g.n) * double(std::max<int64_t>(g.k, 1));
        const bool alone = work < 300000;
        const WithoutGil free(work >= 100000);
        if (alone) {
            char* room = scratch.get();
            for (int64_t i = 0; room != nullptr && i < count; ++i) loop(leading > 0 ? at(i) : g, room);
            return;
        }
        // Parts of 24 rows or 64 columns at least: a multiple of what the inner loop takes at once.
        const int threads = num_threads();
        int64_t parts = count >= 4 * threads ? 1 : threads;
        const bool by_rows = g.m >= g.n;
        const int64_t length = by_rows ? g.m : g.n, unit = by_rows ? 24 : 64;
        const int64_t part = std::max<int64_t>(unit, ((length + parts - 1) / parts + unit - 1) / unit * unit);
        parts = std::max<int64_t>(1, (length + part - 1) / part);
        const int64_t grain = std::max<int64_t>(1, count * parts / (8 * threads));
        parallel_with_scratch(count * parts, grain, [&](int64_t begin, int64_t end, char* room) {
            for (int64_t i = begin; i < end; ++i) {
                Gemm one = at(i / parts);
                const int64_t first = i % parts * part, some = std::min(part, length - first);
                if (by_rows) {
                    one.m = some;
                    one.a += first * one.a_row * item;
                    one.c += first * one.c_row * item;
                } else {
                    one.n = some;
                    one.b += first * one.b_column * item;
                    one.c += first * item;
                    if (one.bias != nullptr) one.bias += first * one.bias_stride * item;
                }
                loop(one, room);
            }
        });
    }
};

// Makes c's columns adjacent, if need be by computing the transposed product; false if they cannot be.
bool orient(Product& p, int64_t c_column) {
    Gemm& g = p.g;
    if (c_column == 1 || g.n == 1) return true;
    if ((g.c_row != 1 && g.m != 1) || g.bias != nullptr) return false;
    std::swap(g.m, g.n);
    std::swap(g.a, g.b);
    std::swap(g.a_row, g.b_column);
    std::swap(g.a_column, g.b_row);
    for (int d = 0; d < p.leading; ++d) std::swap(p.a[d], p.b[d]);
    g.c_row = c_column;
    return true;
}

void require_scratch() {
    if (scratch.get() == nullptr) throw std::bad_alloc();
}

bool run_matmul(const Kernel& kernel, const Call& call) {
    call.require_inputs(2);
    View out, a, b;
    out.read(call.positional[0], true, call.op);
    a.read(call.positional[1], false, call.op, &out);
    b.read(call.positional[2], false, call.op, &a);
    if (kernel.rows[a.code] == nullptr) return false;
    if (b.code != a.code || out.code != a.code)
        fail(PyExc_TypeError, "%s: %s @ %s into %s; it wants one dtype", call.op, kNames[a.code], kNames[b.code],
             kNames[out.code]);
    const int lead = out.g.ndim - 2;
    bool fits = lead >= 0 && a.g.ndim == out.g.ndim && b.g.ndim == out.g.ndim;
    for (int d = 0; fits && d < lead; ++d) fits = a.g.shape[d] == out.g.shape[d] && b.g.shape[d] == out.g.shape[d];
    fits = fits && a.g.shape[lead] == out.g.shape[lead] && b.g.shape[lead + 1] == out.g.shape[lead + 1] &&
           a.g.shape[lead + 1] == b.g.shape[lead];
    if (!fits) fail(PyExc_ValueError, "%s: shapes do not fit; it wants (..., m, k) @ (..., k, n) into (..., m, n)", call.op);
    if (out.g.size == 0) return true;
    Product p;
    p.item = a.itemsize();
    p.g = {out.g.shape[lead], out.g.shape[lead + 1], a.g.shape[lead + 1], a.data, b.data, nullptr, out.data,
           a.g.strides[lead], a.g.strides[lead + 1], b.g.strides[lead], b.g.strides[lead + 1], out.g.strides[lead], 0};
    for (int d = 0; d < lead; ++d) p.add_leading(out.g.shape[d], a.g.strides[d], b.g.strides[d], out.g.strides[d]);
    if (!orient(p, out.g.strides[lead + 1])) return false;
    p.rows_from_leading();
    require_scratch();
    p.run(reinterpret_cast<GemmLoop>(const_cast<void*>(kernel.rows[a.code])));
    return true;
}

bool run_linear(const Kernel& kernel, const Call& call) {
    call.require_inputs(3);
    View out, x, weight, bias;
    const bool biased = call.positional[3] != Py_None;
    out.read(call.positional[0], true, call.op);
    x.read(call.positional[1], false, call.op, &out);
    weight.read(call.positional[2], false, call.op, &x);
    if (biased) bias.read(call.positional[3], false, call.op);
    if (kernel.rows[x.code] == nullptr) return false;
    if (weight.code != x.code || out.code != x.code || (biased && bias.code != x.code))
        fail(PyExc_TypeError, "%s: x is %s, weight %s, out %s; it wants one dtype", call.op, kNames[x.code],
             kNames[weight.code], kNames[out.code]);
    const int last = x.g.ndim - 1;
    bool fits = last >= 0 && weight.g.ndim == 2 && out.g.ndim == x.g.ndim && out.g.shape[last] == weight.g.shape[0] &&
                x.g.shape[last] == weight.g.shape[1];
    for (int d = 0; fits && d < last; ++d) fits = x.g.shape[d] == out.g.shape[d];
    fits = fits && (!biased || (bias.g.ndim == 1 && bias.g.shape[0] == weight.g.shape[0]));
    if (!fits)
        fail(PyExc_ValueError, "%s: shapes do not fit; it wants x (..., k), weight (n, k), bias (n,) into (..., n)", call.op);
    if (out.g.size == 0) return true;
    if (out.g.strides[last] != 1 && out.g.shape[last] != 1) return false;
    Product p;
    p.item = x.itemsize();
    p.g = {1, out.g.shape[last], x.g.shape[last], x.data, weight.data, biased ? bias.data : nullptr, out.data,
           x.g.strides[last] * x.g.shape[last], x.g.strides[last], weight.g.strides[1], weight.g.strides[0],
           out.g.strides[last] * out.g.shape[last], biased ? bias.g.strides[0] : 0};
    if (last > 0) {
        p.g.m = x.g.shape[last - 1];
        p.g.a_row = x.g.strides[last - 1];
        p.g.c_row = out.g.strides[last - 1];
    }
    for (int d = 0; d < last - 1; ++d) p.add_leading(x.g.shape[d], x.g.strides[d], 0, out.g.strides[d]);
    p.rows_from_leading();
    require_scratch();
    p.run(reinterpret_cast<GemmLoop>(const_cast<void*>(kernel.rows[x.code])));
    return true;
}

}  // namespace

void register_matmul(const Loops& loops) {
    const int codes[] = {kFloat32, kFloat64, kInt64};
    for (int i = 0; i < 3; ++i) {
        kernel_named("matmul", run_matmul).rows[codes[i]] = reinterpret_cast<const void*>(loops.products->gemm[i]);
        kernel_named("linear", run_linear).rows[codes[i]] = reinterpret_cast<const void*>(loops.products->gemm[i]);
    }
}

}  // namespace lamina
