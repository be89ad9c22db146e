// float16 and bfloat16 to float32 and back, a vector at a time.
#include "loops/copies/half_bits.hpp"
#include "loops/tables.hpp"
#include "loops/vectors/simd.hpp"

namespace lamina::LAMINA_ISA {

inline uint16_t to_half(float x) {
    const uint32_t word = bits_as<uint32_t>(x), sign = word >> 16 & 0x8000, size = word & 0x7fffffff;
    if (size > 0x7f800000) return uint16_t(sign | 0x7e00);
    if (size >= 0x477ff000) return uint16_t(sign | 0x7c00);
    if (size < 0x38800000)  // subnormal: the sum with 1/2 rounds to its quantum
        return uint16_t(sign | (bits_as<uint32_t>(bits_as<float>(size) + 0.5f) - 0x3f000000));
    return uint16_t(sign | ((size - 0x38000000 + 0xfff + (size >> 13 & 1)) >> 13));
}

inline uint16_t number_to_brain(float x) {
    const uint32_t word = bits_as<uint32_t>(x);
    return uint16_t((word + 0x7fff + (word >> 16 & 1)) >> 16);
}

inline uint16_t to_brain(float x) {
    const uint32_t word = bits_as<uint32_t>(x);
    return (word & 0x7fffffff) > 0x7f800000 ? uint16_t((word >> 16 & 0x8000) | 0x7fc0) : number_to_brain(x);
}

inline bool any_nan(const float* x, int64_t n) {
    auto nan = Vec<float>{} != Vec<float>{};
    int64_t i = 0;
    for (; i + kLanes<float> <= n; i += kLanes<float>) nan |= load(x + i) != load(x + i);
    bool rest = false;
    for (; i < n; ++i) rest |= x[i] != x[i];
    return rest || any_lane(nan);
}

void widen_half(float* to, const char* bytes, int64_t stride, int64_t n) {
    const uint16_t* from = reinterpret_cast<const uint16_t*>(bytes);
    int64_t i = 0;
    if (stride == 1) {
#if defined(__AVX512F__)
        for (; i + 16 <= n; i += 16) _mm512_storeu_ps(to + i, _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i*)(from + i))));
#elif defined(__AVX2__)
        for (; i + 8 <= n; i += 8) _mm256_storeu_ps(to + i, _mm256_cvtph_ps(_mm_loadu_si128((const __m128i*)(from + i))));
#endif
    }
    for (; i < n; ++i) to[i] = from_half(from[i * stride]);
}

void narrow_half(char* bytes, int64_t stride, const float* from, int64_t n) {
    uint16_t* to = reinterpret_cast<uint16_t*>(bytes);
    int64_t i = 0;
    if (stride == 1) {
#if defined(__AVX512F__)
        for (; i + 16 <= n; i += 16) _mm256_storeu_si256((__m256i*)(to + i), _mm512_cvtps_ph(_mm512_loadu_ps(from + i), 0));
#elif defined(__AVX2__)
        for (; i + 8 <= n; i += 8) _mm_storeu_si128((__m128i*)(to + i), _mm256_cvtps_ph(_mm256_loadu_ps(from + i), 0));
#endif
    }
    for (; i < n; ++i) to[i * stride] = to_half(from[i]);
}

void widen_brain(float* to, const char* bytes, int64_t stride, int64_t n) {
    const uint16_t* from = reinterpret_cast<const uint16_t*>(bytes);
    uint32_t* words = reinterpret_cast<uint32_t*>(to);
    if (stride == 1)
        for (int64_t i = 0; i < n; ++i) words[i] = uint32_t(from[i]) << 16;
    else
        for (int64_t i = 0; i < n; ++i) words[i] = uint32_t(from[i * stride]) << 16;
}

void narrow_brain(char* bytes, int64_t stride, const float* from, int64_t n) {
    uint16_t* to = reinterpret_cast<uint16_t*>(bytes);
    constexpr int64_t kBlock = 512;  // whose NaNs are looked for at once
    for (int64_t at = 0; stride == 1 && at < n; at += kBlock) {
        const int64_t end = n - at < kBlock ? n : at + kBlock;
        if (any_nan(from + at, end - at))
            for (int64_t i = at; i < end; ++i) to[i] = to_brain(from[i]);
        else
            for (int64_t i = at; i < end; ++i) to[i] = number_to_brain(from[i]);
    }
    for (int64_t i = 0; stride != 1 && i < n; ++i) to[i * stride] = to_brain(from[i]);
}

void interleave(char* to, int64_t step, const char* first, const char* second, int64_t n) {
    const uint16_t *low = reinterpret_cast<const uint16_t*>(first), *high = reinterpret_cast<const uint16_t*>(second);
    for (; n >= kAmxPanel; n -= kAmxPanel, to += step, low += kAmxPanel, high += kAmxPanel)
        for (int64_t i = 0; i < kAmxPanel; ++i) reinterpret_cast<uint32_t*>(to)[i] = low[i] | uint32_t(high[i]) << 16;
    for (int64_t i = 0; i < n; ++i) reinterpret_cast<uint32_t*>(to)[i] = low[i] | uint32_t(high[i]) << 16;
}

extern const Narrows narrows = {{widen_half, widen_brain}, {narrow_half, narrow_brain}, interleave};

}  // namespace lamina::LAMINA_ISA
