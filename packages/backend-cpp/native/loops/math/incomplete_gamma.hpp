// The regularised incomplete gamma functions of float64 vectors, by the reference's formulas (lamina_ndarray/special/incomplete_gamma.py):
// by series, continued fraction, and Temme's uniform expansion, of which each item's region chooses one.
#pragma once

#include "loops/math/error_functions.hpp"
#include "loops/math/gamma_functions.hpp"

namespace lamina::LAMINA_ISA {

struct Both {
    F64 lower, upper;  // P and Q
};

// How many terms each way has: for float64, and for results that are rounded to float32.
struct InFull {
    static constexpr int kTerms = 75, kDepth = 50, kPowers = 25, kRows = 12, kLength = 20;
};
struct Shortly {
    static constexpr int kTerms = 42, kDepth = 16, kPowers = 17, kRows = 4, kLength = 10;
};

// x**a exp(-x) / gamma(a + 1). A large a is taken out by Stirling's formula, lest large logarithms cancel.
inline F64 gamma_density(const F64& a, const F64& x) {
    return by_region(a < 8.0, [&] { return dexp(a * dlog(x) - x - dlgamma(a + 1.0)); },
                     [&] {
                         const F64 mu = (x - a) / a;
                         const F64 exponent = choose((mu > -0.4) & (mu < 0.7), log1p_rest(mu), mu - dlog(x / a));
                         return dexp(-a * exponent - stirling_rest(a)) / dsqrt(2 * kPi * a);
                     });
}

// P over the density, for x < a + 1 (DLMF 8.11.4).
template <int kTerms>
inline F64 lower_by_series(const F64& a, const F64& x) {
    F64 total = x / (a + double(kTerms));
    for (int n = kTerms - 1; n > 0; --n) total = (total + 1.0) * x / (a + double(n));
    return total + 1.0;
}

// Q over the density, for x > max(a + 1, 2): Legendre's continued fraction, contracted (DLMF 8.9.2).
template <int kDepth>
inline F64 upper_by_fraction(const F64& a, const F64& x) {
    const F64 distance = x - a;
    F64 tail = distance + double(2 * kDepth + 1);
    for (int n = kDepth; n > 0; --n) tail = distance + double(2 * n - 1) - double(n) * (double(n) - a) / tail;
    return a / tail;
}

// For a < 1 and x < 2 (DLMF 8.7.1): neither is lost where the other is almost 1.
template <int kPowers>
inline Both both_by_powers(const F64& a, const F64& x) {
    const F64 logarithm = a * dlog(x) - lgamma1p(a), lead = dexp(logarithm);
    F64 power = -x, total = -x / (a + 1.0);
    for (int n = 2; n < kPowers; ++n) {
        power = power * x * (-1.0 / n);
        total += power / (a + double(n));
    }
    const F64 rest = lead * a * total;
    return {lead + rest, -dexpm1(logarithm) - rest};
}

constexpr int kTemmeRows = InFull::kRows, kTemmeLength = InFull::kLength;

struct TemmeCoefficients {
    double c[kTemmeRows][kTemmeLength];
};

// Row k: the Taylor coefficients of Temme's C_k(eta) (N. M. Temme, 1979; DLMF 8.12.7-12).
//
// With mu = x/a - 1 = sum(alpha[n] eta**n), mu mu' = eta (1 + mu) gives alpha; then d[0][n] = (n + 2) alpha[n + 2] and
// d[k][n] = (-1)**k g[k] d[0][n] + (n + 2) d[k - 1][n + 2], where g are the coefficients of Stirling's series.
constexpr TemmeCoefficients temme_coefficients() {
    constexpr int kCount = kTemmeLength + 2 * kTemmeRows + 3;
    double alpha[kCount] = {0, 1};
    for (int n = 2; n < kCount; ++n) {
        double known = 0;
        for (int j = 2; j < n; ++j) known += j * alpha[j] * alpha[n + 1 - j];
        alpha[n] = (alpha[n - 1] - known) / (n + 1);
    }
    double logarithm[kTemmeRows + 1] = {}, g[kTemmeRows + 1] = {1};
    for (int k = 1; 2 * k - 1 <= kTemmeRows; ++k) logarithm[2 * k - 1] = kBernoulli[k - 1] / (2 * k * (2 * k - 1));
    for (int k = 1; k <= kTemmeRows; ++k) {
        for (int j = 1; j <= k; ++j) g[k] += j * logarithm[j] * g[k - j];
        g[k] /= k;
    }
    double first[kCount] = {}, row[kCount] = {};
    for (int n = 0; n + 2 < kCount; ++n) first[n] = row[n] = (n + 2) * alpha[n + 2];
    first[0] = row[0] = -1.0 / 3;
    TemmeCoefficients found = {};
    for (int k = 0, count = kCount - 2; k < kTemmeRows; ++k, count -= 2) {
        if (k > 0)
            for (int n = 0; n < count; ++n) row[n] = (k % 2 == 1 ? -g[k] : g[k]) * first[n] + (n + 2) * row[n + 2];
        for (int n = 0; n < kTemmeLength - k; ++n) found.c[k][n] = row[n];
    }
    return found;
}

// Near x = a, for a large (DLMF 8.12.3-7).
template <int kRows, int kLength>
inline Both both_by_temme(const F64& a, const F64& x) {
    static constexpr TemmeCoefficients rows = temme_coefficients();
    const F64 mu = (x - a) / a, half_square = log1p_rest(mu), size = dsqrt(2.0 * half_square), inverse = 1.0 / a;
    const F64 eta = choose(mu < 0.0, -size, size);
    F64 total = {};
    for (int k = kRows - 1; k >= 0; --k) {
        F64 row = every(rows.c[k][kLength - 1 - k]);
        for (int n = kLength - 2 - k; n >= 0; --n) row = row * eta + rows.c[k][n];
        total = total * inverse + row;
    }
    const F64 rest = total * dexp(-a * half_square) / dsqrt(2 * kPi * a), scaled = eta * dsqrt(0.5 * a);
    return {0.5 * derfc(-scaled) - rest, 0.5 * derfc(scaled) + rest};
}

template <class Way>
inline Both incomplete_gamma(const F64& a, const F64& x) {
    const I64 powers = (a < 1.0) & (x < 2.0);
    const I64 uniform = (a >= 30.0) & (magnitude(x - a) < 0.4 * a);  // the expansion, cut as it is, is exact to rounding
    const I64 series = ~powers & ~uniform & (x < a + 1.0), fraction = ~powers & ~uniform & ~series;
    const auto put = [](Both& found, const I64& where, const F64& lower, const F64& upper) {
        found = {choose(where, lower, found.lower), choose(where, upper, found.upper)};
    };
    Both found = {};
    if (any_lane(series)) {
        const F64 lower = gamma_density(a, x) * lower_by_series<Way::kTerms>(a, x);
        put(found, series, lower, 1.0 - lower);
    }
    if (any_lane(fraction)) {
        const F64 upper = gamma_density(a, x) * upper_by_fraction<Way::kDepth>(a, x);
        put(found, fraction, 1.0 - upper, upper);
    }
    if (any_lane(powers)) {
        const Both both = both_by_powers<Way::kPowers>(a, x);
        put(found, powers, both.lower, both.upper);
    }
    if (any_lane(uniform)) {
        const Both both = both_by_temme<Way::kRows, Way::kLength>(a, x);
        put(found, uniform, both.lower, both.upper);
    }
    return found;
}

// The limits where a or x is 0 or infinite; NaN where there is none, or an argument is negative or NaN.
inline F64 at_the_ends(const F64& a, const F64& x, const F64& inside, double at_zero, double at_infinity) {
    const I64 nothing = (x == 0.0) | (a == __builtin_inf()), everything = (a == 0.0) | (x == __builtin_inf());
    const F64 found = choose(nothing, every(at_zero), choose(everything, every(at_infinity), inside));
    return choose((nothing & everything) | ~(a >= 0.0) | ~(x >= 0.0), every(__builtin_nan("")), found);
}

template <class Way>
[[gnu::noinline]] inline F64 gamma_lower(const F64& a, const F64& x) {
    return at_the_ends(a, x, incomplete_gamma<Way>(a, x).lower, 0, 1);
}
template <class Way>
[[gnu::noinline]] inline F64 gamma_upper(const F64& a, const F64& x) {
    return at_the_ends(a, x, incomplete_gamma<Way>(a, x).upper, 1, 0);
}

}  // namespace lamina::LAMINA_ISA
