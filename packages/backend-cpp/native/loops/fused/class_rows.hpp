// Rows of softmax gradients and of cross entropies.
#pragma once

#include "kernels/fused/fused.hpp"
#include "loops/fused/passes.hpp"
#include "loops/reductions/reductions.hpp"

namespace lamina::LAMINA_ISA::passes {

template <class T>
const T* items(const char* bytes) {
    return reinterpret_cast<const T*>(bytes);
}
template <class T>
T* items(char* bytes) {
    return reinterpret_cast<T*>(bytes);
}

template <class T>
double dot(const char* a_bytes, const char* b_bytes, int64_t n) {
    const T *a = items<T>(a_bytes), *b = items<T>(b_bytes);
    if (b == nullptr) return one_sum<T>(n, [=](auto from, int64_t i) { return from(a + i); });
    return one_sum<T>(n, [=](auto from, int64_t i) { return from(a + i) * from(b + i); });
}

template <class T>
void softmax_gradient(char* out, const char* gradient, const char* result, int64_t n) {
    const T *g = items<T>(gradient), *y = items<T>(result);
    const T mean = T(dot<T>(gradient, result, n));
    each<T>(items<T>(out), n, [=](auto from, int64_t i) { return from(y + i) * (from(g + i) - mean); });
}

template <class T>
void log_softmax_gradient(char* out, const char* gradient, const char* result, int64_t n) {
    const T *g = items<T>(gradient), *y = items<T>(result);
    const T sum = T(dot<T>(gradient, nullptr, n));
    each<T>(items<T>(out), n, [=](auto from, int64_t i) { return from(g + i) - exp_of(from(y + i)) * sum; });
}

template <class T>
double logsumexp(const char* bytes, int64_t n) {
    const T* x = items<T>(bytes);
    T greatest = Greatest<T>::start();
    row<Greatest<T>>(bytes, 1, n, &greatest);
    if (!(greatest - greatest == 0)) return greatest - greatest;  // NaN, as of any infinite x
    return greatest + std::log(one_sum<T>(n, [=](auto from, int64_t i) { return exp_of(from(x + i) - greatest); }));
}

template <class T>
void class_gradient(const ClassRow& row) {
    const T *x = items<T>(row.x), *w = items<T>(row.weight);
    T* out = items<T>(row.out);
    const T scale = T(row.scale), smooth = T(row.smooth);
    const T high = T(row.logsumexp), low = T(row.logsumexp - double(high));  // the digits that one T does not hold
    if (row.target < 0)  // ignored, also where x is infinite
        for (int64_t i = 0; i < row.n; ++i) out[i] = 0;
    else if (smooth == 0)
        each<T>(out, row.n, [=](auto from, int64_t i) { return scale * exp_of(from(x + i) - high - low); });
    else if (w == nullptr)
        each<T>(out, row.n, [=](auto from, int64_t i) { return scale * exp_of(from(x + i) - high - low) - smooth; });
    else
        each<T>(out, row.n, [=](auto from, int64_t i) { return scale * exp_of(from(x + i) - high - low) - smooth * from(w + i); });
    if (row.target >= 0) out[row.target] -= T(row.hard);
}

template <class T>
void logsumexp_down(const char* bytes, int64_t classes, int64_t stride, int64_t rows, double* found) {
    const T* x = items<T>(bytes);
    T greatest[kRowsSideBySide], sums[kRowsSideBySide] = {};
    constexpr int L = kLanes<T>;
    for (int64_t j = 0; j < kRowsSideBySide; ++j) greatest[j] = T(-INFINITY);
    for (int64_t c = 0; c < classes; ++c) {
        const T* line = x + c * stride;
#pragma GCC ivdep
        for (int64_t j = 0; j < rows; ++j) greatest[j] = (line[j] > greatest[j]) | (line[j] != line[j]) ? line[j] : greatest[j];
    }
    for (int64_t c = 0; c < classes; ++c)
        for (int64_t j = 0; j < rows; j += L) {
            const T* line = x + c * stride + j;
            const Vec<T> v = rows - j < L ? load_some(line, rows - j, T(0)) : load(line);
            store<T>(sums + j, load(sums + j) + exp_of(v - load(greatest + j)));
        }
    for (int64_t j = 0; j < rows; ++j)
        found[j] = greatest[j] - greatest[j] == 0 ? double(greatest[j]) + std::log(double(sums[j])) : double(greatest[j] - greatest[j]);
}

template <class T>
void class_gradient_down(char* to, int64_t out_stride, const char* bytes, int64_t classes, int64_t stride, int64_t rows,
                         const double* logsumexp, const double* scale) {
    const T* x = items<T>(bytes);
    T* out = items<T>(to);
    constexpr int L = kLanes<T>;
    T high[kRowsSideBySide], low[kRowsSideBySide], factor[kRowsSideBySide];
    for (int64_t j = 0; j < kRowsSideBySide; ++j) {
        const double sum = j < rows ? logsumexp[j] : 0;
        high[j] = T(sum);
        low[j] = T(sum - double(high[j]));
        factor[j] = j < rows ? T(scale[j]) : T(0);
    }
    for (int64_t c = 0; c < classes; ++c)
        for (int64_t j = 0; j < rows; j += L) {
            const T* line = x + c * stride + j;
            const bool whole = rows - j >= L;
            const Vec<T> v = whole ? load(line) : load_some(line, rows - j, T(0));
            const Vec<T> found = load(factor + j) * exp_of(v - load(high + j) - load(low + j));
            if (whole)
                store<T>(out + c * out_stride + j, found);
            else
                store_some<T>(out + c * out_stride + j, found, rows - j);
        }
}

}  // namespace lamina::LAMINA_ISA::passes
