// Products of few vectors with a matrix, which is read once, in long stretches: dot products, or sums of its rows.
#pragma once

#include "loops/loops.hpp"
#include "loops/vectors/simd.hpp"

namespace lamina::LAMINA_ISA {

// Dot products of one vector with J others, each summed in the same order whatever J is.
template <class T, int J>
inline void dot_some(const T* x, const T* y, int64_t apart, int64_t k, T* sums) {
    constexpr int L = kLanes<T>;
    Vec<T> even[J] = {}, odd[J] = {};
    int64_t i = 0;
    for (; i + 2 * L <= k; i += 2 * L) {
        const Vec<T> x0 = load(x + i), x1 = load(x + i + L);
#pragma GCC unroll 4
        for (int j = 0; j < J; ++j) {
            even[j] += x0 * load(y + j * apart + i);
            odd[j] += x1 * load(y + j * apart + i + L);
        }
    }
    if (i + L <= k) {
        const Vec<T> x0 = load(x + i);
#pragma GCC unroll 4
        for (int j = 0; j < J; ++j) even[j] += x0 * load(y + j * apart + i);
        i += L;
    }
    if (i < k) {
        const Vec<T> x0 = load_some<T>(x + i, k - i, T(0));
#pragma GCC unroll 4
        for (int j = 0; j < J; ++j) odd[j] += x0 * load_some<T>(y + j * apart + i, k - i, T(0));
    }
#pragma GCC unroll 4
    for (int j = 0; j < J; ++j) sums[j] = sum_of_lanes<T>(even[j] + odd[j]);
}

// Few results of long adjacent rows of A and columns of B.
template <class T>
void dots(const Gemm& g) {
    const T *a = reinterpret_cast<const T*>(g.a), *b = reinterpret_cast<const T*>(g.b);
    const T* bias = reinterpret_cast<const T*>(g.bias);
    T* c = reinterpret_cast<T*>(g.c);
    for (int64_t i = 0; i < g.m; ++i)
        for (int64_t j = 0; j < g.n;) {
            T sums[4];
            const int some = j + 4 <= g.n ? 4 : 1;
            if (some == 4)
                dot_some<T, 4>(a + i * g.a_row, b + j * g.b_column, g.b_column, g.k, sums);
            else
                dot_some<T, 1>(a + i * g.a_row, b + j * g.b_column, g.b_column, g.k, sums);
            for (int s = 0; s < some; ++s, ++j) c[i * g.c_row + j] = bias != nullptr ? sums[s] + bias[j * g.bias_stride] : sums[s];
        }
}

// c[row] += the sum of U rows of B by items of A, for M rows of A and C.
template <class T, int M, int U>
inline void add_rows(const T* a, int64_t a_row, int64_t a_column, const T* b, int64_t b_row, T* c, int64_t c_row, int64_t n) {
    constexpr int L = kLanes<T>;
    Vec<T> x[M][U];
#pragma GCC unroll 4
    for (int r = 0; r < M; ++r)
#pragma GCC unroll 8
        for (int u = 0; u < U; ++u) x[r][u] = every(a[r * a_row + u * a_column]);
    int64_t j = 0;
    for (; j + L <= n; j += L) {
        Vec<T> sums[M];
#pragma GCC unroll 4
        for (int r = 0; r < M; ++r) sums[r] = load(c + r * c_row + j);
#pragma GCC unroll 8
        for (int u = 0; u < U; ++u) {
            const Vec<T> items = load(b + u * b_row + j);
#pragma GCC unroll 4
            for (int r = 0; r < M; ++r) sums[r] += x[r][u] * items;
        }
#pragma GCC unroll 4
        for (int r = 0; r < M; ++r) store<T>(c + r * c_row + j, sums[r]);
    }
    if (j == n) return;
    for (int r = 0; r < M; ++r) {
        Vec<T> sum = load_some<T>(c + r * c_row + j, n - j, T(0));
        for (int u = 0; u < U; ++u) sum += x[r][u] * load_some<T>(b + u * b_row + j, n - j, T(0));
        store_some<T>(c + r * c_row + j, sum, n - j);
    }
}

template <class T, int M>
void sum_rows(const Gemm& g) {
    constexpr int U = 8 / M;
    constexpr int64_t kStretch = 8192 / int64_t(sizeof(T));  // of C, which stays in the first cache
    const T* bias = reinterpret_cast<const T*>(g.bias);
    for (int64_t j = 0; j < g.n; j += kStretch) {
        const int64_t n = g.n - j < kStretch ? g.n - j : kStretch;
        const T *a = reinterpret_cast<const T*>(g.a), *b = reinterpret_cast<const T*>(g.b) + j;
        T* c = reinterpret_cast<T*>(g.c) + j;
        for (int64_t r = 0; r < M; ++r)
            for (int64_t i = 0; i < n; ++i) c[r * g.c_row + i] = bias != nullptr ? bias[(j + i) * g.bias_stride] : T(0);
        int64_t k = 0;
        for (; k + U <= g.k; k += U)
            add_rows<T, M, U>(a + k * g.a_column, g.a_row, g.a_column, b + k * g.b_row, g.b_row, c, g.c_row, n);
        for (; k < g.k; ++k) add_rows<T, M, 1>(a + k * g.a_column, g.a_row, g.a_column, b + k * g.b_row, g.b_row, c, g.c_row, n);
    }
}

template <class T>
void rows(const Gemm& g) {
    switch (g.m) {
        case 1: return sum_rows<T, 1>(g);
        case 2: return sum_rows<T, 2>(g);
        case 3: return sum_rows<T, 3>(g);
        default: return sum_rows<T, 4>(g);
    }
}

}  // namespace lamina::LAMINA_ISA
