// Bessel functions of order 0 and 1, and Airy's, of float64 vectors, by the reference's formulas (lamina_ndarray/special/bessel.py).
#pragma once

#include "loops/math/approximations.hpp"

namespace lamina::LAMINA_ISA {

constexpr double kTwoOverPi = 0.63661977236758134308;

// -- first and second kind ---------------------------------------------------------------------------------------------

// Hankel's expansion for x >= 8 (DLMF 10.17.3-4). The phase x - pi/4 or x - 3 pi/4 is turned by adding sin and cos of x itself,
// so that it is not rounded: `by_cosine` pairs P with sin + cos, else with sin - cos.
template <class P, class Q>
inline F64 bessel_far(const F64& x, const P& p, const Q& q, bool by_cosine, double sign_of_p) {
    const F64 inverse = 8.0 / x, square = inverse * inverse;
    const F64 modulus = rational(square, p) * sign_of_p, shift = rational(square, q) / x;
    const F64 s = dsin(x), c = dcos(x), plus = s + c, minus = s - c;
    const F64 wave = by_cosine ? modulus * plus - shift * sign_of_p * minus : modulus * minus + shift * plus;
    return choose(x == __builtin_inf(), every(0.0), wave / dsqrt(3.14159265358979323846 * x));
}

inline F64 bessel_variable(const F64& x) { return x * x * (1.0 / 32) - 1.0; }

[[gnu::noinline]] inline F64 dbessel_j0(const F64& x) {
    const F64 size = magnitude(x);
    return by_region(size < 8.0, [&] { return rational(bessel_variable(x), kJ0Low); },
                     [&] { return bessel_far(size, kP0, kQ0, true, 1); });
}

[[gnu::noinline]] inline F64 dbessel_j1(const F64& x) {
    const F64 size = magnitude(x);
    return by_region(size < 8.0, [&] { return x * rational(bessel_variable(x), kJ1Low); },
                     [&] {
                         const F64 far = bessel_far(size, kP1, kQ1, false, 1);
                         return choose(x < 0.0, -far, far);
                     });
}

[[gnu::noinline]] inline F64 dbessel_y0(const F64& x) {
    return by_region(x < 8.0,
                     [&] {
                         const F64 t = bessel_variable(x);
                         return dlog(x) * kTwoOverPi * rational(t, kJ0Low) + rational(t, kY0Low);
                     },
                     [&] { return bessel_far(x, kP0, kQ0, false, 1); });
}

[[gnu::noinline]] inline F64 dbessel_y1(const F64& x) {
    const F64 found = by_region(
        x < 8.0,
        [&] {
            const F64 t = bessel_variable(x);
            return (dlog(x) * x * rational(t, kJ1Low) - 1.0 / x) * kTwoOverPi + x * rational(t, kY1Low);
        },
        [&] { return bessel_far(x, kP1, kQ1, true, -1); });
    return choose(x == 0.0, every(-__builtin_inf()), found);
}

// -- modified, first kind ----------------------------------------------------------------------------------------------

// exp(|x|) * scaled, in two halves: the product overflows later than the exponential.
inline F64 unscaled(const F64& x, const F64& scaled) {
    const F64 size = magnitude(x), half = dexp(choose(size > 2000.0, every(2000.0), size) * 0.5);
    return choose((scaled == 0.0) & (x == 0.0), x, half * scaled * half);  // I1 is 0 at 0; NaN at infinity, as PyTorch's
}

[[gnu::noinline]] inline F64 di0e(const F64& x) {
    const F64 size = magnitude(x);
    return by_region(size < 8.0, [&] { return rational(size * 0.125, kI0eLow); },
                     [&] { return rational(16.0 / size - 1.0, kI0eHigh) / dsqrt(size); });
}

[[gnu::noinline]] inline F64 di1e(const F64& x) {
    const F64 size = magnitude(x);
    return by_region(size < 8.0, [&] { return x * rational(size * 0.125, kI1eLow); },
                     [&] {
                         const F64 far = rational(16.0 / size - 1.0, kI1eHigh) / dsqrt(size);
                         return choose(x < 0.0, -far, far);
                     });
}

[[gnu::noinline]] inline F64 di0(const F64& x) { return unscaled(magnitude(x), di0e(x)); }
[[gnu::noinline]] inline F64 di1(const F64& x) { return unscaled(x, di1e(x)); }

// -- modified, second kind ---------------------------------------------------------------------------------------------

struct SecondKindSeries {
    double c[14];
};

// The power series beside the logarithm, in x**2 / 4 (DLMF 10.31.1-2).
constexpr SecondKindSeries second_kind_series(int order) {
    SecondKindSeries found = {};
    double psi = -0.57721566490153286061, factorial = 1;
    for (int k = 0; k < 14; ++k) {
        const double following = psi + 1.0 / (k + 1);
        found.c[k] = order == 0 ? psi / (factorial * factorial) : -0.25 * (psi + following) / (factorial * factorial * (k + 1));
        factorial *= k + 1;
        psi = following;
    }
    return found;
}

inline F64 k0_near(const F64& x) {
    static constexpr SecondKindSeries series = second_kind_series(0);
    return ascending(x * x * 0.25, series.c) - dlog(x * 0.5) * di0(x);
}

inline F64 k1_near(const F64& x) {
    static constexpr SecondKindSeries series = second_kind_series(1);
    const F64 near = 1.0 / x + dlog(x * 0.5) * di1(x) + x * ascending(x * x * 0.25, series.c);
    return choose(x == 0.0, every(__builtin_inf()), near);
}

template <class High>
inline F64 k_far(const F64& x, const High& fit) {
    return rational(2.0 / x, fit) / dsqrt(x);
}

[[gnu::noinline]] inline F64 dk0(const F64& x) {
    return by_region(x <= 2.0, [&] { return k0_near(x); }, [&] { return dexp(-x) * k_far(x, kK0eHigh); });
}
[[gnu::noinline]] inline F64 dk1(const F64& x) {
    return by_region(x <= 2.0, [&] { return k1_near(x); }, [&] { return dexp(-x) * k_far(x, kK1eHigh); });
}
[[gnu::noinline]] inline F64 dk0e(const F64& x) {
    return by_region(x <= 2.0, [&] { return dexp(x) * k0_near(x); }, [&] { return k_far(x, kK0eHigh); });
}
[[gnu::noinline]] inline F64 dk1e(const F64& x) {
    return by_region(x <= 2.0, [&] { return dexp(x) * k1_near(x); }, [&] { return k_far(x, kK1eHigh); });
}

// -- Airy's ------------------------------------------------------------------------------------------------------------

[[gnu::noinline]] inline F64 dairy_ai(const F64& x) {
    constexpr double kRightFrom = 1.88561808316412673174;  // the phase at 2,
    constexpr double kLeftFrom = 6.36396103067892771964;   // and at -4.5
    const auto centre = [&] {
        return by_region(x < 0.0, [&] { return rational(x * (1 / 2.25) + 1.0, kAiryLeft); }, [&] { return rational(x - 1.0, kAiryCentre); });
    };
    const auto outer = [&] {
        const F64 size = magnitude(x), root = dsqrt(size), phase = size * root * (2.0 / 3), quarter = dsqrt(root);
        return by_region(x < 0.0,
                         [&] {
                             const F64 inverse = kLeftFrom / phase, square = inverse * inverse, s = dsin(phase), c = dcos(phase);
                             const F64 wave = rational(square, kAiryP) * (c + s) + rational(square, kAiryQ) / phase * (s - c);
                             return choose(size == __builtin_inf(), every(0.0), wave / (2.50662827463100050242 * quarter));
                         },
                         [&] { return rational(kRightFrom / phase, kAiryRight) * dexp(-phase) / (3.54490770181103205460 * quarter); });
    };
    return by_region((x >= -4.5) & (x <= 2.0), centre, outer);
}

}  // namespace lamina::LAMINA_ISA
