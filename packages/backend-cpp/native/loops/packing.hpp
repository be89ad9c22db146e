// Panels of matrices: blocks copied so that the tiles of a product read them one item after another.
#pragma once

#include <type_traits>

#include "simd.hpp"

namespace lamina::LAMINA_ISA {

constexpr int kTileRows = 6;

template <class T>
constexpr int kTileColumns = 2 * kLanes<T>;

// Swaps the corners of L x L items that are `S` apart, in all pairs of rows: log2(L) of these transpose.
template <class T, int S>
inline void swap_corners(Vec<T>* rows) {
    constexpr int L = kLanes<T>;
    using Lane = std::conditional_t<sizeof(T) == 4, int32_t, int64_t>;
    Vec<Lane> low, high;
    for (int j = 0; j < L; ++j) {
        low[j] = (j & S) ? L + j - S : j;
        high[j] = (j & S) ? L + j : j + S;
    }
#pragma GCC unroll 16
    for (int i = 0; i < L; ++i) {
        if (i & S) continue;
        const Vec<T> above = rows[i], below = rows[i + S];
        rows[i] = __builtin_shuffle(above, below, low);
        rows[i + S] = __builtin_shuffle(above, below, high);
    }
    if constexpr (2 * S < L) swap_corners<T, 2 * S>(rows);
}

// Columns of B, k of its rows, as one panel with kTileColumns items a row, zeros at the end.
template <class T>
inline void pack_b(T* to, const T* b, int64_t b_row, int64_t b_column, int64_t k, int columns) {
    constexpr int L = kLanes<T>, C = kTileColumns<T>;
    if (columns == C && b_column == 1) {
        for (int64_t i = 0; i < k; ++i, to += C, b += b_row) {
            store<T>(to, load(b));
            store<T>(to + L, load(b + L));
        }
        return;
    }
    int64_t done = 0;
    if (b_row == 1) {
        for (; done + L <= k; done += L)
            for (int half = 0; half < C; half += L) {
                Vec<T> rows[L];
                for (int j = 0; j < L; ++j)
                    rows[j] = half + j < columns ? load(b + (half + j) * b_column + done) : Vec<T>{};
                swap_corners<T, 1>(rows);
                for (int j = 0; j < L; ++j) store<T>(to + (done + j) * C + half, rows[j]);
            }
    }
    for (; done < k; ++done) {
        for (int j = 0; j < columns; ++j) to[done * C + j] = b[done * b_row + j * b_column];
        for (int j = columns; j < C; ++j) to[done * C + j] = T(0);
    }
}

}  // namespace lamina::LAMINA_ISA
