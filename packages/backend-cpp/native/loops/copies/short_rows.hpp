// Rows of few bytes, which a call of the C library's for each would copy more slowly.
#pragma once

#include <cstring>

#include "loops/vectors/simd.hpp"

namespace lamina::LAMINA_ISA {

// Two pieces of N bytes, the second over the first.
template <int N>
inline void copy_ends(char* to, const char* from, int64_t bytes) {
    char first[N], last[N];
    std::memcpy(first, from, N);
    std::memcpy(last, from + bytes - N, N);
    std::memcpy(to, first, N);
    std::memcpy(to + bytes - N, last, N);
}

// Whole vectors, the last of them over the one in front of it; fewer bytes as two ends.
inline void copy_bytes(char* to, const char* from, int64_t bytes) {
    constexpr int V = kVectorBytes;
    if (bytes >= V) {
        for (int64_t i = 0; i + V < bytes; i += V) store<char>(to + i, load(from + i));
        return store<char>(to + bytes - V, load(from + bytes - V));
    }
    if (V > 32 && bytes >= 32) return copy_ends<32>(to, from, bytes);
    if (V > 16 && bytes >= 16) return copy_ends<16>(to, from, bytes);
    if (bytes >= 8) return copy_ends<8>(to, from, bytes);
    if (bytes >= 4) return copy_ends<4>(to, from, bytes);
    for (int64_t i = 0; i < bytes; ++i) to[i] = from[i];
}

}  // namespace lamina::LAMINA_ISA
