// As many vectors as they have lanes, whose rows and columns are exchanged, or whose rows are reduced.
#pragma once

#include "loops/vectors/simd.hpp"

namespace lamina::LAMINA_ISA {

// Where the items of two vectors go whose corners, of S x S items, are swapped: `low` for the first.
template <class T, int S>
struct Corners {
    Lanes<T> low, high;

    Corners() {
        constexpr int L = kLanes<T>;
        for (int j = 0; j < L; ++j) {
            low[j] = (j & S) ? L + j - S : j;
            high[j] = (j & S) ? L + j : j + S;
        }
    }
};

// Swaps the corners of L x L items that are `S` apart, in all pairs of rows: log2(L) of these transpose.
template <class T, int S>
inline void swap_corners(Vec<T>* rows) {
    constexpr int L = kLanes<T>;
    const Corners<T, S> places;
#pragma GCC unroll 16
    for (int i = 0; i < L; ++i) {
        if (i & S) continue;
        const Vec<T> above = rows[i], below = rows[i + S];
        rows[i] = __builtin_shuffle(above, below, places.low);
        rows[i + S] = __builtin_shuffle(above, below, places.high);
    }
    if constexpr (2 * S < L) swap_corners<T, 2 * S>(rows);
}

// Lane i is what `both` makes of all lanes of row i; the rows are used up.
template <class T, int S = 1, class F>
inline Vec<T> reduced_rows(Vec<T>* rows, const F& both) {
    constexpr int L = kLanes<T>;
    const Corners<T, S> places;
#pragma GCC unroll 16
    for (int i = 0; i < L; i += 2 * S)
        rows[i] = both(__builtin_shuffle(rows[i], rows[i + S], places.low), __builtin_shuffle(rows[i], rows[i + S], places.high));
    if constexpr (2 * S < L)
        return reduced_rows<T, 2 * S>(rows, both);
    else
        return rows[0];
}

}  // namespace lamina::LAMINA_ISA
