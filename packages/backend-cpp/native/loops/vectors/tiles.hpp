// Tiles of as many vectors as they have lanes, in registers, whose rows and columns are exchanged.
//
// A tile is turned within blocks of 16 bytes, then block by block: both are single instructions, without places in a register.
#pragma once

#include "loops/vectors/simd.hpp"

namespace lamina::LAMINA_ISA {

template <class T>
constexpr int kBlock = 16 / int(sizeof(T));  // items

// Items of two vectors by turns, within each block.
template <class T>
[[gnu::always_inline]] inline Vec<T> blocks_by_turns(const Vec<T>& a, const Vec<T>& b, bool second) {
    constexpr int L = kLanes<T>, B = kBlock<T>;
    Lanes<T> picked;
    for (int i = 0; i < L; ++i) picked[i] = Lane<T>(i / B * B + i % B / 2 + (second ? B / 2 : 0) + i % 2 * L);
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

// Every second block of two vectors, from `first` on.
template <class T>
[[gnu::always_inline]] inline Vec<T> every_second_block(const Vec<T>& a, const Vec<T>& b, int first) {
    constexpr int B = kBlock<T>;
    Lanes<T> picked;
    for (int i = 0; i < kLanes<T>; ++i) picked[i] = Lane<T>((2 * (i / B) + first) * B + i % B);
    return __builtin_shuffle(a, b, picked);
}

// Rows and columns exchanged in as many vectors as they have lanes.
template <class T>
[[gnu::always_inline]] inline void turn_tile(Vec<T>* v) {
    constexpr int L = kLanes<T>, B = kBlock<T>;
#pragma GCC unroll 8
    for (int first = 0; first < L; first += B) turn_blocks<T>(v + first);
#pragma GCC unroll 4
    for (int apart = B; apart < L; apart *= 2) {
        Vec<T> w[L];
#pragma GCC unroll 16
        for (int i = 0; i < L; ++i) w[i] = v[i];
#pragma GCC unroll 16
        for (int i = 0; i < L; ++i) {
            if (i & apart) continue;
            v[i] = every_second_block<T>(w[i], w[i + apart], 0);
            v[i + apart] = every_second_block<T>(w[i], w[i + apart], 1);
        }
    }
}

// Every second item of two vectors, from `first` on; backwards if asked.
template <class T>
[[gnu::always_inline]] inline Vec<T> every_second(const Vec<T>& a, const Vec<T>& b, int first, bool backwards = false) {
    constexpr int L = kLanes<T>;
    Lanes<T> picked;
    for (int i = 0; i < L; ++i) picked[i] = Lane<T>(2 * (backwards ? L - 1 - i : i) + first);
    return __builtin_shuffle(a, b, picked);
}

// Items of two vectors by turns: the first half of both, or the second; from behind if asked.
template <class T>
[[gnu::always_inline]] inline Vec<T> by_turns(const Vec<T>& a, const Vec<T>& b, bool second, bool backwards = false) {
    constexpr int L = kLanes<T>;
    Lanes<T> picked;
    for (int i = 0; i < L; ++i) {
        const int at = i / 2 + (second ? L / 2 : 0);
        picked[i] = Lane<T>((backwards ? L - 1 - at : at) + i % 2 * L);
    }
    return __builtin_shuffle(a, b, picked);
}

}  // namespace lamina::LAMINA_ISA
