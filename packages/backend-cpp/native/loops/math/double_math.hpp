// Elementary functions of float64 vectors, by polynomials, within 2 ulp; float32 passes through them where no shorter way is known.
//
// Reductions of arguments are those of the field (Cody and Waite; Muller, "Elementary Functions"); the coefficients are
// interpolations at Chebyshev nodes, found in 60 digits.
#pragma once

#include <cmath>

#include "loops/math/vector_math.hpp"

namespace lamina::LAMINA_ISA {

using F64 = Vec<double>;
using I64 = Vec<int64_t>;
using U64 = Vec<uint64_t>;

constexpr double kRounding64 = 6755399441055744.0;  // 1.5 * 2**52: adding it rounds to an integer, kept in the low bits

inline F64 magnitude(const F64& x) { return bits_as<F64>(bits_as<I64>(x) & 0x7fffffffffffffff); }

inline F64 with_sign_of(const F64& size, const F64& x) {
    return bits_as<F64>(bits_as<I64>(size) | (bits_as<I64>(x) & INT64_MIN));
}

// 2**n for the integer in the low bits of n + kRounding64, -1022 <= n <= 1023.
inline F64 power_of_two(const U64& shifted) { return bits_as<F64>((shifted + 1023) << 52); }

template <int N>
inline F64 polynomial(const F64& x, const double (&c)[N]) {
    F64 p = every(c[0]);
    for (int i = 1; i < N; ++i) p = p * x + c[i];
    return p;
}

constexpr double kLn2High64 = 6.93147180369123816490e-01;  // 32 bits: its product with an exponent is exact
constexpr double kLn2Low64 = 1.90821492927058770002e-10;

// exp(r) - 1 for |r| <= ln(2) / 2.
inline F64 small_expm1(const F64& r) {
    static constexpr double c[] = {
        2.091475532589320219e-9, 2.510531272962210178e-8, 2.755727347871858047e-7, 2.755725517000088744e-6,
        0.0000248015873256774619, 0.0001984126987500227879, 0.001388888888888371117, 0.00833333333332608312,
        0.04166666666666666978, 0.1666666666666667103, 0.5};
    return r + r * r * polynomial(r, c);
}

// The nearest integer to x / ln(2), as low bits, and what is left of x.
inline U64 reduce_exp(const F64& x, F64& r) {
    const F64 shifted = x * 1.4426950408889634074 + kRounding64, n = shifted - kRounding64;
    r = x - n * kLn2High64;
    r = r - n * kLn2Low64;
    return bits_as<U64>(shifted) - bits_as<U64>(every(kRounding64));
}

// exp(x) * 2**more; the scale is applied in two halves, so that subnormals and overflow come out right. As in float32, what is 0 is
// not computed.
inline F64 dexp(F64 x, int64_t more = 0) {
    x = choose(x > 720.0, every(720.0), x);
    const I64 gone = x < -746.0;
    x = choose(gone, F64{}, x);
    F64 r;
    const U64 n = reduce_exp(x, r) + uint64_t(more);
    const F64 p = 1.0 + small_expm1(r);
    const U64 low = ((n + 4096) >> 1) - 2048;
    return choose(gone, F64{}, p * power_of_two(low) * power_of_two(n - low));
}

// 2**n * expm1(r) + (2**n - 1).
inline F64 dexpm1(const F64& given) {
    F64 x = choose(given > 709.0, every(709.0), given);
    x = choose(x < -40.0, every(-40.0), x);
    F64 r;
    const U64 n = reduce_exp(x, r);
    const F64 scale = power_of_two(n);
    const F64 found = scale * small_expm1(r) + (scale - 1.0);
    const F64 small = choose(magnitude(given) < 1e-300, given, found);
    return choose(given > 709.0, dexp(given), small);
}

// The exponent of a positive x that is not subnormal, and its significand minus 1, between sqrt(1/2) - 1 and sqrt(2) - 1.
inline F64 split_ordinary(const F64& x, F64& f) {
    const U64 moved = bits_as<U64>(x) - 0x3fe6a09e667f3bcdull;  // the bits of sqrt(1/2)
    // The exponent lies in the upper bits: as the low bits of a large double it is converted without integer conversions.
    const U64 exponent = (moved + (uint64_t(2048) << 52)) >> 52;
    f = bits_as<F64>((moved & 0xfffffffffffffull) + 0x3fe6a09e667f3bcdull) - 1.0;
    return bits_as<F64>(exponent | bits_as<U64>(every(4503599627370496.0))) - (4503599627370496.0 + 2048.0);
}

inline F64 split_log(const F64& x, F64& f) {
    const I64 tiny = x < 2.2250738585072014e-308;
    const F64 n = split_ordinary(choose(tiny, x * 18014398509481984.0, x), f);  // 2**54
    return n - choose(tiny, every(54.0), every(0.0));
}

// log(1 + f) for such an f.
inline F64 small_log1p(const F64& f) {
    static constexpr double c[] = {0.1308707158006738114, 0.1326873053910089629, 0.1538624129373435589, 0.1818179561087904343,
                                   0.2222222239198772893, 0.2857142857080240385, 0.4000000000000087896, 0.6666666666666666646};
    const F64 s = f / (2.0 + f), z = s * s, half = 0.5 * f * f;
    return f - (half - s * (half + z * polynomial(z, c)));
}

inline F64 dlog(const F64& x) {
    F64 f;
    const F64 n = split_log(x, f);
    return log_at_edges(x, n * kLn2High64 + (small_log1p(f) + n * kLn2Low64));
}

inline F64 dlog2(const F64& x) {
    F64 f;
    const F64 n = split_log(x, f);
    return log_at_edges(x, n + small_log1p(f) * 1.4426950408889634074);
}

inline F64 dlog10(const F64& x) {
    F64 f;
    const F64 n = split_log(x, f);
    return log_at_edges(x, n * 3.01029995663611771306e-01 + (n * 3.69423907715893078616e-13 + small_log1p(f) * 0.43429448190325182765));
}

// log(u) with u = 1 + x rounded, and what was rounded away.
inline F64 dlog1p(const F64& x) {
    const F64 u = 1.0 + x;
    F64 f;
    const F64 n = split_log(u, f);
    const F64 lost = choose(magnitude(x) < 1e15, (x - (u - 1.0)) / u, every(0.0));
    const F64 y = log_at_edges(u, n * kLn2High64 + (small_log1p(f) + (n * kLn2Low64 + lost)));
    return choose(magnitude(x) < 1e-300, x, y);
}

inline F64 dsoftplus(const F64& x) {
    return choose(x > 0.0, x, every(0.0)) + choose(x != x, x, dlog1p(dexp(-magnitude(x))));
}

inline F64 dexp2(F64 x) {
    x = choose(x > 1100.0, every(1100.0), x);
    x = choose(x < -1100.0, every(-1100.0), x);
    const F64 shifted = x + kRounding64;
    const F64 r = (x - (shifted - kRounding64)) * 0.69314718055994530942;
    const U64 n = bits_as<U64>(shifted) - bits_as<U64>(every(kRounding64));
    const U64 low = ((n + 4096) >> 1) - 2048;
    return (1.0 + small_expm1(r)) * power_of_two(low) * power_of_two(n - low);
}

inline F64 dsinh(const F64& x) {
    const F64 size = magnitude(x), t = dexpm1(size);
    const F64 near = 0.5 * (t + t / (t + 1.0));
    return choose(x != x, x, with_sign_of(magnitude(choose(size > 22.0, dexp(size, -1), near)), x));
}

inline F64 dcosh(const F64& x) {
    const F64 e = dexp(magnitude(x), -1);
    return e + 0.25 / e;
}

inline F64 dtanh(const F64& x) {
    const F64 size = magnitude(x), t = dexpm1(choose(size > 20.0, every(20.0), size) * 2.0);
    return choose(x != x, x, with_sign_of(magnitude(t / (t + 2.0)), x));
}

// From exp(-|x|), so that nothing overflows and the small end keeps its digits.
inline F64 dsigmoid(const F64& x) {
    const F64 e = dexp(-magnitude(x));
    return choose(x < 0.0, e, every(1.0)) / (1.0 + e);
}

inline F64 dsqrt(const F64& x) {
#if defined(__AVX512F__)
    return F64(_mm512_sqrt_pd(__m512d(x)));
#elif defined(__AVX2__)
    return F64(_mm256_sqrt_pd(__m256d(x)));
#else
    F64 y;
    for (int i = 0; i < kLanes<double>; ++i) y[i] = __builtin_sqrt(x[i]);
    return y;
#endif
}

inline F64 dasinh(const F64& x) {
    const F64 size = magnitude(x), square = size * size;
    const F64 near = dlog1p(size + square / (1.0 + dsqrt(square + 1.0)));
    const F64 far = dlog(size) + 0.69314718055994530942;
    return with_sign_of(magnitude(choose(size > 1e9, far, near)), x);
}

inline F64 dacosh(const F64& x) {
    const F64 t = x - 1.0;
    const F64 near = dlog1p(t + dsqrt(2.0 * t + t * t));
    return choose(x < 1.0, every(double(NAN)), choose(x > 1e9, dlog(x) + 0.69314718055994530942, near));
}

inline F64 datanh(const F64& x) {
    const F64 size = magnitude(x);
    return choose(x != x, x, with_sign_of(0.5 * dlog1p(2.0 * size / (1.0 - size)), x));
}

constexpr double kHalfPi = 1.57079632679489655800, kHalfPiLow = 6.12323399573676603587e-17;

// t + t**3 P(t**2) near 0; beyond tan(pi / 8) and tan(3 pi / 8) the angle of what is left when pi / 4 or pi / 2 is taken away.
inline F64 datan_size(const F64& size) {
    static constexpr double c[] = {
        0.01628532732275549151, -0.03457017439182310145, 0.04551578149664705615, -0.05230450966681196728,
        0.05878928549229719436, -0.06666424846721738683, 0.07692296372859807602, -0.09090908753425742995,
        0.1111111110515393667, -0.1428571428565981212, 0.1999999999999980446, -0.3333333333333333322};
    const I64 far = size > 2.414213562373095, middle = (size > 0.4142135623730950) & ~far;
    const F64 above = choose(far, every(-1.0), choose(middle, size - 1.0, size));
    const F64 below = choose(far, size, choose(middle, size + 1.0, every(1.0)));
    const F64 t = above / below, z = t * t;
    const F64 turned = choose(far, every(kHalfPi), choose(middle, every(kHalfPi / 2), every(0.0)));
    const F64 low = choose(far, every(kHalfPiLow), choose(middle, every(kHalfPiLow / 2), every(0.0)));
    return turned + (t + (t * z * polynomial(z, c) + low));
}

inline F64 datan(const F64& x) { return choose(x != x, x, with_sign_of(datan_size(magnitude(x)), x)); }

// The angle of the point (x, y), from that in the first half of the first quadrant.
inline F64 datan2(const F64& y, const F64& x) {
    const F64 a = magnitude(y), b = magnitude(x), infinity = every(__builtin_inf());
    const I64 steep = a > b;
    const F64 above = choose(steep, b, a), below = choose(steep, a, b);
    F64 ratio = above / below;
    ratio = choose((above == 0.0) & (below == 0.0), every(0.0), ratio);
    ratio = choose((above == infinity) & (below == infinity), every(1.0), ratio);
    F64 angle = datan_size(ratio);
    angle = choose(steep, kHalfPi - (angle - kHalfPiLow), angle);
    const I64 left = bits_as<I64>(x) < 0;
    angle = choose(left, 2 * kHalfPi - (angle - 2 * kHalfPiLow), angle);
    return choose((x != x) | (y != y), x + y, with_sign_of(angle, y));
}

inline F64 small_asin(const F64& t) {  // |t| <= 1/2
    static constexpr double c[] = {
        0.02875785136742156471, -0.01485188707124720322, 0.01740087944269402244, 0.0054575067186403583,
        0.01032281435018577929, 0.0114791774151849059, 0.0139712129735529333, 0.01735239272086997294,
        0.02237217294214988787, 0.03038194413853124729, 0.04464285714635542978, 0.07499999999998432933,
        0.1666666666666666783};
    const F64 z = t * t;
    return t * z * polynomial(z, c);
}

inline F64 dasin(const F64& x) {
    const F64 size = magnitude(x);
    const I64 far = size > 0.5;
    const F64 t = choose(far, dsqrt(0.5 * (1.0 - size)), size), rest = small_asin(t);
    const F64 y = choose(far, kHalfPi - (2.0 * t + (2.0 * rest - kHalfPiLow)), t + rest);
    return choose(x != x, x, with_sign_of(y, x));
}

inline F64 dacos(const F64& x) {
    const F64 size = magnitude(x);
    const I64 far = size > 0.5;
    const F64 t = choose(far, dsqrt(0.5 * (1.0 - size)), x), rest = small_asin(t);
    const F64 outer = 2.0 * (t + rest);
    const F64 left = 2 * kHalfPi - (outer - 2 * kHalfPiLow);
    return choose(far, choose(x < 0.0, left, outer), kHalfPi - (t + (rest - kHalfPiLow)));
}

// -- sine, cosine, tangent --------------------------------------------------------------------------------------------

constexpr double kLargestAngle = 1e6;  // beyond, multiples of the parts of pi / 2 are not exact

// What is left of x when the nearest multiple of pi / 2 is taken away, and which multiple, in the low bits.
inline U64 reduce_angle(const F64& x, F64& r) {
    const F64 shifted = x * 0.63661977236758134308 + kRounding64, n = shifted - kRounding64;
    r = x - n * 1.57079632673412561417;          // the first 33 bits of pi / 2,
    const F64 middle = n * 6.07710050630396597660e-11;  // the second 33,
    const F64 before = r;
    r = r - middle;
    const F64 lost = (before - r) - middle;
    r = r + (lost - n * 2.02226624879595063154e-21);  // and the rest
    return bits_as<U64>(shifted);
}

inline F64 small_sin(const F64& r, const F64& z) {
    static constexpr double c[] = {-7.586576588171072476e-13, 1.605852957226787635e-10, -2.505210621952189423e-8,
                                   2.75573192193019187e-6, -0.0001984126984126501703, 0.00833333333333333147,
                                   -0.1666666666666666667};
    return r + r * z * polynomial(z, c);
}

inline F64 small_cos(const F64& z) {
    static constexpr double c[] = {4.745804889760674181e-14, -1.147045974967560614e-11, 2.087675578389403842e-9,
                                   -2.755731922138211558e-7, 0.00002480158730158461979, -0.001388888888888888785,
                                   0.04166666666666666667};
    const F64 half = 0.5 * z, w = 1.0 - half;
    return w + (((1.0 - w) - half) + z * z * polynomial(z, c));
}

// `turn`: 0 for the sine, 1 for the cosine.
inline F64 dsine(const F64& x, uint64_t turn) {
    F64 r;
    const U64 quadrant = reduce_angle(x, r) + turn;
    const F64 z = r * r;
    const I64 odd = -I64(quadrant & 1);
    const F64 y = choose(odd, small_cos(z), small_sin(r, z));
    return bits_as<F64>(bits_as<U64>(y) ^ ((quadrant & 2) << 62));
}

template <class F>
inline void library_lanes(const F64& x, F64& y, const F& function) {  // for the lanes out of a polynomial's range
    for (int i = 0; i < kLanes<double>; ++i)
        if (!(__builtin_fabs(x[i]) <= kLargestAngle)) y[i] = function(x[i]);
}

inline F64 dsin(const F64& x) {
    F64 y = choose(x == 0.0, x, dsine(x, 0));
    if (any_lane(~(magnitude(x) <= kLargestAngle))) library_lanes(x, y, [](double a) { return __builtin_sin(a); });
    return y;
}

inline F64 dcos(const F64& x) {
    F64 y = dsine(x, 1);
    if (any_lane(~(magnitude(x) <= kLargestAngle))) library_lanes(x, y, [](double a) { return __builtin_cos(a); });
    return y;
}

inline F64 dtan(const F64& x) {
    F64 r;
    const U64 quadrant = reduce_angle(x, r);
    const F64 z = r * r, sine = small_sin(r, z), cosine = small_cos(z);
    const I64 odd = -I64(quadrant & 1);
    F64 y = choose(odd, -cosine, sine) / choose(odd, sine, cosine);
    y = choose(x == 0.0, x, y);
    if (any_lane(~(magnitude(x) <= kLargestAngle))) library_lanes(x, y, [](double a) { return __builtin_tan(a); });
    return y;
}

}  // namespace lamina::LAMINA_ISA
