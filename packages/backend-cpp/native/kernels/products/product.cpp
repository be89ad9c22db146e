// Products side by side, or one in a grid of parts.
#include "kernels/products/product.hpp"

#include <algorithm>
#include <atomic>

#include "kernels/products/panels.hpp"
#include "runtime/threads.hpp"

namespace lamina {
namespace {

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

}  // namespace

Gemm Product::at(int64_t i) const {
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

void Product::run(const Products& products, int row) {
    const auto loop = products.gemm[row];
    const double work = double(count) * double(g.m) * double(g.n) * double(std::max<int64_t>(g.k, 1));
    g.way = products.way[row](g);
    if (work < 300000 || count >= 4 * num_threads() || num_threads() == 1 || g.way != kByTiles) return run_each(loop, work);
    const WithoutGil free(true);
    for (int64_t i = 0; i < count; ++i) run_divided(products, row, at(i));
}

// Products side by side, in parts of rows or columns if they are few.
void Product::run_each(GemmLoop loop, double work) const {
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
void Product::look_ahead(Gemm& one, const Gemm& next) const {
    constexpr int64_t most = 256 * 1024;  // bytes
    if ((g.m + g.n) * g.k * item > most) return;
    if (next.a != one.a && g.a_column == 1 && g.a_row == g.k) one.next_a = next.a;
    if (next.b != one.b && g.b_column == 1 && g.b_row == g.n) one.next_b = next.b;
}

// One product in a grid of parts, so that the longest share of a thread is as short as it can be.
void Product::run_divided(const Products& products, int row, const Gemm& one) const {
    const int64_t tile = products.tile_rows[row], width = products.tile_columns[row], threads = num_threads();
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

Gemm Product::rows_of(Gemm one, int64_t first, int64_t some) const {
    one.m = some;
    one.a += first * one.a_row * item;
    one.c += first * one.c_row * item;
    return one;
}

Gemm Product::columns_of(Gemm one, int64_t first, int64_t some) const {
    one.n = some;
    one.b += first * one.b_column * item;
    one.c += first * one.c_column * item;
    if (one.bias != nullptr) one.bias += first * one.bias_stride * item;
    return one;
}

}  // namespace lamina
