// Floating point to integers. Where the value does not fit C++ leaves it undefined; here it is what x86 gives.
#pragma once

#include <type_traits>

#include "loops/vectors/simd.hpp"

namespace lamina::LAMINA_ISA {

template <class I, class F>
inline I truncated(F x) {
    if constexpr (std::is_same_v<I, uint64_t>) {
        constexpr F kHalf = F(9223372036854775808.0);
        const uint64_t high = x < 2 * kHalf ? uint64_t(truncated<int64_t>(x - kHalf)) ^ (uint64_t(1) << 63) : uint64_t(1) << 63;
        return x >= kHalf ? high : uint64_t(truncated<int64_t>(x));
    } else if constexpr (std::is_same_v<I, int64_t> || std::is_same_v<I, uint32_t>) {
        const bool fits = x >= F(-9223372036854775808.0) && x < F(9223372036854775808.0);
        return I(fits ? int64_t(x) : INT64_MIN);
    } else {
        const bool fits = x > F(-2147483649.0) && x < F(2147483648.0);
        return I(fits ? int32_t(x) : INT32_MIN);
    }
}

// Adjacent items, with the processor's own instruction where it has vectors for it.
inline void truncate(int32_t* out, const float* x, int64_t n) {
    int64_t i = 0;
#if defined(__AVX512F__)
    for (; i + 16 <= n; i += 16) _mm512_storeu_si512(out + i, _mm512_cvttps_epi32(_mm512_loadu_ps(x + i)));
#elif defined(__AVX2__)
    for (; i + 8 <= n; i += 8) _mm256_storeu_si256((__m256i*)(out + i), _mm256_cvttps_epi32(_mm256_loadu_ps(x + i)));
#endif
    for (; i < n; ++i) out[i] = truncated<int32_t>(x[i]);
}

inline void truncate(int32_t* out, const double* x, int64_t n) {
    int64_t i = 0;
#if defined(__AVX512F__)
    for (; i + 8 <= n; i += 8) _mm256_storeu_si256((__m256i*)(out + i), _mm512_cvttpd_epi32(_mm512_loadu_pd(x + i)));
#elif defined(__AVX2__)
    for (; i + 4 <= n; i += 4) _mm_storeu_si128((__m128i*)(out + i), _mm256_cvttpd_epi32(_mm256_loadu_pd(x + i)));
#endif
    for (; i < n; ++i) out[i] = truncated<int32_t>(x[i]);
}

// Whether all of some adjacent items fit into 32 bits.
template <class F>
inline bool fit_32_bits(const F* x, int64_t n) {
    const Vec<F> bound = every(F(2147483648.0));
    auto fit = bound == bound;
    int64_t i = 0;
    for (; i + kLanes<F> <= n; i += kLanes<F>) fit &= (load(x + i) < bound) & (load(x + i) > -bound);
    bool rest = true;
    for (; i < n; ++i) rest &= x[i] < bound[0] && x[i] > -bound[0];
    return rest && !any_lane(~fit);
}

constexpr int64_t kTruncatedAtOnce = 512;

// By way of 32 bits: integers of no more always; those of 64 bits where all fit, which most do, as AVX-512 is the first to make vectors of
// 64-bit integers from floats.
template <class I, class F>
inline void truncate_through_32_bits(I* out, const F* x, int64_t n) {
    if constexpr (std::is_same_v<I, int32_t>) return truncate(out, x, n);
    int32_t numbers[kTruncatedAtOnce];
    for (int64_t at = 0; at < n; at += kTruncatedAtOnce) {
        const int64_t some = n - at < kTruncatedAtOnce ? n - at : kTruncatedAtOnce;
        if (sizeof(I) > 4 && !fit_32_bits(x + at, some)) {
            for (int64_t i = at; i < at + some; ++i) out[i] = truncated<I>(x[i]);
            continue;
        }
        truncate(numbers, x + at, some);
        for (int64_t i = 0; i < some; ++i) out[at + i] = I(numbers[i]);
    }
}

}  // namespace lamina::LAMINA_ISA
