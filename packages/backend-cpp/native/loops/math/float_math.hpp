// Elementary functions of float32 vectors that have a shorter way than through float64; within 2 ulp.
#pragma once

#include "loops/math/double_math.hpp"
#include "loops/math/vector_math.hpp"
#include "loops/vectors/multiply_add.hpp"

namespace lamina::LAMINA_ISA {

typedef float HalfF32 __attribute__((vector_size(kVectorBytes / 2)));
typedef uint32_t HalfU32 __attribute__((vector_size(kVectorBytes / 2)));

// The lower or upper lanes in float64.
inline F64 widened(const F32& x, int half) {
#if defined(__AVX512F__)
    return F64(_mm512_cvtps_pd(half == 0 ? _mm512_castps512_ps256(__m512(x)) : _mm512_extractf32x8_ps(__m512(x), 1)));
#elif defined(__AVX2__)
    return F64(_mm256_cvtps_pd(half == 0 ? _mm256_castps256_ps128(__m256(x)) : _mm256_extractf128_ps(__m256(x), 1)));
#else
    HalfF32 part;
    std::memcpy(&part, reinterpret_cast<const char*>(&x) + half * int(sizeof part), sizeof part);
    return __builtin_convertvector(part, F64);
#endif
}

inline F32 narrowed(const F64& low, const F64& high) {
#if defined(__AVX512F__)
    return F32(_mm512_insertf32x8(_mm512_castps256_ps512(_mm512_cvtpd_ps(__m512d(low))), _mm512_cvtpd_ps(__m512d(high)), 1));
#elif defined(__AVX2__)
    return F32(_mm256_set_m128(_mm256_cvtpd_ps(__m256d(high)), _mm256_cvtpd_ps(__m256d(low))));
#else
    const HalfF32 parts[] = {__builtin_convertvector(low, HalfF32), __builtin_convertvector(high, HalfF32)};
    F32 x;
    std::memcpy(&x, parts, sizeof x);
    return x;
#endif
}

template <int N>
inline F32 polynomial(const F32& x, const float (&c)[N]) {
    F32 p = every(c[0]);
    for (int i = 1; i < N; ++i) p = p * x + c[i];
    return p;
}

// 2**x = 2**n * 2**r, |r| <= 1/2.
inline F32 vexp2(F32 x) {
    static constexpr float c[] = {1.545336197e-4f, 1.339109325e-3f, 9.618082183e-3f, 5.550356682e-2f, 2.402265076e-1f, 6.931471881e-1f};
    x = choose(x > 130.0f, every(130.0f), x);
    x = choose(x < -152.0f, every(-152.0f), x);
    const F32 shifted = x + kRounding, r = x - (shifted - kRounding);
    const I32 n = I32(bits_as<U32>(shifted) - 0x4b400000u), half = n >> 1;
    return (1.0f + r * polynomial(r, c)) * bits_as<F32>(U32(half + 127) << 23) * bits_as<F32>(U32(n - half + 127) << 23);
}

// expm1(x) = 2**n * expm1(r) + (2**n - 1).
inline F32 vexpm1(const F32& given) {
    F32 x = choose(given > 88.0f, every(88.0f), given);
    x = choose(x < -20.0f, every(-20.0f), x);
    const F32 shifted = x * 1.44269504f + kRounding, n = shifted - kRounding;
    F32 r = x - n * kLn2High;
    r = r - n * kLn2Low;
    F32 p = every(1.392692661e-3f);
    p = p * r + 8.363773874e-3f;
    p = p * r + 4.166655011e-2f;
    p = p * r + 1.666657338e-1f;
    p = p * r + 0.5f;
    const F32 small = r + r * r * p;
    const F32 scale = bits_as<F32>((bits_as<U32>(shifted) - 0x4b400000u + 127u) << 23);
    const F32 found = scale * small + (scale - 1.0f);
    return choose(given > 88.0f, vexp(given), choose(magnitude(given) < 1e-37f, given, found));
}

inline F32 vlog2(const F32& x) {
    return logarithm_by(x, [](const F32& n, const F32& f) {
        const F32 rest = cubic_log1p(f) - 0.5f * (f * f);
        // 1 / ln(2) in two parts: the product with f keeps its last digits
        return (f * 4.42695041e-1f + (rest * 1.44269504f) + f) + n;
    });
}

inline F32 vlog10(const F32& x) {
    return logarithm_by(x, [](const F32& n, const F32& f) {
        const F32 y = f + (cubic_log1p(f) - 0.5f * (f * f));
        return (y * 4.34294482e-1f + n * 4.6050389812e-6f) + n * 0.301025390625f;
    });
}

// log(u) with u = 1 + x rounded, and what was rounded away.
inline F32 vlog1p(const F32& x) {
    const F32 u = 1.0f + x;
    F32 f;
    const F32 n = split_log(u, f);
    const F32 lost = choose(magnitude(x) < 1e7f, (x - (u - 1.0f)) / u, every(0.0f));
    const F32 y = cubic_log1p(f) + (n * kLn2Low + lost) - 0.5f * (f * f);
    return choose(magnitude(x) < 1e-37f, x, log_at_edges(u, (f + y) + n * kLn2High));
}

// -- sine and cosine: the argument is reduced in float64, the polynomials are short ------------------------------------

// What is left of x when the nearest multiple of pi / 2 is taken away; which one comes back in the low bits.
inline U32 reduce_angle(const F32& x, F32& r) {
#if defined(__FMA__)
    const F32 shifted = multiply_add(x, every(0.636619772f), every(kRounding)), n = kRounding - shifted;
    r = multiply_add(n, every(1.57079637f), x);  // exact
    r = multiply_add(n, every(-4.37113883e-8f), r);
    r = multiply_add(n, every(-1.71512451e-15f), r);
    return bits_as<U32>(shifted);
#else
    F64 rest[2];
    HalfU32 quadrants[2];
    for (int half = 0; half < 2; ++half) {
        const F64 wide = widened(x, half);
        const F64 shifted = wide * 0.63661977236758134308 + kRounding64, n = shifted - kRounding64;
        rest[half] = (wide - n * 1.57079632673412561417) - n * 6.07710050650619224932e-11;
        quadrants[half] = __builtin_convertvector(bits_as<U64>(shifted), HalfU32);
    }
    U32 quadrant;
    std::memcpy(&quadrant, quadrants, sizeof quadrant);
    r = narrowed(rest[0], rest[1]);
    return quadrant;
#endif
}

inline F32 sine(const F32& x, uint32_t turn) {
    F32 r;
    const U32 quadrant = reduce_angle(x, r) + turn;
    const F32 z = r * r;
    const F32 s = r + r * z * ((z * -1.958738707e-4f + 8.332745936e-3f) * z - 1.666666465e-1f);
    const F32 c = 1.0f - 0.5f * z + z * z * ((z * 2.454743721e-5f - 1.38883007e-3f) * z + 4.166664465e-2f);
    const F32 y = choose(-I32(quadrant & 1), c, s);
    return bits_as<F32>(bits_as<U32>(y) ^ ((quadrant & 2) << 30));
}

template <class F>
inline F32 with_large_angles(const F32& x, F32 y, const F& function) {
    const I32 large = ~(magnitude(x) <= float(kLargestAngle));
    if (any_lane(large))
        for (int i = 0; i < kLanes<float>; ++i)
            if (large[i]) y[i] = float(function(double(x[i])));
    return y;
}

inline F32 vsin(const F32& x) {
    return with_large_angles(x, choose(x == 0.0f, x, sine(x, 0)), [](double a) { return __builtin_sin(a); });
}

inline F32 vcos(const F32& x) {
    return with_large_angles(x, sine(x, 1), [](double a) { return __builtin_cos(a); });
}

inline F32 vtan(const F32& x) {
    static constexpr float c[] = {1.793688732e-03f, -8.855891198e-06f, 4.432211770e-03f, 8.606608367e-03f, 2.191119151e-02f,
                                  5.396496869e-02f, 1.333334310e-01f, 3.333333329e-01f};
    F32 r;
    const I32 odd = -I32(reduce_angle(x, r) & 1);
    const F32 z = r * r, rest = r * z * polynomial(z, c), t = r + rest, lost = rest - (t - r);
    F32 inverse = -1.0f / t;  // and one step of Newton's, which knows what was lost
    inverse = inverse + inverse * multiply_add(inverse, lost, multiply_add(inverse, t, every(1.0f)));
    return with_large_angles(x, choose(x == 0.0f, x, choose(odd, inverse, t)), [](double a) { return __builtin_tan(a); });
}

// -- inverse and hyperbolic functions -------------------------------------------------------------------------------------

// t + t**3 P(t**2), |t| <= 1/2; beyond, from the root of the distance to 1. (Of asin, that root's rounding would show.)
inline F32 small_asin(const F32& t) {
    static constexpr float c[] = {3.808502356e-2f, 2.655454221e-2f, 4.500138007e-2f, 7.498855073e-2f, 1.666667241e-1f};
    const F32 z = t * t;
    return t + t * z * polynomial(z, c);
}

inline F32 vacos(const F32& x) {
    const F32 size = magnitude(x);
    const I32 far = size > 0.5f;
    const F32 y = small_asin(choose(far, vsqrt(0.5f * (1.0f - size)), x)), outer = y + y;
    return choose(far, choose(x < 0.0f, 3.14159274f - (outer + 8.74227766e-8f), outer), 1.57079637f - (y + 4.37113883e-8f));
}

inline F32 small_atan(const F32& t) {  // |t| <= 1
    static constexpr float c[] = {1.488691939e-3f, -9.144629761e-3f, 2.630500111e-2f, -4.896051403e-2f, 7.03191425e-2f,
                                  -8.931826777e-2f, 1.108826163e-1f, -1.428400379e-1f, 1.999994932e-1f, -3.333333308e-1f};
    const F32 z = t * t;
    return t + t * z * polynomial(z, c);
}

inline F32 vatan(const F32& x) {
    const F32 size = magnitude(x);
    const I32 far = size > 1.0f;
    const F32 y = small_atan(choose(far, 1.0f / size, size));
    return choose(x != x, x, with_sign_of(choose(far, 1.57079637f - (y + 4.37113883e-8f), y), x));
}

// The angle of the point (x, y), from that in the first half of the first quadrant.
inline F32 vatan2(const F32& y, const F32& x) {
    const F32 a = magnitude(y), b = magnitude(x), infinity = every(__builtin_inff());
    const I32 steep = a > b;
    const F32 above = choose(steep, b, a), below = choose(steep, a, b);
    F32 ratio = above / below;
    ratio = choose(above == 0.0f, every(0.0f), ratio);
    ratio = choose((above == infinity) & (below == infinity), every(1.0f), ratio);
    F32 angle = small_atan(ratio);
    angle = choose(steep, 1.57079637f - (angle + 4.37113883e-8f), angle);
    angle = choose(bits_as<I32>(x) < 0, 3.14159274f - (angle + 8.74227766e-8f), angle);
    return choose((x != x) | (y != y), x + y, with_sign_of(angle, y));
}

// x + x**3 P(x**2) near 0, elsewhere (exp(x) - exp(-x)) / 2.
inline F32 vsinh(const F32& x) {
    static constexpr float c[] = {2.806280258e-6f, 1.983810197e-4f, 8.333339676e-3f, 1.666666665e-1f};
    const F32 size = magnitude(x), z = x * x, e = vexp(size, -1);
    return choose(size < 1.0f, x + x * z * polynomial(z, c), choose(x != x, x, with_sign_of(e - 0.25f / e, x)));
}

inline F32 vcosh(const F32& x) {
    const F32 e = vexp(magnitude(x), -1);
    return e + 0.25f / e;
}

// -- the error function, and activations --------------------------------------------------------------------------------

// erf(x) = x (2 / sqrt(pi) + x**2 P(x**2)) for |x| < 0.921875.
inline F32 small_erf(const F32& x) {
    static constexpr float c[] = {8.334718615e-5f, -8.134709332e-4f, 5.200368587e-3f, -2.685915147e-2f, 1.128369152e-1f, -3.761263352e-1f};
    const F32 z = x * x;
    return x * 0.128379167f + (x * z * polynomial(z, c) + x);
}

// Beyond: 1 - exp(-P(|x|)), P being -log(erfc).
inline F32 verf(const F32& x) {
    static constexpr float c[] = {-1.643569654e-6f, 4.617791279e-5f, -5.97743472e-4f, 4.763575249e-3f, -2.64310176e-2f,
                                  1.100944808e-1f, 6.318145167e-1f, 1.130237616f, -3.204415313e-4f};
    const F32 size = magnitude(x), t = choose(size > 4.0f, every(4.0f), size);
    const F32 far = 1.0f - vexp(-polynomial(t, c));
    return choose(x != x, x, with_sign_of(choose(size < 0.921875f, small_erf(size), far), x));  // -0.0 stays
}

// exp(-x**2 / 2), and P(x) / Q(x), times which it is the upper tail of the normal distribution, for 0 <= x <= 15. The square is
// reduced unrounded: the small end keeps its digits.
inline void normal_tail(const F32& x, F32& bell, F32& ratio) {
    static constexpr float p[] = {0.004153163728f, 0.04088072612f, 0.1839680158f, 0.4392820229f, 0.5000000031f};
    static constexpr float q[] = {0.01041032596f, 0.1024789006f, 0.4714057145f, 1.20554379f, 1.676449053f, 1.0f};
    const F32 half = x * -0.5f;
    const F32 shifted = (half * x) * 1.44269504f + kRounding, whole = shifted - kRounding;
    F32 r = multiply_add(half, x, whole * -kLn2High);
    r = r - whole * kLn2Low;
    const U32 n = bits_as<U32>(shifted) - 0x4b400000u;
    bell = exp_of_rest(r);
    if (any_lane(x > 13.0f))  // some are subnormal: by halves
        bell = bell * power_of_two(U32(I32(n) >> 1)) * power_of_two(n - U32(I32(n) >> 1));
    else
        bell = bell * power_of_two(n);
    ratio = polynomial(x, p) / polynomial(x, q);
}

// x * (1 + erf(x / sqrt(2))) / 2
inline F32 vgelu(const F32& x) {
    F32 bell, ratio;
    normal_tail(at_most(magnitude(x), 15.0f), bell, ratio);
    return at_least(x, 0.0f) - magnitude(at_most(x, 15.0f)) * ratio * bell;  // NaN at -infinity, as the product of it and 0 is
}

// x / (1 + exp(-x)); where that overflows x exp(x), by halves, so that no subnormal factor loses its digits.
inline F32 vsilu(const F32& x) {
    const I32 far = x < -87.0f;
    const F32 y = x / (1.0f + ordinary_exp(at_least(at_most(-x, 87.0f), -87.0f)));
    if (!any_lane(far)) return y;
    const F32 e = vexp(0.5f * x);
    return choose(far, x * e * e, y);
}

inline F32 vsoftplus(const F32& x) {
    return choose(x > 0.0f, x, every(0.0f)) + choose(x != x, x, vlog1p(vexp(-magnitude(x))));
}

}  // namespace lamina::LAMINA_ISA
