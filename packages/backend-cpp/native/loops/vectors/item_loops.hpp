// Loops over items for functions of items: each op is a struct whose `of` the compiler makes vectors of.
#pragma once

#include <cmath>
#include <type_traits>

#include "loops/loops.hpp"

namespace lamina::LAMINA_ISA {

// Integers are computed with as unsigned ones, which wrap; short ones as such of 32 bits, or C++ would make them signed.
template <class T, bool kIntegers = std::is_integral_v<T>>
struct Wrapping {
    using type = T;
};
template <class T>
struct Wrapping<T, true> {
    using type = std::conditional_t<(sizeof(T) < 8), uint32_t, uint64_t>;
};
template <class T>
using W = typename Wrapping<T>::type;

#define LAMINA_UNARY(Name, expression)        \
    struct Name {                             \
        template <class T>                    \
        static inline auto of(T x) {          \
            return expression;                \
        }                                     \
    };
#define LAMINA_BINARY(Name, expression)       \
    struct Name {                             \
        template <class T>                    \
        static inline auto of(T a, T b) {     \
            return expression;                \
        }                                     \
    };

// `ivdep`: output and inputs share no memory, or all of it item by item.
template <class F, class T, class R>
void unary(char* const* p, const int64_t* s, int64_t n) {
    R* out = reinterpret_cast<R*>(p[0]);
    const T* x = reinterpret_cast<const T*>(p[1]);
    if (s[0] == 1 && s[1] == 1) {
#pragma GCC ivdep
        for (int64_t i = 0; i < n; ++i) out[i] = F::of(x[i]);
    } else {
        const int64_t so = s[0], sx = s[1];
        for (int64_t i = 0; i < n; ++i) out[i * so] = F::of(x[i * sx]);
    }
}

template <class F, class T, class R>
void binary(char* const* p, const int64_t* s, int64_t n) {
    R* out = reinterpret_cast<R*>(p[0]);
    const T* a = reinterpret_cast<const T*>(p[1]);
    const T* b = reinterpret_cast<const T*>(p[2]);
    const int64_t so = s[0], sa = s[1], sb = s[2];
    if (so == 1 && sa == 1 && sb == 1) {
#pragma GCC ivdep
        for (int64_t i = 0; i < n; ++i) out[i] = F::of(a[i], b[i]);
    } else if (so == 1 && sa == 1 && sb == 0) {
        const T y = *b;
#pragma GCC ivdep
        for (int64_t i = 0; i < n; ++i) out[i] = F::of(a[i], y);
    } else if (so == 1 && sa == 0 && sb == 1) {
        const T x = *a;
#pragma GCC ivdep
        for (int64_t i = 0; i < n; ++i) out[i] = F::of(x, b[i]);
    } else {
        for (int64_t i = 0; i < n; ++i) out[i * so] = F::of(a[i * sa], b[i * sb]);
    }
}

template <class F, class T>
void ternary(char* const* p, const int64_t* s, int64_t n) {
    T* out = reinterpret_cast<T*>(p[0]);
    const T *a = reinterpret_cast<const T*>(p[1]), *b = reinterpret_cast<const T*>(p[2]), *c = reinterpret_cast<const T*>(p[3]);
    const int64_t so = s[0], sa = s[1], sb = s[2], sc = s[3];
    if (so == 1 && sa == 1 && sb == 0 && sc == 0) {
        const T y = *b, z = *c;
#pragma GCC ivdep
        for (int64_t i = 0; i < n; ++i) out[i] = F::of(a[i], y, z);
    } else if (so == 1 && sa == 1 && sb == 1 && sc == 0) {
        const T z = *c;
#pragma GCC ivdep
        for (int64_t i = 0; i < n; ++i) out[i] = F::of(a[i], b[i], z);
    } else if (so == 1 && sa == 1 && sb == 1 && sc == 1) {
#pragma GCC ivdep
        for (int64_t i = 0; i < n; ++i) out[i] = F::of(a[i], b[i], c[i]);
    } else {
        for (int64_t i = 0; i < n; ++i) out[i * so] = F::of(a[i * sa], b[i * sb], c[i * sc]);
    }
}

#define LAMINA_WHERE(T, code, cost) {"where", code, code, 3, cost, where<T>, kCondition},

// Both are read whatever the condition says: a choice of what has been read is no jump for the processor to guess.
template <class T>
void where(char* const* p, const int64_t* s, int64_t n) {
    T* out = reinterpret_cast<T*>(p[0]);
    const uint8_t* condition = reinterpret_cast<const uint8_t*>(p[1]);
    const T* a = reinterpret_cast<const T*>(p[2]);
    const T* b = reinterpret_cast<const T*>(p[3]);
    const int64_t so = s[0], sc = s[1], sa = s[2], sb = s[3];
    if (so == 1 && sc == 1 && sa == 1 && sb == 1) {
#pragma GCC ivdep
        for (int64_t i = 0; i < n; ++i) {
            const T x = a[i], y = b[i];
            out[i] = condition[i] ? x : y;
        }
    } else if (so == 1 && sc == 1 && sa == 1 && sb == 0) {
        const T y = *b;
#pragma GCC ivdep
        for (int64_t i = 0; i < n; ++i) {
            const T x = a[i];
            out[i] = condition[i] ? x : y;
        }
    } else if (so == 1 && sc == 1 && sa == 0 && sb == 1) {
        const T x = *a;
#pragma GCC ivdep
        for (int64_t i = 0; i < n; ++i) {
            const T y = b[i];
            out[i] = condition[i] ? x : y;
        }
    } else {
        for (int64_t i = 0; i < n; ++i) {
            const T x = a[i * sa], y = b[i * sb];
            out[i * so] = condition[i * sc] ? x : y;
        }
    }
}

}  // namespace lamina::LAMINA_ISA
