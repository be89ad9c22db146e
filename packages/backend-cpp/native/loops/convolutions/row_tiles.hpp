// Tiles of a convolution: some rows of packed weights by 2 vectors of windows, whose sums are kept in registers.
#pragma once

#include "kernels/convolutions/sliding.hpp"
#include "loops/products/packing.hpp"

namespace lamina::LAMINA_ISA {

// With its two vectors of sums a row, a tile takes most of the registers.
#if defined(__AVX512F__)
constexpr int kTileRows = 12;
#else
constexpr int kTileRows = 6;
#endif

template <class T>
constexpr int kTileColumns = 2 * kLanes<T>;

// Rows are shared out evenly: tile i of so many holds rows first_row(i) to first_row(i + 1), never more than kTileRows.
inline int64_t tile_count(int64_t rows) { return (rows + kTileRows - 1) / kTileRows; }
inline int64_t first_row(int64_t tile, int64_t rows) {
    return EvenParts{rows, tile_count(rows)}.first(tile);
}

constexpr int64_t kTapsTogether = 160;  // of all rows: where rows lie side by side within a channel, they are read along it

// Some taps of the rows of a tile, which are `row` items apart.
template <class T>
inline void pack_tile(T* to, const T* weights, int64_t row, int64_t rows, const int64_t* offsets, int64_t taps) {
    constexpr int L = kLanes<T>;
    bool along = true;  // whether a row's taps lie side by side
    for (int64_t k = 1; k < taps; ++k) along = along && offsets[k] == offsets[k - 1] + 1;
    int64_t done = 0;
    if (along && taps > L && (rows >= L || L >= kTileRows))  // and not behind these, where another thread may write
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
    int columns;  // that may be written
    bool add;     // to what out holds
};

template <class T, int R>
void correlate_tile(const CorrelationTile<T>& t) {
    constexpr int L = kLanes<T>;
    Vec<T> sums[R][2];
#pragma GCC unroll 12
    for (int r = 0; r < R; ++r) sums[r][0] = sums[r][1] = Vec<T>{};
    const T *x = t.x, *w = t.weights;
    const int64_t* offsets = t.offsets;
#pragma GCC unroll 12
    for (int r = 0; r < R; ++r)
        for (int v = 0; v < 2; ++v) __builtin_prefetch(t.out + r * t.out_row + v * L, 1);
#pragma GCC unroll 4
    for (int64_t k = t.taps; k > 0; --k, w += R, ++offsets) {
        const Vec<T> left = load(x + *offsets), right = load(x + *offsets + L);
#pragma GCC unroll 12
        for (int r = 0; r < R; ++r) {
            sums[r][0] += w[r] * left;
            sums[r][1] += w[r] * right;
        }
    }
#pragma GCC unroll 12
    for (int r = 0; r < R; ++r) {
        T* to = t.out + r * t.out_row;
        const T start = t.bias != nullptr ? t.bias[r * t.bias_stride] : T(0);
        if (t.columns >= 2 * L) {
            store<T>(to, sums[r][0] + (t.add ? load<T>(to) : every(start)));
            store<T>(to + L, sums[r][1] + (t.add ? load<T>(to + L) : every(start)));
        } else {
            T lanes[2 * L];
            store<T>(lanes, sums[r][0]);
            store<T>(lanes + L, sums[r][1]);
            for (int j = 0; j < t.columns; ++j) to[j] = lanes[j] + (t.add ? to[j] : start);
        }
    }
}

template <class T, int R = kTileRows>
inline void correlate_tile_of(int64_t rows, const CorrelationTile<T>& t) {
    if constexpr (R > 1)
        if (rows < R) return correlate_tile_of<T, R - 1>(rows, t);
    correlate_tile<T, R>(t);
}

}  // namespace lamina::LAMINA_ISA
