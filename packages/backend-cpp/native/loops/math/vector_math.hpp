// exp, log, tanh and the logistic function of float32 vectors, by polynomials, below 2 ulp with and without FMA.
#pragma once

#include "loops/math/tanh_pieces.hpp"
#include "loops/vectors/simd.hpp"

namespace lamina::LAMINA_ISA {

constexpr float kLn2High = 0.693359375f;      // 9 bits: its product with an exponent is exact
constexpr float kLn2Low = -2.12194440e-4f;    // ln 2 - kLn2High
constexpr float kRounding = 12582912.0f;      // 1.5 * 2**23: adding it rounds to an integer, kept in the low bits

inline F32 magnitude(const F32& x) { return bits_as<F32>(bits_as<I32>(x) & 0x7fffffff); }

inline F32 with_sign_of(const F32& size, const F32& x) {
    return bits_as<F32>(bits_as<I32>(size) | (bits_as<I32>(x) & int32_t(0x80000000)));
}

// Rightly rounded. A division or a root of 16 lanes takes as long as twenty other operations: from an estimate it is three times
// as quick, where all is ordinary (Markstein, Computation of elementary functions on the IBM RISC System/6000 processor, 1990).
inline F32 vsqrt(const F32& x) {
#if defined(__AVX512F__)
    if (any_lane(~((x > 1e-30f) & (x < 1e37f)))) return F32(_mm512_sqrt_ps(__m512(x)));
    const __m512 of(x), r = _mm512_rsqrt14_ps(of);
    __m512 y = _mm512_mul_ps(of, r), half = _mm512_mul_ps(__m512(every(0.5f)), r);  // fused steps, whatever made x
    const __m512 rest = _mm512_fnmadd_ps(half, y, __m512(every(0.5f)));
    y = _mm512_fmadd_ps(y, rest, y);
    half = _mm512_fmadd_ps(half, rest, half);
    return F32(_mm512_fmadd_ps(half, _mm512_fnmadd_ps(y, y, of), y));
#elif defined(__AVX2__)
    return F32(_mm256_sqrt_ps(__m256(x)));
#else
    F32 y;
    for (int i = 0; i < kLanes<float>; ++i) y[i] = __builtin_sqrtf(x[i]);
    return y;
#endif
}

// a / b to an ulp, where b and 1 / b are ordinary numbers.
inline F32 quotient(const F32& a, const F32& b) {
#if defined(__AVX512F__)
    const __m512 of(b), one = _mm512_set1_ps(1.0f);
    __m512 r = _mm512_rcp14_ps(of);
    r = _mm512_fmadd_ps(r, _mm512_fnmadd_ps(of, r, one), r);
    return a * F32(_mm512_fmadd_ps(r, _mm512_fnmadd_ps(of, r, one), r));
#else
    return a / b;
#endif
}

// The lesser or the greater of the two; NaN stays.
inline F32 at_most(const F32& x, float most) {
#if defined(__AVX512F__)
    return F32(_mm512_min_ps(__m512(every(most)), __m512(x)));
#elif defined(__AVX2__)
    return F32(_mm256_min_ps(__m256(every(most)), __m256(x)));
#else
    return choose(x > most, every(most), x);
#endif
}

inline F32 at_least(const F32& x, float least) {
#if defined(__AVX512F__)
    return F32(_mm512_max_ps(__m512(every(least)), __m512(x)));
#elif defined(__AVX2__)
    return F32(_mm256_max_ps(__m256(every(least)), __m256(x)));
#else
    return choose(x < least, every(least), x);
#endif
}

// exp(r) for |r| <= ln(2) / 2.
inline F32 exp_of_rest(const F32& r) {
    F32 p = every(1.3813145e-3f);
    p = p * r + 8.369419e-3f;
    p = p * r + 4.1668456e-2f;
    p = p * r + 1.6666515e-1f;
    p = p * r + 4.9999994e-1f;
    return p * (r * r) + r + 1.0f;
}

// exp(x) = 2**n * exp(r): the latter, and n as the low bits of what it was rounded by.
inline F32 reduced_exp(const F32& x, F32& shifted) {
    shifted = x * 1.44269504f + kRounding;
    const F32 whole = shifted - kRounding;
    F32 r = x - whole * kLn2High;
    r = r - whole * kLn2Low;
    return exp_of_rest(r);
}

inline U32 low_bits(const F32& shifted) { return bits_as<U32>(shifted) - 0x4b400000u; }

inline F32 power_of_two(const U32& n) { return bits_as<F32>((n + 127) << 23); }

// exp(x) for -87 <= x <= 88, where it is an ordinary number; NaN passes.
inline F32 ordinary_exp(const F32& x) {
    F32 shifted;
    const F32 p = reduced_exp(x, shifted);
#if defined(__AVX512F__)
    return F32(_mm512_scalef_ps(__m512(p), __m512(shifted - kRounding)));
#else
    return p * power_of_two(low_bits(shifted));
#endif
}

// exp(x) * 2**more. Subnormals and overflow come out right: without an instruction for it, the scale is applied in two halves. What is
// 0, as of a mask's -infinity, is not computed: a product too small to be a number takes a hundred times as long as others.
inline F32 vexp(F32 x, int32_t more = 0) {
    F32 shifted;
#if defined(__AVX512F__)
    const __mmask16 some = _mm512_cmp_ps_mask(__m512(x), _mm512_set1_ps(-104.0f), _CMP_NLT_UQ);
    const F32 p = reduced_exp(F32(_mm512_maskz_min_ps(some, _mm512_set1_ps(90.0f), __m512(x))), shifted);  // NaN passes
    return F32(_mm512_maskz_scalef_ps(some, __m512(p), __m512(shifted - (kRounding - float(more)))));
#else
    if (more == 0 && !any_lane(~(magnitude(x) <= 87.0f))) return ordinary_exp(x);
    const I32 gone = x < -104.0f;
    const F32 p = reduced_exp(choose(gone, F32{}, at_most(x, 90.0f)), shifted);  // beyond, the result is the same; NaN passes
    const I32 exponent = I32(low_bits(shifted)) + more, half = exponent >> 1;
    return choose(gone, F32{}, p * power_of_two(U32(half)) * power_of_two(U32(exponent - half)));
#endif
}

// x = 2**n * (1 + f), sqrt(1/2) <= 1 + f < sqrt(2), for positive x that is not subnormal.
inline I32 split_ordinary(const F32& x, F32& f) {
    const I32 moved = I32(bits_as<U32>(x) - 0x3f3504f3u);  // the bits of sqrt(1/2)
    f = bits_as<F32>((moved & 0x7fffff) + 0x3f3504f3) - 1.0f;
    return moved >> 23;
}

// The same of any positive x.
inline F32 split_log(const F32& x, F32& f) {
    const I32 tiny = x < 1.17549435e-38f;  // also 0 and the negative numbers, put right at the end
    const I32 n = split_ordinary(choose(tiny, x * 8388608.0f, x), f);
    return __builtin_convertvector(n - (tiny & 23), F32);
}

// log(1 + f) = f - f**2 / 2 + this.
inline F32 cubic_log1p(const F32& f) {
    F32 p = every(-7.634493e-2f);
    p = p * f + 1.2761575e-1f;
    p = p * f - 1.3160183e-1f;
    p = p * f + 1.4201759e-1f;
    p = p * f - 1.6623357e-1f;
    p = p * f + 2.0001227e-1f;
    p = p * f - 2.500082e-1f;
    p = p * f + 3.333333e-1f;
    return f * f * f * p;
}

// y, the logarithm of an ordinary x; what it is of 0, infinity, NaN and the negative numbers, of either width.
template <class V>
inline V log_at_edges(const V& x, V y) {
    using T = decltype(x[0] + 0);
    const V zero = {}, infinity = zero + T(__builtin_inf());
    y = choose(x == infinity, infinity, y);
    y = choose(x == zero, -infinity, y);
    y = choose(x < zero, zero + T(__builtin_nan("")), y);
    return choose(x != x, x, y);
}

// A logarithm as of(n, f); what lies at the edges costs something only where there is some of it.
template <class F>
inline F32 logarithm_by(const F32& x, const F& of) {
    F32 f;
    if (!any_lane(I32(bits_as<U32>(x) - 0x00800000u >= 0x7f000000u))) {
        const F32 n = __builtin_convertvector(split_ordinary(x, f), F32);
        return of(n, f);
    }
    const F32 n = split_log(x, f);
    return log_at_edges(x, of(n, f));
}

// log(x) = n ln 2 + log(1 + f).
inline F32 vlog(const F32& x) {
    return logarithm_by(x, [](const F32& n, const F32& f) {
        const F32 y = cubic_log1p(f) + n * kLn2Low - 0.5f * (f * f);
        return (f + y) + n * kLn2High;
    });
}

#if defined(__AVX512F__)

// The item of a table of 32 for each lane, by the last five bits of its index.
inline F32 looked_up(const float* table, const I32& index) {
    return F32(_mm512_permutex2var_ps(_mm512_load_ps(table), __m512i(index), _mm512_load_ps(table + 16)));
}

inline F32 vtanh(const F32& x) {
    alignas(64) static constexpr TanhPieces kTanh = tanh_pieces();
    const F32 size = at_most(magnitude(x), TanhPieces::kEnd);  // NaN passes
    const I32 piece = I32(_mm512_max_epi32(__m512i((bits_as<I32>(size) >> 21) - TanhPieces::kBelowFirst), _mm512_setzero_si512()));
    const F32 rest = size - looked_up(kTanh.centre, piece);
    F32 y = looked_up(kTanh.term[TanhPieces::kDegree], piece);
    for (int k = TanhPieces::kDegree - 1; k >= 0; --k) y = y * rest + looked_up(kTanh.term[k], piece);
    return with_sign_of(y, x);  // also that of -0
}

#else

// x + x**3 P(x**2) near 0, elsewhere 1 - 2 / (exp(2 |x|) + 1) with the sign of x.
inline F32 vtanh(const F32& x) {
    const F32 size = magnitude(x), z = x * x;
    F32 p = every(-5.5151633e-3f);
    p = p * z + 2.046942e-2f;
    p = p * z - 5.3688023e-2f;
    p = p * z + 1.333083e-1f;
    p = p * z - 3.333326e-1f;
    const F32 near = x + x * (z * p);
    const F32 far = 1.0f - quotient(every(2.0f), ordinary_exp(at_most(size + size, 80.0f)) + 1.0f);
    return with_sign_of(choose(size < 0.625f, near, far), x);  // also that of -0
}

#endif

// 1 / (1 + exp(-x)); where that overflows, exp(x), which it then is.
inline F32 vsigmoid(const F32& x) {
    const F32 y = quotient(every(1.0f), 1.0f + ordinary_exp(at_least(at_most(-x, 87.0f), -87.0f)));
    const I32 far = x < -87.0f;
    return any_lane(far) ? choose(far, vexp(x), y) : y;
}

}  // namespace lamina::LAMINA_ISA
