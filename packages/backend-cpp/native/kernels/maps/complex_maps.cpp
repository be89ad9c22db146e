// Map rows of complex numbers that are compiled once, for any processor; their functions are those of C's library, by parts where it has none.
#define LAMINA_ISA anywhere
#include <cmath>
#include <complex>

#include "kernels/maps/map.hpp"
#include "loops/vectors/item_loops.hpp"

namespace lamina::LAMINA_ISA {

using C64 = std::complex<float>;
using C128 = std::complex<double>;

LAMINA_BINARY(FromParts, std::complex<T>(a, b))
LAMINA_BINARY(FromLengthAndAngle, std::complex<T>(a * std::cos(b), a * std::sin(b)))

struct ComplexAdd {
    template <class C>
    static C of(C a, C b) { return {a.real() + b.real(), a.imag() + b.imag()}; }
};
struct ComplexSubtract {
    template <class C>
    static C of(C a, C b) { return {a.real() - b.real(), a.imag() - b.imag()}; }
};
struct ComplexMultiply {
    template <class C>
    static C of(C a, C b) { return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()}; }
};
// Smith's algorithm, of one number; loops/maps/complex_numbers.cpp has it for vectors.
struct ComplexDivide {
    template <class C>
    static C of(C a, C b) {
        using T = typename C::value_type;
        const T size = std::fabs(b.real()), other = std::fabs(b.imag());
        if (size >= other) {
            if (size == 0 && other == 0) return {a.real() / size, a.imag() / other};
            const T ratio = b.imag() / b.real(), scale = T(1) / (b.real() + b.imag() * ratio);
            return {(a.real() + a.imag() * ratio) * scale, (a.imag() - a.real() * ratio) * scale};
        }
        const T ratio = b.real() / b.imag(), scale = T(1) / (b.imag() + b.real() * ratio);
        return {(a.real() * ratio + a.imag()) * scale, (a.imag() * ratio - a.real()) * scale};
    }
};
struct ComplexNegative {
    template <class C>
    static C of(C a) { return {-a.real(), -a.imag()}; }
};
struct ComplexEqual {
    template <class C>
    static uint8_t of(C a, C b) { return uint8_t((a.real() == b.real()) & (a.imag() == b.imag())); }
};
struct ComplexNotEqual {
    template <class C>
    static uint8_t of(C a, C b) { return uint8_t((a.real() != b.real()) | (a.imag() != b.imag())); }
};

struct ComplexInverse {
    template <class C>
    static C of(C a) { return ComplexDivide::of(C(1), a); }
};

#define LAMINA_BY_LIBRARY(Name, expression) \
    struct Name {                           \
        template <class C>                  \
        static C of(C x) {                  \
            using T = typename C::value_type; \
            return expression;              \
        }                                   \
    };

LAMINA_BY_LIBRARY(ComplexSqrt, std::sqrt(x)) LAMINA_BY_LIBRARY(ComplexRsqrt, ComplexInverse::of(std::sqrt(x)))
LAMINA_BY_LIBRARY(ComplexExp, std::exp(x)) LAMINA_BY_LIBRARY(ComplexExp2, std::exp(x * T(0.69314718055994530942)))
LAMINA_BY_LIBRARY(ComplexLog, std::log(x)) LAMINA_BY_LIBRARY(ComplexLog2, std::log(x) * T(1.4426950408889634074))
LAMINA_BY_LIBRARY(ComplexLog10, std::log(x) * T(0.43429448190325182765))
LAMINA_BY_LIBRARY(ComplexLog1p, C(std::log(std::hypot(x.real() + T(1), x.imag())), std::atan2(x.imag(), x.real() + T(1))))
LAMINA_BY_LIBRARY(ComplexSin, std::sin(x)) LAMINA_BY_LIBRARY(ComplexCos, std::cos(x)) LAMINA_BY_LIBRARY(ComplexTan, std::tan(x))
LAMINA_BY_LIBRARY(ComplexSinh, std::sinh(x)) LAMINA_BY_LIBRARY(ComplexCosh, std::cosh(x)) LAMINA_BY_LIBRARY(ComplexTanh, std::tanh(x))
LAMINA_BY_LIBRARY(ComplexAsin, std::asin(x)) LAMINA_BY_LIBRARY(ComplexAcos, std::acos(x)) LAMINA_BY_LIBRARY(ComplexAtan, std::atan(x))
LAMINA_BY_LIBRARY(ComplexAsinh, std::asinh(x)) LAMINA_BY_LIBRARY(ComplexAcosh, std::acosh(x))
LAMINA_BY_LIBRARY(ComplexAtanh, std::atanh(x))
LAMINA_BY_LIBRARY(ComplexSigmoid, ComplexInverse::of(C(1) + std::exp(-x)))
LAMINA_BY_LIBRARY(ComplexSilu, ComplexDivide::of(x, C(1) + std::exp(-x)))
LAMINA_BY_LIBRARY(ComplexRound, C(std::rint(x.real()), std::rint(x.imag())))

// expm1(a) cos(b) - 2 sin(b/2)**2 and exp(a) sin(b); at infinities, exp(x) - 1.
struct ComplexExpm1 {
    template <class C>
    static C of(C x) {
        using T = typename C::value_type;
        const C power = std::exp(x);
        if (!std::isfinite(x.real()) || !std::isfinite(x.imag())) return {power.real() - T(1), power.imag()};
        const T half = std::sin(x.imag() / T(2));
        return {std::expm1(x.real()) * std::cos(x.imag()) - T(2) * half * half, power.imag()};
    }
};
// Of whole exponents by repeated squaring, of others by logarithms; 0 to a power without direction is NaN.
struct ComplexPower {
    template <class C>
    static C of(C a, C b) {
        using T = typename C::value_type;
        const T size = std::fabs(b.real());
        if (b == C(0)) return C(1);
        if (a == C(0)) return b.real() > T(0) ? C(0) : C(T(NAN), T(NAN));
        if (b.imag() != T(0) || !(size < T(100)) || std::trunc(size) != size) return std::pow(a, b);
        C power(1), square = a;
        for (int rest = int(size); rest != 0; rest >>= 1, square = ComplexMultiply::of(square, square))
            if (rest & 1) power = power == C(1) ? square : ComplexMultiply::of(power, square);
        return b.real() < T(0) ? ComplexInverse::of(power) : power;
    }
};
// One exponent for all: 2 is the usual one, and has a row.
template <class C, int kCode>
void complex_powers(char* const* p, const int64_t* s, int64_t n) {
    static const MapRow* const square = map_row("square", kCode);
    if (s[2] != 0 || *reinterpret_cast<const C*>(p[2]) != C(2)) return binary<ComplexPower, C, C>(p, s, n);
    square->loop(p, s, n);
}
// From the one with the greater real part; of equals, that and log(2).
struct ComplexLogAddExp {
    template <class C>
    static C of(C a, C b) {
        using T = typename C::value_type;
        const C great = a.real() >= b.real() ? a : b, small = a.real() >= b.real() ? b : a;
        return great == small ? great + C(T(0.69314718055994530942)) : great + ComplexLog1p::of(std::exp(small - great));
    }
};
// From the nearer end, so that weight 1 gives b itself.
struct ComplexLerp {
    template <class C>
    static C of(C a, C b, C weight) {
        using T = typename C::value_type;
        const C reach = b - a;
        return std::hypot(weight.real(), weight.imag()) < T(0.5) ? a + ComplexMultiply::of(weight, reach)
                                                                 : b - ComplexMultiply::of(reach, C(1) - weight);
    }
};
struct ComplexAddcmul {
    template <class C>
    static C of(C a, C b, C c, C value) { return a + ComplexMultiply::of(ComplexMultiply::of(value, c), b); }
};
struct ComplexAddcdiv {
    template <class C>
    static C of(C a, C b, C c, C value) { return a + ComplexDivide::of(ComplexMultiply::of(value, b), c); }
};
LAMINA_UNARY(ComplexNot, uint8_t(x == T(0)))
LAMINA_UNARY(ComplexIsNan, uint8_t((x.real() != x.real()) | (x.imag() != x.imag())))
LAMINA_UNARY(ComplexIsInf, uint8_t(std::isinf(x.real()) | std::isinf(x.imag())))
LAMINA_UNARY(ComplexIsFinite, uint8_t(std::isfinite(x.real()) & std::isfinite(x.imag())))
LAMINA_BINARY(ComplexAnd, uint8_t((a != T(0)) & (b != T(0))))
LAMINA_BINARY(ComplexOr, uint8_t((a != T(0)) | (b != T(0))))
LAMINA_BINARY(ComplexXor, uint8_t((a != T(0)) ^ (b != T(0))))

template <class F, class C>
void quaternary(char* const* p, const int64_t* s, int64_t n) {
    C* out = reinterpret_cast<C*>(p[0]);
    const C *a = reinterpret_cast<const C*>(p[1]), *b = reinterpret_cast<const C*>(p[2]), *c = reinterpret_cast<const C*>(p[3]);
    const C value = *reinterpret_cast<const C*>(p[4]);
    for (int64_t i = 0; i < n; ++i) out[i * s[0]] = F::of(a[i * s[1]], b[i * s[2]], c[i * s[3]], value);
}

#define LAMINA_CURVES(C, code)                                                                                              \
    LAMINA_CURVE("sqrt", ComplexSqrt, C, code, 20)                                                                          \
    LAMINA_CURVE("rsqrt", ComplexRsqrt, C, code, 25) LAMINA_CURVE("exp", ComplexExp, C, code, 30)                           \
    LAMINA_CURVE("exp2", ComplexExp2, C, code, 30) LAMINA_CURVE("expm1", ComplexExpm1, C, code, 60)                         \
    LAMINA_CURVE("log", ComplexLog, C, code, 40) LAMINA_CURVE("log2", ComplexLog2, C, code, 40)                             \
    LAMINA_CURVE("log10", ComplexLog10, C, code, 40) LAMINA_CURVE("log1p", ComplexLog1p, C, code, 40)                       \
    LAMINA_CURVE("sin", ComplexSin, C, code, 40) LAMINA_CURVE("cos", ComplexCos, C, code, 40)                               \
    LAMINA_CURVE("tan", ComplexTan, C, code, 60) LAMINA_CURVE("sinh", ComplexSinh, C, code, 40)                             \
    LAMINA_CURVE("cosh", ComplexCosh, C, code, 40) LAMINA_CURVE("tanh", ComplexTanh, C, code, 60)                           \
    LAMINA_CURVE("asin", ComplexAsin, C, code, 60) LAMINA_CURVE("acos", ComplexAcos, C, code, 60)                           \
    LAMINA_CURVE("atan", ComplexAtan, C, code, 60) LAMINA_CURVE("asinh", ComplexAsinh, C, code, 60)                         \
    LAMINA_CURVE("acosh", ComplexAcosh, C, code, 60) LAMINA_CURVE("atanh", ComplexAtanh, C, code, 60)                       \
    LAMINA_CURVE("sigmoid", ComplexSigmoid, C, code, 40) LAMINA_CURVE("silu", ComplexSilu, C, code, 40)                     \
    LAMINA_CURVE("round", ComplexRound, C, code, 2)
#define LAMINA_CURVE(name, F, C, code, cost) {name, code, code, 1, cost, unary<F, C, C>},
#define LAMINA_TO_BOOL1(name, F, C, code) {name, code, kBool, 1, 2, unary<F, C, uint8_t>},
#define LAMINA_TO_BOOL2(name, F, C, code) {name, code, kBool, 2, 2, binary<F, C, uint8_t>},
#define LAMINA_COMPLEX_ROWS(C, code, T, real_code)                                                      \
    {"add", code, code, 2, 2, binary<ComplexAdd, C, C>}, {"subtract", code, code, 2, 2, binary<ComplexSubtract, C, C>}, \
    {"negative", code, code, 1, 2, unary<ComplexNegative, C, C>},                                       \
    {"complex", real_code, code, 2, 1, binary<FromParts, T, C>},                                        \
    {"polar", real_code, code, 2, 30, binary<FromLengthAndAngle, T, C>},                                \
    {"equal", code, kBool, 2, 2, binary<ComplexEqual, C, uint8_t>},                                     \
    {"not_equal", code, kBool, 2, 2, binary<ComplexNotEqual, C, uint8_t>}, \
    LAMINA_CURVES(C, code)                                                                              \
    {"pow", code, code, 2, 60, complex_powers<C, code>}, {"logaddexp", code, code, 2, 80, binary<ComplexLogAddExp, C, C>}, \
    {"lerp", code, code, 3, 8, ternary<ComplexLerp, C>},                                                \
    {"addcmul", code, code, 4, 4, quaternary<ComplexAddcmul, C>}, {"addcdiv", code, code, 4, 8, quaternary<ComplexAddcdiv, C>}, \
    LAMINA_TO_BOOL1("logical_not", ComplexNot, C, code) LAMINA_TO_BOOL1("isnan", ComplexIsNan, C, code)      \
    LAMINA_TO_BOOL1("isinf", ComplexIsInf, C, code) LAMINA_TO_BOOL1("isfinite", ComplexIsFinite, C, code)   \
    LAMINA_TO_BOOL2("logical_and", ComplexAnd, C, code) LAMINA_TO_BOOL2("logical_or", ComplexOr, C, code)    \
    LAMINA_TO_BOOL2("logical_xor", ComplexXor, C, code)

const MapRow kComplex[] = {LAMINA_COMPLEX_ROWS(C64, kComplex64, float, kFloat32) LAMINA_COMPLEX_ROWS(C128, kComplex128, double, kFloat64)};

const Maps kComplexMaps = {kComplex, int(sizeof kComplex / sizeof *kComplex)};

}  // namespace lamina::LAMINA_ISA

namespace lamina {

const Registration registration([](const Loops&) { register_maps(anywhere::kComplexMaps); });

}  // namespace lamina
