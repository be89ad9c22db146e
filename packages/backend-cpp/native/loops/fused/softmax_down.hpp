// Softmax, its logarithm and their gradients of rows that lie side by side: each line of items is one of every row.
#pragma once

#include <cmath>

#include "loops/fused/passes.hpp"
#include "loops/loops.hpp"
#include "loops/vectors/simd.hpp"

namespace lamina::LAMINA_ISA {

constexpr int64_t kLinesSummed = 64;  // in their own precision

// Calls some(j, n) for the vectors of a line, the last of which may have fewer than all lanes.
template <class T, class F>
inline void across_rows(int64_t rows, const F& some) {
    constexpr int L = kLanes<T>;
    for (int64_t j = 0; j < rows; j += L) some(j, rows - j < L ? rows - j : int64_t(L));
}

// The sums of term(i, j, n), a vector of line i, over all lines: `kLinesSummed` at a time in T, and these in double.
template <class T, class F>
inline void sum_lines(int64_t lines, int64_t rows, double* totals, const F& term) {
    for (int64_t j = 0; j < kRowsSideBySide; ++j) totals[j] = 0;
    for (int64_t first = 0; first < lines; first += kLinesSummed) {
        const int64_t end = lines - first < kLinesSummed ? lines : first + kLinesSummed;
        T sums[kRowsSideBySide] = {};
        for (int64_t i = first; i < end; ++i)
            across_rows<T>(rows, [&](int64_t j, int64_t n) { store<T>(sums + j, load(sums + j) + term(i, j, n)); });
        for (int64_t j = 0; j < rows; ++j) totals[j] += sums[j];
    }
}

template <class T, bool kLog>
void softmax_down(char* to, const char* from, int64_t lines, int64_t stride, int64_t rows) {
    T* out = reinterpret_cast<T*>(to);
    const T* x = reinterpret_cast<const T*>(from);
    T greatest[kRowsSideBySide], rest[kRowsSideBySide];
    for (int64_t j = 0; j < kRowsSideBySide; ++j) greatest[j] = T(-INFINITY);
    for (int64_t i = 0; i < lines; ++i)
        across_rows<T>(rows, [&](int64_t j, int64_t n) {
            const Vec<T> v = items_at(x + i * stride + j, n), top = load(greatest + j);
            store<T>(greatest + j, choose((v > top) | (v != v), v, top));
        });
    double totals[kRowsSideBySide];
    sum_lines<T>(lines, rows, totals, [&](int64_t i, int64_t j, int64_t n) {
        const Vec<T> e = passes::exp_of(items_at(x + i * stride + j, n) - load(greatest + j));
        if constexpr (!kLog) put_items<T>(out + i * stride + j, e, n);
        return e;
    });
    for (int64_t j = 0; j < kRowsSideBySide; ++j) rest[j] = j < rows ? T(kLog ? std::log(totals[j]) : 1 / totals[j]) : T(0);
    for (int64_t i = 0; i < lines; ++i)
        across_rows<T>(rows, [&](int64_t j, int64_t n) {
            T* line = out + i * stride + j;
            if constexpr (kLog)
                put_items<T>(line, items_at(x + i * stride + j, n) - load(greatest + j) - load(rest + j), n);
            else
                put_items<T>(line, items_at(line, n) * load(rest + j), n);
        });
}

// y * (g - sum(g * y)), or g - exp(y) * sum(g).
template <class T, bool kLog>
void softmax_gradient_down(char* to, const char* gradient, const char* result, int64_t lines, int64_t stride, int64_t rows) {
    T* out = reinterpret_cast<T*>(to);
    const T *g = reinterpret_cast<const T*>(gradient), *y = reinterpret_cast<const T*>(result);
    double totals[kRowsSideBySide];
    sum_lines<T>(lines, rows, totals, [&](int64_t i, int64_t j, int64_t n) {
        const Vec<T> v = items_at(g + i * stride + j, n);
        return kLog ? v : Vec<T>(v * items_at(y + i * stride + j, n));
    });
    T sums[kRowsSideBySide];
    for (int64_t j = 0; j < kRowsSideBySide; ++j) sums[j] = T(totals[j]);
    for (int64_t i = 0; i < lines; ++i)
        across_rows<T>(rows, [&](int64_t j, int64_t n) {
            const Vec<T> v = items_at(g + i * stride + j, n), w = items_at(y + i * stride + j, n), sum = load(sums + j);
            if constexpr (kLog)
                put_items<T>(out + i * stride + j, v - passes::exp_of(w) * sum, n);
            else
                put_items<T>(out + i * stride + j, w * (v - sum), n);
        });
}

}  // namespace lamina::LAMINA_ISA
