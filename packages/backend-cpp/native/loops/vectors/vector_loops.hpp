// Loops over vectors for functions of vectors: items that do not lie side by side, and the last few, pass through buffers.
#pragma once

#include <utility>

#include "loops/loops.hpp"
#include "loops/vectors/simd.hpp"

namespace lamina::LAMINA_ISA {

template <class T>
inline Vec<T> load_strided(const T* from, int64_t stride, int64_t n) {
    constexpr int L = kLanes<T>;
    if (stride == 1) return n >= L ? load(from) : load_some(from, n, T(1));
    if (stride == 0) return every(*from);
    T lanes[L];
    for (int i = 0; i < L; ++i) lanes[i] = i < n ? from[i * stride] : T(1);
    return load<T>(lanes);
}

template <class T>
inline void store_strided(T* to, int64_t stride, int64_t n, const Vec<T>& v) {
    constexpr int L = kLanes<T>;
    if (stride == 1 && n >= L) return store<T>(to, v);
    if (stride == 1) return store_some<T>(to, v, n);
    T lanes[L];
    store<T>(lanes, v);
    for (int64_t i = 0; i < n && i < L; ++i) to[i * stride] = lanes[i];
}

template <class F, class T>
void vector_unary(char* const* p, const int64_t* s, int64_t n) {
    constexpr int L = kLanes<T>;
    T* out = reinterpret_cast<T*>(p[0]);
    const T* x = reinterpret_cast<const T*>(p[1]);
    const int64_t so = s[0], sx = s[1];
    int64_t i = 0;
    if (so == 1 && sx == 1)
        for (; i + 2 * L <= n; i += 2 * L) {  // two at a time: one's latency hides the other's
            const Vec<T> first = F::of(load(x + i)), second = F::of(load(x + i + L));
            store<T>(out + i, first);
            store<T>(out + i + L, second);
        }
    for (; i < n; i += L) store_strided<T>(out + i * so, so, n - i, F::of(load_strided<T>(x + i * sx, sx, n - i)));
}

// Whole vectors of what steps (or stays, and is one number repeated); how many items they were.
template <class F, bool kStepsA, bool kStepsB, class T>
inline int64_t vector_pairs(T* out, const T* a, const T* b, int64_t n) {
    constexpr int L = kLanes<T>;
    const Vec<T> every_a = kStepsA ? Vec<T>{} : every(*a), every_b = kStepsB ? Vec<T>{} : every(*b);
    const auto at = [&](int64_t i) { return F::of(kStepsA ? load(a + i) : every_a, kStepsB ? load(b + i) : every_b); };
    int64_t i = 0;
    for (; i + 2 * L <= n; i += 2 * L) {
        const Vec<T> first = at(i), second = at(i + L);
        store<T>(out + i, first);
        store<T>(out + i + L, second);
    }
    if (i + L <= n) {
        store<T>(out + i, at(i));
        i += L;
    }
    return i;
}

template <class F, class T>
void vector_binary(char* const* p, const int64_t* s, int64_t n) {
    constexpr int L = kLanes<T>;
    T* out = reinterpret_cast<T*>(p[0]);
    const T *a = reinterpret_cast<const T*>(p[1]), *b = reinterpret_cast<const T*>(p[2]);
    const int64_t so = s[0], sa = s[1], sb = s[2];
    int64_t i = 0;
    if (so == 1 && sa == 1 && sb == 1)
        i = vector_pairs<F, true, true>(out, a, b, n);
    else if (so == 1 && sa == 1 && sb == 0)
        i = vector_pairs<F, true, false>(out, a, b, n);
    else if (so == 1 && sa == 0 && sb == 1)
        i = vector_pairs<F, false, true>(out, a, b, n);
    for (; i < n; i += L)
        store_strided<T>(out + i * so, so, n - i,
                         F::of(load_strided<T>(a + i * sa, sa, n - i), load_strided<T>(b + i * sb, sb, n - i)));
}

// Functions of `kArrays` items that lie side by side and of numbers that stay: whole vectors. All else passes through buffers.
template <class F, class T, int kArrays, size_t... kAt>
inline void vector_inputs(char* const* p, const int64_t* s, int64_t n, std::index_sequence<kAt...>) {
    constexpr int L = kLanes<T>;
    T* out = reinterpret_cast<T*>(p[0]);
    const T* const x[] = {reinterpret_cast<const T*>(p[kAt + 1])...};
    int64_t i = 0;
    if (s[0] == 1 && ((s[kAt + 1] == int64_t(kAt < kArrays)) && ...)) {
        const Vec<T> numbers[] = {kAt < kArrays ? Vec<T>{} : every(*x[kAt])...};
        for (; i + L <= n; i += L) store<T>(out + i, F::of((kAt < kArrays ? load(x[kAt] + i) : numbers[kAt])...));
    }
    for (; i < n; i += L)
        store_strided<T>(out + i * s[0], s[0], n - i, F::of(load_strided<T>(x[kAt] + i * s[kAt + 1], s[kAt + 1], n - i)...));
}

template <class F, class T, int kArrays, int kNumbers>
void vector_map(char* const* p, const int64_t* s, int64_t n) {
    vector_inputs<F, T, kArrays>(p, s, n, std::make_index_sequence<kArrays + kNumbers>{});
}

// The rows of a function of so many arrays, and numbers behind them; in float64 an item costs twice as much.
#define LAMINA_VECTOR_MAP(name, F, arrays, numbers, cost) LAMINA_VECTOR_MAP_OF(name, F, arrays, numbers, cost, kPlainMap)
#define LAMINA_VECTOR_MAP_OF(name, F, arrays, numbers, cost, traits)                                    \
    {name, kFloat32, kFloat32, arrays + numbers, cost, vector_map<F, float, arrays, numbers>, traits}, \
    {name, kFloat64, kFloat64, arrays + numbers, 2 * cost, vector_map<F, double, arrays, numbers>, traits},

}  // namespace lamina::LAMINA_ISA
