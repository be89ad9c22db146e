// One Householder reflection.
//
// Golub and Van Loan, Matrix Computations, 4th ed., section 5.1; signs and scales as LAPACK's geqrf has them.
#pragma once

#include <cmath>
#include <limits>

#include "loops/vectors/simd.hpp"

namespace lamina::LAMINA_ISA {

template <class T>
inline T sum_of_squares(const T* x, int64_t n) {
    constexpr int L = kLanes<T>;
    Vec<T> sums{};
    int64_t i = 0;
    for (; i + L <= n; i += L) sums += load(x + i) * load(x + i);
    T sum = 0;
    for (int l = 0; l < L; ++l) sum += sums[l];
    for (; i < n; ++i) sum += x[i] * x[i];
    return sum;
}

// A power of two, by which the items are neither too large nor too small to be squared; 0 where all but the first are 0.
template <class T>
T unit_of(const T* x, int64_t n) {
    T most = 0;
    bool some = false;
    for (int64_t i = 1; i < n; ++i) {
        some = some || x[i] != 0;
        most = std::fabs(x[i]) > most ? std::fabs(x[i]) : most;
    }
    if (!some) return 0;
    most = std::fabs(x[0]) > most ? std::fabs(x[0]) : most;
    if (!(most <= std::numeric_limits<T>::max())) return 1;
    int exponent;
    std::frexp(most, &exponent);
    constexpr int kMost = std::numeric_limits<T>::max_exponent - 1;
    return std::ldexp(T(1), -exponent < kMost ? -exponent : kMost);
}

// x becomes the vector of the reflection that takes it to a multiple of the first unit vector; gives that multiple.
template <class T>
inline T reflection(T* x, int64_t n, T* scale) {
    constexpr T kLeast = sizeof(T) == 4 ? T(1e-20) : T(1e-200), kMost = T(1) / kLeast;
    T squares = sum_of_squares(x + 1, n - 1), unit = 1;
    if (!(squares >= kLeast && squares + x[0] * x[0] <= kMost)) {
        unit = unit_of(x, n);
        if (unit == 0) {
            const T head = x[0];
            x[0] = 1;
            *scale = 0;
            return head;
        }
        for (int64_t i = 0; i < n; ++i) x[i] *= unit;
        squares = sum_of_squares(x + 1, n - 1);
    }
    const T size = std::sqrt(x[0] * x[0] + squares), to = std::signbit(x[0]) ? size : -size;
    *scale = (to - x[0]) / to;
    const T share = T(1) / (x[0] - to);
    for (int64_t i = 1; i < n; ++i) x[i] *= share;
    x[0] = 1;
    return to / unit;
}

}  // namespace lamina::LAMINA_ISA
