// Functions of float64 vectors with as many digits as float32 wants of them.
#pragma once

#include "loops/math/double_math.hpp"

namespace lamina::LAMINA_ISA {

// log2 of x >= 0 and exp2 with as many digits as float32 wants of a power: 2**-33 of the logarithm.
inline F64 short_log2(const F64& n, const F64& f) {  // of 2**n (1 + f)
    static constexpr double c[] = {0.279349661829529424, 0.3201539501483287221, 0.4122032903393472352, 0.5770779989825227489,
                                   0.9617966939362123745};
    const F64 s = f / (2.0 + f), z = s * s;
    return n + s * (2.8853900817779268147 + z * polynomial(z, c));
}

inline F64 short_log2(const F64& x) {
    F64 f;
    const F64 n = split_log(x, f), y = choose(x == 0.0, every(-__builtin_inf()), short_log2(n, f));
    return choose(x == __builtin_inf(), x, choose(x != x, x, y));
}

inline F64 bounded_exp2(const F64& x) {  // |x| <= 1000
    static constexpr double c[] = {1.325094711138749455e-6, 0.0000153039050905845512, 0.0001540347474318425146,
                                   0.001333347783375669881, 0.009618129135569292991, 0.05550410906806735203,
                                   0.2402265069588815444, 0.6931471805567822295};
    const F64 shifted = x + kRounding64, r = x - (shifted - kRounding64);
    return (1.0 + r * polynomial(r, c)) * power_of_two(bits_as<U64>(shifted) - bits_as<U64>(every(kRounding64)));
}

inline F64 short_exp2(F64 x) {
    x = choose(x > 200.0, every(200.0), x);
    x = choose(x < -200.0, every(-200.0), x);  // subnormal or 0 when it is rounded to float32
    return bounded_exp2(x);
}

// exp(-x**2) P(x) / Q(x), interpolated at Chebyshev nodes of x / (x + 2.5), in 40 digits: within 2**-32. From 10.7 on it is 0 in float32.
inline F64 short_erfc(const F64& x) {
    static constexpr double p[] = {0.010384995404278332, 0.0953072221833677, 0.41011474721642277, 1.0134621207726437, 1.4443481804681315,
                                   0.9999999999072174};
    static constexpr double q[] = {0.01840694302929949, 0.1689267673083256, 0.7361323399564631, 1.8805266096186724, 2.9164743354608573,
                                   2.5727273345736617, 1.0};
    F64 size = magnitude(x);
    size = choose(size > 10.7, every(10.7), size);
    const F64 tail = bounded_exp2(size * size * -1.4426950408889634074) * polynomial(size, p) / polynomial(size, q);
    return choose(x < 0.0, 2.0 - tail, tail);
}

// x P(w) / Q(w) with w = -log(1 - x**2), interpolated at Chebyshev nodes of w / (w + 12), in 45 digits: within 2**-30 for float32's x.
inline F64 short_erfinv(const F64& x) {
    static constexpr double p[] = {-5.560297767553557e-07, 1.6859273104725557e-05, 0.0005262228604342492, 0.006787594024472066,
                                   0.054119229932985354, 0.28870194599879634, 0.8862269255199376};
    static constexpr double q[] = {-3.323982900392501e-08, -2.0645872694877504e-06, 0.0001667771334938216, 0.001268945676179498,
                                   0.03128872202902372, 0.06396587717178502, 1.0};
    F64 f;
    const F64 size = magnitude(x), n = split_ordinary(1.0 - x * x, f), w = short_log2(n, f) * -0.69314718055994530942;
    const F64 found = choose(size == 1.0, x * __builtin_inf(), x * polynomial(w, p) / polynomial(w, q));
    return choose(size <= 1.0, found, every(__builtin_nan("")));
}

}  // namespace lamina::LAMINA_ISA
