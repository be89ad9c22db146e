// Triangular systems of few right sides, by what lies side by side in L: items of a column, which vectors go down, or of a row.
#pragma once

#include "loops/linear_algebra/panel_rows.hpp"
#include "loops/products/vector_products.hpp"

namespace lamina::LAMINA_ISA {

// R rows from `begin` on, of a panel whose rows above are solved, of which those from `from` on are yet to be subtracted.
template <class T, int R>
inline void solve_rows(const T* l, int64_t row, int64_t column, bool unit, T* panel, int64_t begin, int64_t from) {
    constexpr int N = int(kFewColumns);
    PanelRow<T> x[R];
    l += begin * row;
#pragma GCC unroll 8
    for (int r = 0; r < R; ++r) x[r] = PanelRow<T>::at(panel + (begin + r) * N);
    for (int64_t j = from; j < begin; ++j) {
        const PanelRow<T> above = PanelRow<T>::at(panel + j * N);
#pragma GCC unroll 8
        for (int r = 0; r < R; ++r) x[r].subtract(l[r * row + j * column], above);
    }
    l += begin * column;
#pragma GCC unroll 8
    for (int r = 0; r < R; ++r) {
#pragma GCC unroll 8
        for (int s = 0; s < r; ++s) x[r].subtract(l[r * row + s * column], x[s]);
        if (!unit) x[r].divide(l[r * (row + column)]);
        x[r].to(panel + (begin + r) * N);
    }
}

// What `begin` solved rows take from those below, as many as a vector has lanes, for L with adjacent items of a column, in either
// direction: for each right side in K sums, as one would wait for itself.
template <class T, int C>
inline void subtract_above(const T* l, int64_t row, int64_t column, T* panel, int64_t begin) {
    constexpr int N = int(kFewColumns), L = kLanes<T>, K = C >= 8 ? 1 : C >= 4 ? 2 : 4;
    const T* first = l + begin * row - (row < 0 ? L - 1 : 0);  // in memory
    Vec<T> sums[K][C] = {};
    const auto add = [&](Vec<T>* to, int64_t j) {
        const Vec<T> down = load<T>(first + j * column);
#pragma GCC unroll 8
        for (int c = 0; c < C; ++c) to[c] += down * panel[j * N + c];
    };
    int64_t j = 0;
    for (; j + K <= begin; j += K)
#pragma GCC unroll 4
        for (int k = 0; k < K; ++k) add(sums[k], j + k);
    for (; j < begin; ++j) add(sums[0], j);
    for (int c = 0; c < C; ++c) {
        T lanes[L];
        for (int k = 1; k < K; ++k) sums[0][c] += sums[k][c];
        store<T>(lanes, sums[0][c]);
        for (int i = 0; i < L; ++i) panel[(begin + i) * N + c] -= lanes[row < 0 ? L - 1 - i : i];
    }
}

template <class T, int C>
void substitute_panel(const T* l, int64_t row, int64_t column, bool unit, T* panel, int64_t n) {
    constexpr int64_t L = kLanes<T>, R = L < 8 ? L : 8;
    const bool by_columns = row == 1 || row == -1;
    const int64_t step = by_columns ? L : R;
    int64_t begin = 0;
    for (; begin < n % step; ++begin) solve_rows<T, 1>(l, row, column, unit, panel, begin, 0);
    for (; begin < n; begin += step) {
        if (by_columns) subtract_above<T, C>(l, row, column, panel, begin);
        for (int64_t i = begin; i < begin + step; i += R) solve_rows<T, R>(l, row, column, unit, panel, i, by_columns ? begin : 0);
    }
}

// By dot products, for rows of L whose items lie side by side, in either direction; `turned` is x by columns, in the direction of L.
template <class T>
void substitute_by_dots(
    const T* l, int64_t row, int64_t column, bool unit, T* x, int64_t x_row, int64_t n, int64_t columns, T* turned
) {
    constexpr int R = 4;
    const bool forth = column == 1;
    for (int64_t begin = 0; begin < n; begin += R) {
        const int64_t rows = n - begin < R ? n - begin : R;
        const T* before = l + begin * row - (forth ? 0 : begin - 1);  // the first in memory of the items that meet what is solved
        for (int64_t c = 0; c < columns; ++c) {
            T* const solved = turned + c * n;
            const T* const met = forth ? solved : solved + n - begin;
            T sums[R];
            if (rows == R)
                dot_some<T, R>(met, before, row, begin, sums);
            else
                for (int64_t r = 0; r < rows; ++r) dot_some<T, 1>(met, before + r * row, 0, begin, sums + r);
            for (int64_t r = 0; r < rows; ++r) {
                const int64_t i = begin + r;
                T item = x[i * x_row + c] - sums[r];
                for (int64_t j = begin; j < i; ++j) item -= l[i * row + j * column] * solved[forth ? j : n - 1 - j];
                if (!unit) item /= l[i * (row + column)];
                x[i * x_row + c] = solved[forth ? i : n - 1 - i] = item;
            }
        }
    }
}

template <class T>
void substitute_few(const char* factor, int64_t row, int64_t column, bool unit, char* data, int64_t x_row, int64_t n, int64_t columns,
                    char* scratch) {
    constexpr int N = int(kFewColumns);
    const T* l = reinterpret_cast<const T*>(factor);
    T *x = reinterpret_cast<T*>(data), *panel = reinterpret_cast<T*>(scratch);
    if (columns <= 2 && (column == 1 || column == -1))
        return substitute_by_dots(l, row, column, unit, x, x_row, n, columns, panel);
    for (int64_t i = 0; i < n; ++i)
        for (int64_t c = 0; c < N; ++c) panel[i * N + c] = c < columns ? x[i * x_row + c] : T(0);
    if (columns == 1)
        substitute_panel<T, 1>(l, row, column, unit, panel, n);
    else if (columns == 2)
        substitute_panel<T, 2>(l, row, column, unit, panel, n);
    else if (columns <= 4)
        substitute_panel<T, 4>(l, row, column, unit, panel, n);
    else
        substitute_panel<T, 8>(l, row, column, unit, panel, n);
    for (int64_t i = 0; i < n; ++i)
        for (int64_t c = 0; c < columns; ++c) x[i * x_row + c] = panel[i * N + c];
}

}  // namespace lamina::LAMINA_ISA
