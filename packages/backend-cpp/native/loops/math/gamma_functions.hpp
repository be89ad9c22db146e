// The gamma function's family of float64 vectors, by the reference's formulas (lamina_ndarray/special/gamma.py).
#pragma once

#include "loops/math/approximations.hpp"
#include "loops/math/power_math.hpp"

namespace lamina::LAMINA_ISA {

constexpr double kPi = 3.14159265358979323846;
// The Bernoulli numbers of index 2, 4, 6, ... (DLMF 24.2).
constexpr double kBernoulli[] = {1.0 / 6, -1.0 / 30, 1.0 / 42, -1.0 / 30, 5.0 / 66, -691.0 / 2730, 7.0 / 6, -3617.0 / 510,
                                 43867.0 / 798, -174611.0 / 330, 854513.0 / 138, -236364091.0 / 2730};

// lgamma(x) less (x - 1/2) log(x) - x + log(2 pi) / 2, for x >= 8 (DLMF 5.11.1).
inline F64 stirling_rest(const F64& x) {
    static constexpr double c[] = {1.0 / 12, -1.0 / 360, 1.0 / 1260, -1.0 / 1680, 1.0 / 1188, -691.0 / 360360, 1.0 / 156,
                                   -3617.0 / 122400, 43867.0 / 244188};
    const F64 inverse = 1.0 / x;
    return ascending(inverse * inverse, c) * inverse;
}

// lgamma(1 + x) for 0 <= x <= 7, exact to the last places near its zeros at 0 and 1.
inline F64 lgamma1p(const F64& x) { return rational(x * (1.0 / 7), kLgamma) * (x * (x - 1.0)) + 0.0; }

// x - log1p(x) for -0.4 <= x <= 0.7, without cancellation.
inline F64 log1p_rest(const F64& x) { return rational((x + 0.4) * (1 / 1.1), kLog1pRest) * (x * x * 0.5); }

[[gnu::noinline]] inline F64 dlgamma(const F64& x) {
    const I64 mirrored = x < 0.0;
    const F64 y = choose(mirrored, 1.0 - x, x), logarithm = dlog(y);
    const I64 small = y < 1.0;
    const F64 right = by_region(y < 8.0,
                                [&] {
                                    const F64 near = lgamma1p(choose(small, y, y - 1.0));
                                    return choose(small, near - logarithm, near);
                                },
                                [&] { return (y - 0.5) * (logarithm - 1.0) + 0.41893853320467274178 + stirling_rest(y); });
    return by_region(~mirrored, [&] { return right; },
                     [&] {
                         const F64 fraction = from_integer(x);
                         const F64 left = 1.14472988584940017414 - dlog(magnitude(dsin(fraction * kPi))) - right;
                         return choose((fraction == 0.0) | (x == -__builtin_inf()), every(__builtin_inf()), left);
                     });
}

// cot(pi x) for |x| <= 1/2; beyond 1/4 from the distance to 1/2, where it is 0.
inline F64 cotangent_of_pi(const F64& x) {
    const I64 far = magnitude(x) > 0.25;
    const F64 t = dtan(choose(far, with_sign_of(every(0.5), x) - x, x) * kPi);
    return choose(far, t, 1.0 / t);
}

[[gnu::noinline]] inline F64 ddigamma(const F64& x) {
    static constexpr double c[] = {1.0 / 12, -1.0 / 120, 1.0 / 252, -1.0 / 240, 1.0 / 132, -691.0 / 32760, 1.0 / 12, -3617.0 / 8160,
                                   43867.0 / 14364};
    const I64 mirrored = x < 0.0;
    const F64 y = choose(mirrored, 1.0 - x, x), inverse = 1.0 / y;
    const I64 small = y < 1.0;
    const F64 right = by_region(y < 8.0,
                                [&] {
                                    const F64 z = choose(small, y + 1.0, y);  // the function's root is 1.46...
                                    const F64 near = rational((z - 1.0) * (1.0 / 7), kDigamma) *
                                                     ((z - 1.4616321325302124) - 1.2438149938918909e-08);
                                    return choose(small, near - inverse, near);
                                },
                                [&] {
                                    const F64 square = inverse * inverse;
                                    return dlog(y) - 0.5 * inverse - ascending(square, c) * square;
                                });
    return by_region(~mirrored, [&] { return right; },
                     [&] {
                         const F64 fraction = from_integer(x);
                         return choose(fraction == 0.0, every(__builtin_nan("")), right - kPi * cotangent_of_pi(fraction));
                     });
}

// The sum of (q + k)**-s over k >= 0, for q > 0 and s > 1, by Euler and Maclaurin (DLMF 25.11.5): `power` is of exponent -s, and
// `rise` of 1 - s.
template <class Power, class Rise>
inline F64 euler_maclaurin(const F64& s, const F64& q, const Power& power, const Rise& rise) {
    constexpr int kDirect = 10;
    F64 total = power(q);
    for (int k = 1; k < kDirect; ++k) total += power(q + double(k));
    const F64 end = q + double(kDirect), last = power(end), squared = 1.0 / (end * end);
    total += rise(end) / (s - 1.0) + 0.5 * last;
    F64 term = last * (s / end);
    double factorial = 1;
    for (int j = 1; j <= int(sizeof kBernoulli / sizeof *kBernoulli); ++j) {
        factorial *= 2 * j * (2 * j - 1);
        total += term * (kBernoulli[j - 1] / factorial);
        const F64 growth = (s + double(2 * j - 1)) * (s + double(2 * j)) * squared;
        term *= choose(growth > 1e9, every(1e9), growth);  // where it is more, `last` is 0
    }
    return total;
}

[[gnu::noinline]] inline F64 zeta_of_positive(F64 s, const F64& q) {
    s = choose(s > 1e18, every(1e18), s);  // what is not 1 to that power is 0 or infinite
    return euler_maclaurin(s, q, [&](const F64& x) { return dpow(x, -s); }, [&](const F64& x) { return dpow(x, 1.0 - s); });
}

// For few whole s, by products.
[[gnu::noinline]] inline F64 zeta_of_positive(int s, const F64& q) {
    const auto power = [](const F64& x, int n) {
        const F64 inverse = 1.0 / x;
        F64 found = inverse;
        for (int i = 1; i < n; ++i) found *= inverse;
        return found;
    };
    return euler_maclaurin(every(double(s)), q, [&](const F64& x) { return power(x, s); }, [&](const F64& x) { return power(x, s - 1); });
}

// Below 0, for integer s, by the sum over all integers, which only depends on q's fraction f:
// zeta(s, q) + (-1)**s zeta(s, 1 - q) = zeta(s, f) + (-1)**s zeta(s, 1 - f).
[[gnu::noinline]] inline F64 dzeta(const F64& s, const F64& q) {
    const F64 whole = floored(q), fraction = q - whole, infinity = every(__builtin_inf()), nan = every(__builtin_nan(""));
    const I64 mirrored = q < 0.0;
    F64 found = zeta_of_positive(s, choose(mirrored, fraction, q));
    if (any_lane(mirrored)) {
        const F64 other = zeta_of_positive(s, 1.0 - fraction) - zeta_of_positive(s, choose(mirrored, 1.0 - q, every(1.0)));
        const I64 odd = floored(s * 0.5) * 2.0 != s;
        found = choose(mirrored, choose(odd, found - other, found + other), found);
        found = choose(mirrored & (floored(s) != s), nan, found);
    }
    found = choose((q <= 0.0) & (whole == q), infinity, found);
    return choose(s < 1.0, nan, choose(s == 1.0, infinity, found));
}

constexpr int kGreatestOrder = 170;  // that is asked for: its factorial is finite

// The derivative of digamma of order n: n! times zeta, but for a sign; below 0 by the reflection formula (DLMF 5.15.6).
[[gnu::noinline]] inline F64 dpolygamma(const F64& x, int n) {
    if (n == 0) return ddigamma(x);
    double factor = n % 2 == 1 ? 1 : -1;
    for (int k = 2; k <= n; ++k) factor *= k;
    const I64 mirrored = x < 0.0;
    const F64 y = choose(mirrored, 1.0 - x, x), infinity = every(__builtin_inf());
    constexpr int kFew = 3;
    const F64 zeta = n <= kFew ? zeta_of_positive(n + 1, y) : zeta_of_positive(every(double(n + 1)), y);
    const F64 right = choose(y == 0.0, infinity, zeta) * factor;
    return by_region(~mirrored, [&] { return right; },
                     [&] {
                         // The n-th derivative of cot is a polynomial in cot, whose own derivative is -(1 + cot**2).
                         double c[kGreatestOrder + 3] = {0, 1}, power = kPi;
                         for (int k = 1; k <= n; ++k) {
                             power *= kPi;
                             double before = 0;
                             for (int i = 0; i <= k + 1; ++i) {
                                 const double old = c[i];
                                 c[i] = -((i + 1) * c[i + 1] + (i - 1) * before);
                                 before = old;
                             }
                         }
                         const F64 fraction = from_integer(x), cotangent = cotangent_of_pi(fraction);
                         F64 turn = every(c[n + 1]);
                         for (int i = n; i >= 0; --i) turn = turn * cotangent + c[i];
                         const F64 left = right * (n % 2 == 1 ? -1.0 : 1.0) - turn * power;
                         return choose((fraction == 0.0) | (x == -infinity), with_sign_of(infinity, every(factor)), left);
                     });
}

}  // namespace lamina::LAMINA_ISA
