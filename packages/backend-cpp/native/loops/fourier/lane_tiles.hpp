// Rows of memory as the lanes of vectors, and back: by tiles that registers hold, or by vectors where rows lie item beside item.
#pragma once

#include "loops/vectors/tiles.hpp"

namespace lamina::LAMINA_ISA {

template <class T>
[[gnu::always_inline]] inline Vec<T> load_up_to(const T* from, int64_t n) {
    return n >= kLanes<T> ? load<T>(from) : n > 0 ? load_some<T>(from, n, T(0)) : Vec<T>{};
}

template <class T>
[[gnu::always_inline]] inline void store_up_to(T* to, const Vec<T>& v, int64_t n) {
    if (n >= kLanes<T>)
        store<T>(to, v);
    else if (n > 0)
        store_some<T>(to, v, n);
}

// n adjacent items of each row: item i of all rows becomes vector where(i).
template <class T, class Where>
[[gnu::noinline]] void load_rows(const T* const* rows, int64_t n, Vec<T>* to, const Where& where) {
    constexpr int L = kLanes<T>;
    int64_t i = 0;
    for (; i + L <= n; i += L) {
        Vec<T> v[L];
#pragma GCC unroll 16
        for (int l = 0; l < L; ++l) v[l] = load<T>(rows[l] + i);
        turn_tile<T>(v);
#pragma GCC unroll 16
        for (int l = 0; l < L; ++l) to[where(i + l)] = v[l];
    }
    if (i == n) return;
    Vec<T> last[L];
    for (int l = 0; l < L; ++l) last[l] = load_some<T>(rows[l] + i, n - i, T(0));
    turn_tile<T>(last);
    for (int l = 0; i + l < n; ++l) to[where(i + l)] = last[l];
}

// The reverse, of the first `count` rows.
template <class T>
[[gnu::noinline]] void store_rows(const Vec<T>* from, int64_t n, T* const* rows, int count, int flip, T scale) {
    constexpr int L = kLanes<T>;
    constexpr int64_t kAhead = 128 / int64_t(sizeof(T));  // two lines: rows that lie apart are not fetched by themselves
    int64_t i = 0;
    if (count == L)
        for (; i + L <= n; i += L) {
            Vec<T> v[L];
#pragma GCC unroll 16
            for (int l = 0; l < L; ++l) __builtin_prefetch(rows[l] + i + kAhead, 1);
#pragma GCC unroll 16
            for (int l = 0; l < L; ++l) v[l] = from[(i + l) ^ flip] * scale;
            turn_tile<T>(v);
#pragma GCC unroll 16
            for (int l = 0; l < L; ++l) store<T>(rows[l] + i, v[l]);
        }
    for (; i < n; i += L) {
        Vec<T> some[L];
        for (int l = 0; l < L; ++l) some[l] = i + l < n ? from[(i + l) ^ flip] * scale : Vec<T>{};
        turn_tile<T>(some);
        for (int l = 0; l < L && l < count; ++l) store_up_to<T>(rows[l] + i, some[l], n - i);
    }
}

// Adjacent complex numbers as real and imaginary parts, and back; `count` of them.
template <class T>
[[gnu::always_inline]] inline void load_pairs(const T* from, int count, Vec<T>& re, Vec<T>& im) {
    constexpr int L = kLanes<T>;
    const Vec<T> a = load_up_to<T>(from, 2 * count), b = load_up_to<T>(from + L, 2 * count - L);
    re = every_second<T>(a, b, 0);
    im = every_second<T>(a, b, 1);
}

template <class T>
[[gnu::always_inline]] inline void store_pairs(const Vec<T>* from, int flip, T scale, T* to, int count) {
    constexpr int L = kLanes<T>;
    const Vec<T> re = from[flip] * scale, im = from[flip ^ 1] * scale;
    store_up_to<T>(to, by_turns<T>(re, im, false), 2 * count);
    store_up_to<T>(to + L, by_turns<T>(re, im, true), 2 * count - L);
}

}  // namespace lamina::LAMINA_ISA
