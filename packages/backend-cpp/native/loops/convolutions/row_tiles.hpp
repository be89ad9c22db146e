// Tiles of a convolution: some rows of packed weights by some vectors of windows, whose sums are kept in registers.
#pragma once

#include "kernels/convolutions/sliding.hpp"
#include "loops/products/packing.hpp"

namespace lamina::LAMINA_ISA {

// Rows are shared out evenly: tile i of so many holds rows first_row(i) to first_row(i + 1), never more than kPanelRows.
inline int64_t tile_count(int64_t rows) { return (rows + kPanelRows - 1) / kPanelRows; }
inline int64_t first_row(int64_t tile, int64_t rows) { return EvenParts{rows, tile_count(rows)}.first(tile); }

constexpr int64_t kTapsTogether = 160;  // of all rows: where rows lie side by side within a channel, they are read along it

// Some taps of the rows of a tile, which are `row` items apart.
template <class T>
inline void pack_tile(T* to, const T* weights, int64_t row, int64_t rows, const int64_t* offsets, int64_t taps) {
    constexpr int L = kLanes<T>;
    bool along = true;  // whether a row's taps lie side by side
    for (int64_t k = 1; k < taps; ++k) along = along && offsets[k] == offsets[k - 1] + 1;
    int64_t done = 0;
    if (along && taps > L && (rows >= L || L >= kPanelRows))  // and not behind these, where another thread may write
        done = pack_turned(to, weights + offsets[0], row, taps - L, int(rows), int(rows));
    for (to += done * rows; done < taps; ++done)
        for (int64_t r = 0; r < rows; ++r) *to++ = weights[r * row + offsets[done]];
}

template <class T>
void pack_weights(const WeightPack& p) {
    const T* weights = reinterpret_cast<const T*>(p.weights);
    T* to = reinterpret_cast<T*>(p.to);
    const int64_t blocks = (p.taps + kTapsTogether - 1) / kTapsTogether;
    for (int64_t block = 0; block < blocks; ++block) {
        const int64_t k0 = block * p.taps / blocks, k1 = (block + 1) * p.taps / blocks;
        for (int64_t t = 0; t < tile_count(p.rows); ++t) {
            const int64_t first = first_row(t, p.rows), rows = first_row(t + 1, p.rows) - first;
            pack_tile(to + first * p.taps + k0 * rows, weights + first * p.row, p.row, rows, p.offsets + k0, k1 - k0);
        }
    }
}

template <class T>
struct CorrelationTile {
    const T *x, *weights, *bias;
    const int64_t* offsets;
    T* out;
    int64_t taps, out_row, bias_stride;
    int wanted, columns;  // those that windows fill, and those that may be written
    bool add;             // to what out holds
};

template <class T, int R, int V>
void correlate_tile(const CorrelationTile<T>& t) {
    constexpr int L = kLanes<T>;
    Vec<T> sums[R][V];
#pragma GCC unroll 6
    for (int r = 0; r < R; ++r)
        for (int v = 0; v < V; ++v) sums[r][v] = Vec<T>{};
    const T *x = t.x, *w = t.weights;
    const int64_t* offsets = t.offsets;
#pragma GCC unroll 6
    for (int r = 0; r < R; ++r)
        for (int v = 0; v < V; ++v) __builtin_prefetch(t.out + r * t.out_row + v * L, 1);
#pragma GCC unroll 4
    for (int64_t k = t.taps; k > 0; --k, w += R, ++offsets) {
        Vec<T> windows[V];
        for (int v = 0; v < V; ++v) windows[v] = load(x + *offsets + v * L);
#pragma GCC unroll 6
        for (int r = 0; r < R; ++r)
            for (int v = 0; v < V; ++v) sums[r][v] += w[r] * windows[v];
    }
#pragma GCC unroll 6
    for (int r = 0; r < R; ++r) {
        T* to = t.out + r * t.out_row;
        const T start = t.bias != nullptr ? t.bias[r * t.bias_stride] : T(0);
        if (t.columns >= V * L) {
            for (int v = 0; v < V; ++v) store<T>(to + v * L, sums[r][v] + (t.add ? load<T>(to + v * L) : every(start)));
        } else {
            T lanes[V * L];
            for (int v = 0; v < V; ++v) store<T>(lanes + v * L, sums[r][v]);
            for (int j = 0; j < t.columns; ++j) to[j] = lanes[j] + (t.add ? to[j] : start);
        }
    }
}

template <class T, int V, int R = kPanelRows>
inline void correlate_tile_of(int64_t rows, const CorrelationTile<T>& t) {
    if constexpr (R > 1)
        if (rows < R) return correlate_tile_of<T, V, R - 1>(rows, t);
    correlate_tile<T, R, V>(t);
}

template <class T>
inline void correlate_tile_of(int64_t rows, const CorrelationTile<T>& t) {
    with_vectors((t.wanted + kLanes<T> - 1) / kLanes<T>, [&](auto vectors) { correlate_tile_of<T, decltype(vectors)::value>(rows, t); });
}

}  // namespace lamina::LAMINA_ISA
