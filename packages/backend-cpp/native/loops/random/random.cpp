// The words of mt19937 and the transforms of the reference, bit by bit: each fused multiply-add of it is one here, and no other is.
#include "loops/vectors/unfused.hpp"  // before all else

#include <cmath>

#include "loops/math/vector_math.hpp"
#include "loops/tables.hpp"
#include "loops/vectors/multiply_add.hpp"

namespace lamina::LAMINA_ISA {

// -- words ------------------------------------------------------------------------------------------------------------

constexpr int kWords = 624, kShift = 397;

inline uint32_t twisted(uint32_t far, uint32_t own, uint32_t next) {
    const uint32_t y = (own & 0x80000000u) | (next & 0x7fffffffu);
    return far ^ (y >> 1) ^ ((0u - (y & 1)) & 0x9908b0dfu);
}

void twist(uint32_t* key) {
    // In three stretches, within each of which no word depends on one that is new.
    for (int i = 0; i < kWords - kShift; ++i) key[i] = twisted(key[i + kShift], key[i], key[i + 1]);
#pragma GCC ivdep
    for (int i = kWords - kShift; i < 2 * (kWords - kShift); ++i) key[i] = twisted(key[i - (kWords - kShift)], key[i], key[i + 1]);
#pragma GCC ivdep
    for (int i = 2 * (kWords - kShift); i < kWords - 1; ++i) key[i] = twisted(key[i - (kWords - kShift)], key[i], key[i + 1]);
    key[kWords - 1] = twisted(key[kShift - 1], key[kWords - 1], key[0]);
}

void temper(const uint32_t* key, uint32_t* words, int64_t n) {
#pragma GCC ivdep
    for (int64_t i = 0; i < n; ++i) {
        uint32_t y = key[i];
        y ^= y >> 11;
        y ^= y << 7 & 0x9d2c5680u;
        y ^= y << 15 & 0xefc60000u;
        words[i] = y ^ y >> 18;
    }
}

// -- uniform ----------------------------------------------------------------------------------------------------------

inline float unit(uint32_t word) { return float(int32_t(word & 0xffffffu)) * 0x1p-24f; }

inline double unit(uint32_t high, uint32_t low) {
    const uint64_t word = (uint64_t(high) << 32 | low) & ((uint64_t(1) << 53) - 1);
    return double(int64_t(word)) * 0x1p-53;
}

// scale * x + shift, rounded once.
void affine(float* x, int64_t n, float scale, float shift) {
    if (shift == 0.0f && scale == 1.0f) return;
    if (shift == 0.0f)
        for (int64_t i = 0; i < n; ++i) x[i] = x[i] * scale;
    else
        for (int64_t i = 0; i < n; ++i) x[i] = __builtin_fmaf(x[i], scale, shift);
}
void affine(double* x, int64_t n, double scale, double shift) {
    if (shift == 0.0 && scale == 1.0) return;
    if (shift == 0.0)
        for (int64_t i = 0; i < n; ++i) x[i] = x[i] * scale;
    else
        for (int64_t i = 0; i < n; ++i) x[i] = __builtin_fma(x[i], scale, shift);
}

void uniform32(float* out, const uint32_t* words, int64_t n, float scale, float shift) {
#pragma GCC ivdep
    for (int64_t i = 0; i < n; ++i) out[i] = unit(words[i]);
    affine(out, n, scale, shift);
}

void uniform64(double* out, const uint32_t* words, int64_t n, double scale, double shift) {
    for (int64_t i = 0; i < n; ++i) out[i] = unit(words[2 * i], words[2 * i + 1]);
    affine(out, n, scale, shift);
}

void below(uint8_t* out, const uint32_t* words, int64_t n, double probability) {
    // unit(w) < p where the 53 bits are below p * 2**53, which is exact.
    const double bound = std::ceil(probability * 0x1p53);
    const uint64_t limit = uint64_t(bound);
    for (int64_t i = 0; i < n; ++i) {
        const uint64_t word = (uint64_t(words[2 * i]) << 32 | words[2 * i + 1]) & ((uint64_t(1) << 53) - 1);
        out[i] = uint8_t(word < limit);
    }
}

// -- normal: Box and Muller's transform in float32, with the functions of Moshier's Cephes ------------------------------

template <int N>
inline F32 horner(const F32& x, const float (&c)[N]) {
    F32 value = every(c[0]);
    for (int i = 1; i < N; ++i) value = multiply_add(value, x, every(c[i]));
    return value;
}

inline F32 cephes_log(const F32& x) {
    static constexpr float c[] = {7.0376836292e-2f, -1.1514610310e-1f, 1.1676998740e-1f, -1.2420140846e-1f, 1.4249322787e-1f,
                                  -1.6668057665e-1f, 2.0000714765e-1f, -2.4999993993e-1f, 3.3333331174e-1f};
    const I32 bits = bits_as<I32>(x);
    const F32 mantissa = bits_as<F32>((bits & 0x007fffff) | 0x3f000000);
    const I32 small = mantissa < 0.707106781186547524f;
    const F32 power = __builtin_convertvector((bits >> 23) - 126 + small, F32);
    const F32 m = (mantissa + choose(small, mantissa, every(0.0f))) - 1.0f;
    const F32 square = m * m;
    F32 value = horner(m, c) * m;
    value = multiply_add(value, square, power * -2.12194440e-4f);
    value = multiply_add(every(-0.5f), square, value);
    return multiply_add(power, every(0.693359375f), m + value);
}

inline void cephes_sine_cosine(const F32& x, F32& sine, F32& cosine) {
    static constexpr float s[] = {-1.9515295891e-4f, 8.3321608736e-3f, -1.6666654611e-1f};
    static constexpr float c[] = {2.443315711809948e-5f, -1.388731625493765e-3f, 4.166664568298827e-2f};
    const I32 octant = (__builtin_convertvector(x * 1.27323954473516f, I32) + 1) & ~1;
    const F32 turns = __builtin_convertvector(octant, F32);
    F32 angle = multiply_add(turns, every(-0.78515625f), x);
    angle = multiply_add(turns, every(-2.4187564849853515625e-4f), angle);
    angle = multiply_add(turns, every(-3.77489497744594108e-8f), angle);
    const F32 square = angle * angle;
    F32 y = horner(square, c) * square;
    y = multiply_add(y, square, -0.5f * square) + 1.0f;
    F32 z = horner(square, s) * square;
    z = multiply_add(z, angle, angle);
    const I32 swapped = -((octant & 2) >> 1);
    const U32 flip_sine = bits_as<U32>(octant & 4) << 29, flip_cosine = bits_as<U32>((octant + 2) & 4) << 29;
    sine = bits_as<F32>(bits_as<U32>(choose(swapped, y, z)) ^ flip_sine);
    cosine = bits_as<F32>(bits_as<U32>(choose(swapped, z, y)) ^ flip_cosine);
}

// Number i and number i + 8 of every 16 make a pair.
void normal32(float* out, const uint32_t* words, int64_t n, float scale, float shift) {
    constexpr int L = kLanes<float>, kPairs = 64;
    for (int64_t at = 0; at < n; at += 2 * kPairs) {
        const int64_t some = (n - at < 2 * kPairs ? n - at : 2 * kPairs) / 2;  // a multiple of 8
        float first[kPairs + L], angle[kPairs + L], cosines[kPairs + L], sines[kPairs + L];
        for (int64_t i = 0; i < some; ++i) {
            const int64_t word = at + (i / 8) * 16 + i % 8;
            first[i] = 1.0f - unit(words[word]);
            angle[i] = 6.283185307179586f * unit(words[word + 8]);
        }
        for (int64_t i = some; i < some + L; ++i) first[i] = angle[i] = 1.0f;
        for (int64_t i = 0; i < some; i += L) {
            F32 sine, cosine;
            const F32 radius = vsqrt(-2.0f * cephes_log(load(first + i)));
            cephes_sine_cosine(load(angle + i), sine, cosine);
            store<float>(cosines + i, radius * cosine);
            store<float>(sines + i, radius * sine);
        }
        affine(cosines, some, scale, shift);
        affine(sines, some, scale, shift);
        for (int64_t i = 0; i < some; i += 8) {
            std::memcpy(out + at + 2 * i, cosines + i, 8 * sizeof(float));
            std::memcpy(out + at + 2 * i + 8, sines + i, 8 * sizeof(float));
        }
    }
}

// -- dropout ----------------------------------------------------------------------------------------------------------

template <class T, class Int>
void dropped(char* to, const char* from, const uint8_t* bits, int64_t n, double factor) {
    constexpr int L = kLanes<T>, kSome = 16;
    T* out = reinterpret_cast<T*>(to);
    const T* x = reinterpret_cast<const T*>(from);
    const Vec<Int> whole = bits_as<Vec<Int>>(every(T(factor)));
    Vec<Int> lane;
    for (int i = 0; i < L; ++i) lane[i] = Int(1) << i;
    int64_t i = 0;
    for (; i + kSome <= n; i += kSome) {
        const int word = bits[i / 8] | bits[i / 8 + 1] << 8;
        for (int k = 0; k < kSome; k += L) {
            const Vec<Int> chosen = (every(Int(word >> k)) & lane) != 0;
            store<T>(out + i + k, load(x + i + k) * bits_as<Vec<T>>(chosen & whole));
        }
    }
    for (; i < n; ++i) out[i] = x[i] * ((bits[i / 8] >> i % 8 & 1) != 0 ? T(factor) : T(0));
}

extern const RandomLoops random_loops = {twist, temper, uniform32, uniform64, normal32, below, {dropped<float, int32_t>, dropped<double, int64_t>}};

}  // namespace lamina::LAMINA_ISA
