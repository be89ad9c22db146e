// Rows of memory as the lanes of vectors, and back: by blocks of 16 bytes, or by whole vectors where rows lie item beside item.
#pragma once

#include <type_traits>

#include "loops/vectors/simd.hpp"

namespace lamina::LAMINA_ISA {

template <class T>
constexpr int kBlock = 16 / int(sizeof(T));  // items of a row that are moved at once

template <class T>
using LaneOf = std::conditional_t<sizeof(T) == 4, int32_t, int64_t>;

// Every second item of two vectors, from `first` on; backwards if asked.
template <class T>
[[gnu::always_inline]] inline Vec<T> every_second(const Vec<T>& a, const Vec<T>& b, int first, bool backwards = false) {
    constexpr int L = kLanes<T>;
    Vec<LaneOf<T>> picked;
    for (int i = 0; i < L; ++i) picked[i] = LaneOf<T>(2 * (backwards ? L - 1 - i : i) + first);
    return __builtin_shuffle(a, b, picked);
}

// Items of two vectors by turns: the first half of both, or the second; from behind if asked.
template <class T>
[[gnu::always_inline]] inline Vec<T> by_turns(const Vec<T>& a, const Vec<T>& b, bool second, bool backwards = false) {
    constexpr int L = kLanes<T>;
    Vec<LaneOf<T>> picked;
    for (int i = 0; i < L; ++i) {
        const int at = i / 2 + (second ? L / 2 : 0);
        picked[i] = LaneOf<T>((backwards ? L - 1 - at : at) + i % 2 * L);
    }
    return __builtin_shuffle(a, b, picked);
}

// The same within each block.
template <class T>
[[gnu::always_inline]] inline Vec<T> blocks_by_turns(const Vec<T>& a, const Vec<T>& b, bool second) {
    constexpr int L = kLanes<T>, B = kBlock<T>;
    Vec<LaneOf<T>> picked;
    for (int i = 0; i < L; ++i) picked[i] = LaneOf<T>(i / B * B + i % B / 2 + (second ? B / 2 : 0) + i % 2 * L);
    return __builtin_shuffle(a, b, picked);
}

// Rows and columns exchanged in each block of as many vectors.
template <class T>
[[gnu::always_inline]] inline void turn_blocks(Vec<T>* v) {
    constexpr int B = kBlock<T>;
    for (int round = 1; round < B; round *= 2) {
        Vec<T> w[B];
#pragma GCC unroll 4
        for (int i = 0; i < B / 2; ++i) {
            w[2 * i] = blocks_by_turns<T>(v[i], v[i + B / 2], false);
            w[2 * i + 1] = blocks_by_turns<T>(v[i], v[i + B / 2], true);
        }
#pragma GCC unroll 4
        for (int i = 0; i < B; ++i) v[i] = w[i];
    }
}

// A vector of blocks that lie anywhere: rows[0], rows[kBlock], ...
template <class T>
[[gnu::always_inline]] inline Vec<T> gather_blocks(const T* const* rows, int64_t at) {
#if defined(__AVX512F__)
    constexpr int B = kBlock<T>;
    __m512 v = _mm512_castps128_ps512(_mm_loadu_ps(reinterpret_cast<const float*>(rows[0] + at)));
    v = _mm512_insertf32x4(v, _mm_loadu_ps(reinterpret_cast<const float*>(rows[B] + at)), 1);
    v = _mm512_insertf32x4(v, _mm_loadu_ps(reinterpret_cast<const float*>(rows[2 * B] + at)), 2);
    return Vec<T>(_mm512_insertf32x4(v, _mm_loadu_ps(reinterpret_cast<const float*>(rows[3 * B] + at)), 3));
#elif defined(__AVX2__)
    const __m256 v = _mm256_castps128_ps256(_mm_loadu_ps(reinterpret_cast<const float*>(rows[0] + at)));
    return Vec<T>(_mm256_insertf128_ps(v, _mm_loadu_ps(reinterpret_cast<const float*>(rows[kBlock<T>] + at)), 1));
#else
    return load<T>(rows[0] + at);
#endif
}

template <class T>
[[gnu::always_inline]] inline void scatter_blocks(T* const* rows, int64_t at, const Vec<T>& blocks) {
#if defined(__AVX512F__)
    constexpr int B = kBlock<T>;
    const __m512 v = __m512(blocks);
    _mm_storeu_ps(reinterpret_cast<float*>(rows[0] + at), _mm512_castps512_ps128(v));
    _mm_storeu_ps(reinterpret_cast<float*>(rows[B] + at), _mm512_extractf32x4_ps(v, 1));
    _mm_storeu_ps(reinterpret_cast<float*>(rows[2 * B] + at), _mm512_extractf32x4_ps(v, 2));
    _mm_storeu_ps(reinterpret_cast<float*>(rows[3 * B] + at), _mm512_extractf32x4_ps(v, 3));
#elif defined(__AVX2__)
    const __m256 v = __m256(blocks);
    _mm_storeu_ps(reinterpret_cast<float*>(rows[0] + at), _mm256_castps256_ps128(v));
    _mm_storeu_ps(reinterpret_cast<float*>(rows[kBlock<T>] + at), _mm256_extractf128_ps(v, 1));
#else
    store<T>(rows[0] + at, blocks);
#endif
}

// Up to a block of items, most often whole complex numbers.
template <class T>
[[gnu::always_inline]] inline void move_end(T* to, const T* from, int n) {
    if (n == kBlock<T>) {
        std::memcpy(to, from, 16);
    } else if (n == 2) {
        std::memcpy(to, from, 2 * sizeof(T));
    } else {
        for (int i = 0; i < n; ++i) to[i] = from[i];
    }
}

// n adjacent items of each row: item i of all rows becomes vector i ^ flip.
template <class T>
[[gnu::noinline]] void load_rows(const T* const* rows, int64_t n, Vec<T>* to, int flip) {
    constexpr int L = kLanes<T>, B = kBlock<T>;
    int64_t i = 0;
    for (; i + B <= n; i += B) {
        Vec<T> v[B];
#pragma GCC unroll 4
        for (int b = 0; b < B; ++b) v[b] = gather_blocks<T>(rows + b, i);
        turn_blocks<T>(v);
#pragma GCC unroll 4
        for (int b = 0; b < B; ++b) to[(i + b) ^ flip] = v[b];
    }
    if (i == n) return;
    T ends[L][B] = {};
    const T* starts[L];
    for (int l = 0; l < L; ++l) {
        starts[l] = ends[l];
        move_end<T>(ends[l], rows[l] + i, int(n - i));
    }
    Vec<T> v[B];
    for (int b = 0; b < B; ++b) v[b] = gather_blocks<T>(starts + b, 0);
    turn_blocks<T>(v);
    for (int b = 0; i + b < n; ++b) to[(i + b) ^ flip] = v[b];
}

// The reverse, of the first `count` rows.
template <class T>
[[gnu::noinline]] void store_rows(const Vec<T>* from, int64_t n, T* const* rows, int count, int flip, T scale) {
    constexpr int L = kLanes<T>, B = kBlock<T>;
    int64_t i = 0;
    if (count == L)
        for (; i + B <= n; i += B) {
            Vec<T> v[B];
#pragma GCC unroll 4
            for (int b = 0; b < B; ++b) v[b] = from[(i + b) ^ flip] * scale;
            turn_blocks<T>(v);
#pragma GCC unroll 4
            for (int b = 0; b < B; ++b) scatter_blocks<T>(rows + b, i, v[b]);
        }
    for (; i < n; i += B) {
        const int some = n - i < B ? int(n - i) : B;
        T blocks[L][B];
        T* starts[L];
        for (int l = 0; l < L; ++l) starts[l] = blocks[l];
        Vec<T> v[B];
        for (int b = 0; b < B; ++b) v[b] = b < some ? from[(i + b) ^ flip] * scale : Vec<T>{};
        turn_blocks<T>(v);
        for (int b = 0; b < B; ++b) scatter_blocks<T>(starts + b, 0, v[b]);
        for (int l = 0; l < count; ++l) move_end<T>(rows[l] + i, blocks[l], some);
    }
}

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

// Adjacent complex numbers as real and imaginary parts, and back; `count` of them.
template <class T>
[[gnu::always_inline]] inline void load_pairs(const T* from, int count, Vec<T>* to, int flip) {
    constexpr int L = kLanes<T>;
    const Vec<T> a = load_up_to<T>(from, 2 * count), b = load_up_to<T>(from + L, 2 * count - L);
    to[flip] = every_second<T>(a, b, 0);
    to[flip ^ 1] = every_second<T>(a, b, 1);
}

template <class T>
[[gnu::always_inline]] inline void store_pairs(const Vec<T>* from, int flip, T scale, T* to, int count) {
    constexpr int L = kLanes<T>;
    const Vec<T> re = from[flip] * scale, im = from[flip ^ 1] * scale;
    store_up_to<T>(to, by_turns<T>(re, im, false), 2 * count);
    store_up_to<T>(to + L, by_turns<T>(re, im, true), 2 * count - L);
}

}  // namespace lamina::LAMINA_ISA
