// Panels of matrices: blocks copied so that the tiles of a product read them one item after another.
#pragma once

#include "loops/vectors/corners.hpp"

namespace lamina::LAMINA_ISA {

// With its two vectors of sums a row, a tile takes most of the registers.
#if defined(__AVX512F__)
constexpr int kTileRows = 12;
#else
constexpr int kTileRows = 6;
#endif

template <class T>
constexpr int kTileColumns = 2 * kLanes<T>;

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

// Several panels, one behind the other; rows of B are read along, so that memory is seen in long stretches.
template <class T>
inline void pack_panels(T* to, const T* b, int64_t b_row, int64_t b_column, int64_t k, int64_t columns) {
    constexpr int L = kLanes<T>, C = kTileColumns<T>, kTogether = 8;
    while (b_column == 1 && columns >= kTogether * C) {
        for (int64_t i = 0; i < k; ++i) {
            const T* from = b + i * b_row;
            T* row = to + i * C;
            for (int p = 0; p < kTogether; ++p, from += C, row += k * C) {
                store<T>(row, load(from));
                store<T>(row + L, load(from + L));
            }
        }
        to += kTogether * C * k;
        b += kTogether * C;
        columns -= kTogether * C;
    }
    for (; columns > 0; columns -= C, b += C * b_column, to += C * k)
        pack_b(to, b, b_row, b_column, k, int(columns < C ? columns : C));
}

constexpr int kPackSlack = 64;  // items behind a panel of A that packing may write to

// Vectors along the rows of A, turned: its first columns, as many as whole vectors hold, so many items from one to the next. Returns how
// many. A vector that is longer than a column is written over by the next, and the last lies over what is behind the panel.
template <class T>
inline int64_t pack_turned(T* to, const T* a, int64_t a_row, int64_t k, int rows, int pitch) {
    constexpr int L = kLanes<T>;
    int64_t done = 0;
    for (; done + L <= k; done += L)
        for (int first = 0; first < rows; first = first + L < rows && first + 2 * L > rows ? rows - L : first + L) {
            Vec<T> turned[L];
            for (int r = 0; r < L; ++r) turned[r] = first + r < rows ? load(a + (first + r) * a_row + done) : Vec<T>{};
            swap_corners<T, 1>(turned);
            for (int i = 0; i < L; ++i) store<T>(to + (done + i) * pitch + first, turned[i]);
        }
    return done;
}

// Rows of A as one panel with kTileRows items a column; where there are fewer rows, what lies between is left as it comes.
template <class T>
inline void pack_a(T* to, const T* a, int64_t a_row, int64_t a_column, int64_t k, int rows) {
    int64_t done = 0;
    if (a_column == 1 && (rows == kTileRows || kLanes<T> >= kTileRows)) {
        done = pack_turned(to, a, a_row, k, rows, kTileRows);
    } else if (a_row == 1 && rows == kTileRows) {
        for (; done < k; ++done) std::memcpy(to + done * kTileRows, a + done * a_column, kTileRows * sizeof(T));
    }
    for (; done < k; ++done)
        for (int r = 0; r < rows; ++r) to[done * kTileRows + r] = a[r * a_row + done * a_column];
}

}  // namespace lamina::LAMINA_ISA
