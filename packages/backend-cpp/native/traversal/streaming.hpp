// Writing past the caches what is too large to stay in them: memory is not read first, as it is for ordinary stores.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace lamina {

constexpr int64_t kLine = 64;  // bytes of a cache line

// Whether so many bytes are better written past the caches, of which the last seldom gives a core more than 32 MiB.
inline bool beyond_caches(int64_t bytes) {
#if defined(__x86_64__)
    return bytes >= int64_t(32) << 20;
#else
    return false;
#endif
}

// Copies; whole lines go past the caches, and `meanwhile` is called for each with the bytes in front of it. Nobody else may count
// on them before `settle`.
template <class F>
inline void stream(char* to, const char* from, int64_t bytes, const F& meanwhile) {
#if defined(__x86_64__)
    const int64_t front = std::min(bytes, int64_t(-reinterpret_cast<uintptr_t>(to) % kLine));
    std::memcpy(to, from, size_t(front));
    int64_t at = front;
    for (; at + kLine <= bytes; at += kLine) {
        for (int64_t i = at; i < at + kLine; i += 16)
            _mm_stream_si128(reinterpret_cast<__m128i*>(to + i), _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i)));
        meanwhile(at);
    }
    std::memcpy(to + at, from + at, size_t(bytes - at));
#else
    std::memcpy(to, from, size_t(bytes));
#endif
}

inline void settle() {
#if defined(__x86_64__)
    _mm_sfence();
#endif
}

}  // namespace lamina
