// matmul over leading axes, and linear: finds the strides of each product, and divides large ones among threads.
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>

#include "dtypes/narrow_floats.hpp"
#include "kernels/products/narrow_weights.hpp"
#include "kernels/products/panels.hpp"
#include "runtime/kernel.hpp"
#include "runtime/system_memory.hpp"
#include "runtime/threads.hpp"

namespace lamina {
namespace {

using GemmLoop = void (*)(const Gemm&, char*);

const Products* products;

int row_of(int code) { return code == kFloat32 ? 0 : code == kFloat64 ? 1 : 2; }

struct Panels {
    char* bytes = nullptr;
    ~Panels() { free_block(bytes); }
};
thread_local Panels panels;

// Like `parallel`, with scratch of the thread for each part. The calling thread has some; where another finds no memory for its
// own, that one does all parts again.
template <class F>
void parallel_with_scratch(int64_t n, int64_t grain, const F& part) {
    std::atomic<bool> lacking{false};
    parallel(n, grain, [&](int64_t begin, int64_t end) {
        if (char* scratch = gemm_panels())
            part(begin, end, scratch);
        else
            lacking.store(true, std::memory_order_relaxed);
    });
    if (lacking.load()) part(0, n, gemm_panels());
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

    void run(const Products& products, int row) {
        const auto loop = products.gemm[row];
        const double work = double(count) * double(g.m) * double(g.n) * double(std::max<int64_t>(g.k, 1));
        g.way = products.way[row](g);
        if (work < 300000 || count >= 4 * num_threads() || num_threads() == 1 || g.way != kByTiles) return run_each(loop, work);
        const WithoutGil free(true);
        for (int64_t i = 0; i < count; ++i) run_divided(products, row, at(i));
    }

    // Products side by side, in parts of rows or columns if they are few.
    void run_each(GemmLoop loop, double work) const {
        const bool alone = work < 300000;
        const WithoutGil free(work >= 100000);
        if (alone) {
            char* scratch = gemm_panels();
            for (int64_t i = 0; scratch != nullptr && i < count; ++i) loop(leading > 0 ? at(i) : g, scratch);
            return;
        }
        const int threads = num_threads();
        const int64_t parts = count >= 4 * threads ? 1 : threads;
        const bool by_rows = g.m >= g.n;
        const int64_t length = by_rows ? g.m : g.n, unit = by_rows ? 1 : 64;
        const int64_t part = std::max<int64_t>(unit, ((length + parts - 1) / parts + unit - 1) / unit * unit);
        const int64_t each = (length + part - 1) / part;
        const int64_t grain = std::max<int64_t>(1, count * each / (8 * threads));
        parallel_with_scratch(count * each, grain, [&](int64_t begin, int64_t end, char* scratch) {
            for (int64_t i = begin; i < end; ++i) {
                Gemm one = at(i / each);
                if (each == 1 && i + 1 < end) look_ahead(one, at(i + 1));
                const int64_t first = i % each * part, some = std::min(part, length - first);
                loop(by_rows ? rows_of(one, first, some) : columns_of(one, first, some), scratch);
            }
        });
    }

    // What the product after this one reads may be on its way while this one is computed, where both find room in the second cache.
    void look_ahead(Gemm& one, const Gemm& next) const {
        constexpr int64_t most = 256 * 1024;  // bytes
        if ((g.m + g.n) * g.k * item > most) return;
        if (next.a != one.a && g.a_column == 1 && g.a_row == g.k) one.next_a = next.a;
        if (next.b != one.b && g.b_column == 1 && g.b_row == g.n) one.next_b = next.b;
    }

    // One product in a grid of parts, so that the longest share of a thread is as short as it can be.
    void run_divided(const Products& products, int row, const Gemm& one) const {
        const int64_t tile = products.tile_rows, width = products.panel_bytes / item, threads = num_threads();
        const int64_t tiles = (one.m + tile - 1) / tile, panels = (one.n + width - 1) / width;
        const double work = double(one.m) * double(one.n) * double(one.k);
        const int64_t most = threads * std::max<int64_t>(1, std::min<int64_t>(8, int64_t(work / double(threads) / 500000)));
        int64_t by_rows = 1, by_columns = 1;
        double least = 0;
        for (int64_t parts = threads; parts <= most; parts += threads)
            for (int64_t r = 1; r <= std::min(parts, tiles); ++r) {
                const int64_t c = std::min(parts / r, panels);
                if (c * r % threads != 0) continue;
                const double high = double((tiles + r - 1) / r), wide = double((panels + c - 1) / c);
                // A part has its tiles, and packs its rows of A and its columns of B, which is slow to read for another thread.
                // A few parts more than threads even out.
                const double packing = 1.5 * wide + 0.5 * high;
                const double cost = (high * wide + packing) * double(r * c / threads) * (1 + 0.05 * double(threads) / double(r * c));
                if (least == 0 || cost < least) least = cost, by_rows = r, by_columns = c;
            }
        parallel_with_scratch(by_rows * by_columns, 1, [&](int64_t begin, int64_t end, char* scratch) {
            for (int64_t i = begin; i < end; ++i) {
                const int64_t r = i / by_columns, c = i % by_columns;
                const int64_t top = r * tiles / by_rows * tile, bottom = std::min((r + 1) * tiles / by_rows * tile, one.m);
                const int64_t left = c * panels / by_columns * width, right = std::min((c + 1) * panels / by_columns * width, one.n);
                products.gemm[row](columns_of(rows_of(one, top, bottom - top), left, right - left), scratch);
            }
        });
    }

    Gemm rows_of(Gemm one, int64_t first, int64_t some) const {
        one.m = some;
        one.a += first * one.a_row * item;
        one.c += first * one.c_row * item;
        return one;
    }

    Gemm columns_of(Gemm one, int64_t first, int64_t some) const {
        one.n = some;
        one.b += first * one.b_column * item;
        one.c += first * item;
        if (one.bias != nullptr) one.bias += first * one.bias_stride * item;
        return one;
    }
};

// Makes c's columns adjacent, if need be by computing the transposed product; false if they cannot be.
bool orient(Product& p, int64_t c_column) {
    Gemm& g = p.g;
    if (g.n == 1 && g.m > 1 && g.c_row == 1 && g.bias == nullptr)  // one column is a row, which is quicker
        c_column = 1;
    else if (c_column == 1 || g.n == 1)
        return true;
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
    if (gemm_panels() == nullptr) throw std::bad_alloc();
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
    p.run(*products, row_of(a.code));
    return true;
}

// Of 16 bits: the weight becomes floats on the way, all else before and behind; false where an operand is not dense.
bool run_narrow_linear(const View& out, const View& x, const View& weight, const View& bias) {
    if (!out.g.contiguous || !x.g.contiguous || !weight.g.contiguous || !bias.g.contiguous) return false;
    Wide items, shifts, results;
    items.read(x);
    shifts.read(bias);
    results.write(out);
    const int64_t n = weight.g.shape[0], k = weight.g.shape[1];
    const auto floats = [](const Wide& w) { return reinterpret_cast<float*>(w.data); };
    const NarrowWeight narrow_weight = {x.code == kBFloat16 ? kBrains : kHalves, weight.data, nullptr, nullptr, 0, k, 2 * k,
                                        std::max<int64_t>(k, 1), k > 0};
    multiply({out.g.size / n, n, floats(items), floats(shifts), floats(results)}, narrow_weight);
    results.finish();
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
    if (is_narrow(x.code)) return run_narrow_linear(out, x, weight, bias);
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
    p.run(*products, row_of(x.code));
    return true;
}

const Registration registration([](const Loops& loops) {
    products = loops.products;
    for (const int code : {kFloat32, kFloat64, kInt64}) {
        kernel_named("matmul", run_matmul).rows[code] = kServed;
        kernel_named("linear", run_linear).rows[code] = kServed;
    }
    for (const int code : {kFloat16, kBFloat16}) kernel_named("linear", run_linear).rows[code] = kServed;
});

}  // namespace

char* gemm_panels() {
    if (panels.bytes == nullptr) panels.bytes = aligned_block(64, kGemmScratch);
    return panels.bytes;
}

}  // namespace lamina
