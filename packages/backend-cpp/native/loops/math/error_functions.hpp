// The error function's family of float64 vectors; the inverse functions by the reference's formulas
// (lamina_ndarray/special/error_functions.py), the others within 2 ulp.
//
// Functions that are not inlined have one copy each: where they are inlined, sums of products are rounded as it fits there.
#pragma once

#include "loops/math/approximations.hpp"
#include "loops/math/power_math.hpp"

namespace lamina::LAMINA_ISA {

// erfcx(x + x_low) = q + q_low for x >= 0. Times x + 9/16, from 4 on times x, it is 1 / sqrt(pi) and a small rest, which is fitted
// (by interpolation at Chebyshev nodes, in 60 digits): of that, few roundings show.
inline F64 erfcx_in_parts(const F64& x, const F64& x_low, F64& q_low) {
    static constexpr Fit<11, 11> near_rest = {
        {-0.0016895835477562847, 1.4397553126365952, 9.319772012951898, 30.38607972744212, 62.69387282866745, 88.31105324474618,
         86.38905001333728, 57.237119026388555, 23.554602746044274, 4.650013946279427, -8.678454145421994e-08},
        {1.0, 12.660848542770761, 74.29084201737233, 266.62487112492806, 649.7916311893664, 1127.0504352339192, 1414.167799389124,
         1273.3512315899786, 792.1228798801669, 309.90938055481007, 58.60929867872708}};  // in x / 4
    static constexpr Fit<6, 6> far_rest = {
        {-0.017630924485867377, -0.027050984369357753, -0.013296567101179647, -0.002395040492077966, -0.0001276683579165505,
         -4.303946304545736e-07},
        {1.0, 1.6280418853200087, 0.8921421392464028, 0.19883756117355006, 0.017129281087978638, 0.00041891801886400563}};  // in (4 / x)**2
    const I64 near = x < 4.0;
    const F64 shift = choose(near, every(0.5625), every(0.0)), below = x + shift, shifted = below - x;
    const F64 below_low = ((x - (below - shifted)) + (shift - shifted)) + x_low, inverse = 1.0 / below;
    const F64 rest = by_region(near, [&] { return rational(x * 0.25, near_rest); },
                               [&] {
                                   const F64 square = inverse * inverse * 16.0;
                                   return square * rational(square, far_rest);
                               });
    const F64 above = 0.5641895835477563 + rest, above_low = ((0.5641895835477563 - above) + rest) + 7.66772980658294e-18;
    const F64 q = above * inverse;
    q_low = (multiply_add(-q, below, above) + (above_low - q * below_low)) * inverse;
    return q;
}

// exp(-x**2) * erfcx(x) for 0 <= x; the square in two parts: what it was rounded by is not magnified.
inline F64 erfc_tail(const F64& given) {
    const F64 x = choose(given > 30.0, every(30.0), given), square = settled(x * x), rest = multiply_add(x, x, -square);
    F64 q_low;
    const F64 q = erfcx_in_parts(x, every(0.0), q_low);
    return times_exp(-square, -rest, q, q_low);
}

// erf(x) = x P(x**2) for |x| <= 1, P interpolated at Chebyshev nodes, in 60 digits.
inline F64 small_erf(const F64& x) {
    static constexpr double c[] = {
        5.957176147748911e-11, -1.1372848856791674e-09, 1.4659775274047436e-08, -1.6350312701054695e-07, 1.6461000484121368e-06,
        -1.4925595266831182e-05, 0.0001205533111164271, -0.000854832698083379, 0.0052239776248180145, -0.026866170645076792,
        0.11283791670954879, -0.3761263890318375, 0.12837916709551257};
    return x + x * polynomial(x * x, c);
}

// Beyond, 1 - exp(-x**2) P(x) / Q(x), interpolated at Chebyshev nodes of x / (x + 2), in 40 digits: within 2**-58. From 6 on it is 1.
[[gnu::noinline]] inline F64 derf(const F64& x) {
    static constexpr double p[] = {0.0009779100393818628, 0.013073514858137207, 0.08576984144185447, 0.34827630851399105,
                                   0.9365660754803561, 1.667746662900909, 1.8386154182778427, 0.999999993984396};
    static constexpr double q[] = {0.0017333004342108577, 0.023172200587773785, 0.1528897698955865, 0.6288891614935719,
                                   1.7351731733647024, 3.2529896948542465, 4.015641821208492, 2.966994518810514, 1.0};
    const F64 size = magnitude(x);
    return by_region(size < 1.0, [&] { return small_erf(x); },
                     [&] {
                         const F64 t = choose(size > 6.0, every(6.0), size);
                         F64 r;
                         const U64 n = reduce_exp(-(t * t), r);
                         const F64 tail = (1.0 + small_expm1(r)) * power_of_two(n) * polynomial(t, p) / polynomial(t, q);
                         return choose(x != x, x, with_sign_of(1.0 - tail, x));
                     });
}

[[gnu::noinline]] inline F64 derfc(const F64& x) {
    const F64 size = magnitude(x);
    return by_region(size < 0.5, [&] { return 1.0 - small_erf(x); },
                     [&] {
                         const F64 tail = erfc_tail(size);
                         return choose(x < 0.0, 2.0 - tail, tail);
                     });
}

[[gnu::noinline]] inline F64 derfcx(const F64& x) {
    const F64 size = magnitude(x), finite = choose(size > 1e300, every(1e300), size);
    F64 q_low;
    const F64 q = erfcx_in_parts(finite, every(0.0), q_low), right = choose(size > 1e300, 0.5641895835477563 / size, q + q_low);
    return by_region(~(x < 0.0), [&] { return right; },
                     [&] {
                         const F64 near = choose(size > 30.0, every(30.0), size), square = settled(near * near);
                         return 2.0 * exp_of_parts(square, multiply_add(near, near, -square)) - right;
                     });
}

// erfinv(x) / x, given w = -log(1 - x**2).
inline F64 erfinv_ratio(const F64& w) {
    const F64 root = dsqrt(w);
    return by_region(w < 6.0, [&] { return rational(w * (1.0 / 6), kErfinvCentre); },
                     [&] {
                         constexpr double kRootOf6 = 2.449489742783178098;
                         return by_region(
                             root < 6.25, [&] { return rational((root - kRootOf6) * (1 / (6.25 - kRootOf6)), kErfinvShoulder); },
                             [&] { return rational((root - 6.25) * (1 / 21.75), kErfinvTail); });
                     });
}

[[gnu::noinline]] inline F64 derfinv(const F64& x) {
    const F64 found = x * erfinv_ratio(-dlog((1.0 - x) * (1.0 + x)));
    return choose(magnitude(x) == 1.0, x * __builtin_inf(), found);
}

// With x = 2 p - 1 it is sqrt(2) erfinv(x), and 1 - x**2 = 4 p (1 - p) keeps a small p.
[[gnu::noinline]] inline F64 dndtri(const F64& p) {
    const F64 found = (2.0 * p - 1.0) * erfinv_ratio(-dlog(4.0 * p) - dlog1p(-p)) * 1.41421356237309504880;
    return choose(p == 0.0, every(-__builtin_inf()), choose(p == 1.0, every(__builtin_inf()), found));
}

// exp(-x**2 / 2), and its product with `factor` and erfcx(x / sqrt(2)) / 2: with 1, the upper tail of the normal distribution. x >= 0.
inline F64 normal_tail(const F64& given, const F64& factor, F64& bell) {
    constexpr double kRoot = 0.7071067811865476, kRootLow = -4.833646656726457e-17;
    const F64 x = choose(given > 40.0, every(40.0), given), square = settled(x * x), rest = multiply_add(x, x, -square);
    const F64 scaled = settled(x * kRoot), lost = multiply_add(x, every(kRoot), -scaled) + x * kRootLow;
    F64 q_low;
    const F64 q = erfcx_in_parts(scaled, lost, q_low), half = 0.5 * factor;
    const F64 product = settled(half * q), product_low = multiply_add(half, q, -product) + half * q_low;
    bell = exp_of_parts(square * -0.5, rest * -0.5);
    return times_exp(square * -0.5, rest * -0.5, product, product_low);
}

[[gnu::noinline]] inline F64 dlog_ndtr(const F64& x) {
    return by_region(x < -1.0, [&] { return dlog(derfcx(x * -0.7071067811865476) * 0.5) - 0.5 * (x * x); },
                     [&] {
                         F64 bell;
                         const F64 tail = normal_tail(magnitude(x), every(1.0), bell);
                         return choose(x < 0.0, dlog(tail), dlog1p(-tail));
                     });
}

// x * (1 + erf(x / sqrt(2))) / 2; NaN at -infinity, as the product of it and 0 is.
[[gnu::noinline]] inline F64 dgelu(const F64& x) {
    const F64 size = magnitude(x), infinity = every(__builtin_inf());
    F64 bell;
    const F64 lost = normal_tail(size, choose(size > 40.0, every(40.0), size), bell);
    return choose(x == -infinity, every(__builtin_nan("")), choose(x < 0.0, every(0.0), x) - lost);
}

[[gnu::noinline]] inline F64 dgelu_derivative(const F64& x) {
    F64 bell;
    const F64 tail = normal_tail(magnitude(x), every(1.0), bell);
    return choose(x < 0.0, tail, 1.0 - tail) + x * bell * 0.39894228040143267794;
}

}  // namespace lamina::LAMINA_ISA
