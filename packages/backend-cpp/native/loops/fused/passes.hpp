// Loops over adjacent items, several vectors at a time: sums in short blocks of their own precision, blocks in double.
#pragma once

#include <cmath>

#include "loops/math/double_math.hpp"
#include "loops/vectors/simd.hpp"

namespace lamina::LAMINA_ISA::passes {

constexpr int64_t kBlock = 1024;  // items summed in their own precision

// The sum of the lanes, in double.
inline double double_sum(const F64& v) { return sum_of_lanes<double>(v); }
inline double double_sum(const F32& v) {
    F64 low, high;
    in_double(v, low, high);
    return sum_of_lanes<double>(low + high);
}

// Two sums over i of what `vectors` and `items` add to theirs: each is called with i, and two accumulators.
template <class T, class F, class G>
inline void two_sums(int64_t n, double& first, double& second, const F& vectors, const G& items) {
    constexpr int L = kLanes<T>;
    double a = 0, b = 0;
    for (int64_t start = 0; start < n; start += kBlock) {
        const int64_t end = n - start < kBlock ? n : start + kBlock;
        Vec<T> a0{}, a1{}, a2{}, a3{}, b0{}, b1{}, b2{}, b3{};
        int64_t i = start;
        for (; i + 4 * L <= end; i += 4 * L) {
            vectors(i, a0, b0);
            vectors(i + L, a1, b1);
            vectors(i + 2 * L, a2, b2);
            vectors(i + 3 * L, a3, b3);
        }
        for (; i + L <= end; i += L) vectors(i, a0, b0);
        a += double_sum((a0 + a1) + (a2 + a3));
        b += double_sum((b0 + b1) + (b2 + b3));
        T rest = 0, other = 0;
        for (; i < end; ++i) items(i, rest, other);
        a += rest;
        b += other;
    }
    first = a;
    second = b;
}

template <class T, class F>
inline double one_sum(int64_t n, const F& term) {  // of term(loader, i), where loader(p + i) is a vector or an item
    double first, unused;
    two_sums<T>(
        n, first, unused,
        [&](int64_t i, Vec<T>& a, Vec<T>&) { a += term([](const T* p) { return load(p); }, i); },
        [&](int64_t i, T& a, T&) { a += term([](const T* p) { return *p; }, i); });
    return first;
}

inline F32 exp_of(const F32& x) { return vexp(x); }
inline F64 exp_of(const F64& x) { return dexp(x); }
inline float exp_of(float x) { return vexp(every(x))[0]; }
inline double exp_of(double x) { return dexp(every(x))[0]; }

// out[i] = f(loader, i) for n items.
template <class T, class F>
inline void each(T* out, int64_t n, const F& f) {
    constexpr int L = kLanes<T>;
    const auto vectors = [](const T* p) { return load(p); };
    int64_t i = 0;
    for (; i + 2 * L <= n; i += 2 * L) {
        const Vec<T> a = f(vectors, i), b = f(vectors, i + L);
        store<T>(out + i, a);
        store<T>(out + i + L, b);
    }
    for (; i + L <= n; i += L) store<T>(out + i, f(vectors, i));
    for (; i < n; ++i) out[i] = f([](const T* p) { return *p; }, i);
}

}  // namespace lamina::LAMINA_ISA::passes
