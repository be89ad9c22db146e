// Map rows of dtypes that are seldom computed with, compiled once, for any processor: short and unsigned integers, complex numbers.
#define LAMINA_ISA anywhere
#include <cmath>
#include <complex>

#include "kernel.hpp"
#include "loops/integer_rows.hpp"

namespace lamina::LAMINA_ISA {

using C64 = std::complex<float>;
using C128 = std::complex<double>;

struct Sixteen {
    uint64_t low, high;
};

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
struct ComplexSquare {
    template <class C>
    static C of(C a) { return ComplexMultiply::of(a, a); }
};
// Smith's algorithm: scaled by the greater part of the divisor, so that nothing overflows on the way.
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
struct Modulus {
    template <class C>
    static auto of(C a) { return std::hypot(a.real(), a.imag()); }
};
struct ComplexEqual {
    template <class C>
    static uint8_t of(C a, C b) { return uint8_t((a.real() == b.real()) & (a.imag() == b.imag())); }
};
struct ComplexNotEqual {
    template <class C>
    static uint8_t of(C a, C b) { return uint8_t((a.real() != b.real()) | (a.imag() != b.imag())); }
};

#define LAMINA_COMPLEX_ROWS(C, code, T, real_code)                                                      \
    {"add", code, code, 2, 2, binary<ComplexAdd, C, C>}, {"subtract", code, code, 2, 2, binary<ComplexSubtract, C, C>}, \
    {"multiply", code, code, 2, 2, binary<ComplexMultiply, C, C>}, {"divide", code, code, 2, 6, binary<ComplexDivide, C, C>}, \
    {"square", code, code, 1, 2, unary<ComplexSquare, C, C>}, {"negative", code, code, 1, 2, unary<ComplexNegative, C, C>}, \
    {"abs", code, real_code, 1, 6, unary<Modulus, C, T>},                                               \
    {"equal", code, kBool, 2, 2, binary<ComplexEqual, C, uint8_t>},                                     \
    {"not_equal", code, kBool, 2, 2, binary<ComplexNotEqual, C, uint8_t>},

const MapRow kRare[] = {
    LAMINA_INTEGER_ROWS(int8_t, kInt8) LAMINA_INTEGER_ROWS(int16_t, kInt16) LAMINA_INTEGER_ROWS(uint16_t, kUInt16)
    LAMINA_INTEGER_ROWS(uint32_t, kUInt32) LAMINA_INTEGER_ROWS(uint64_t, kUInt64)
    LAMINA_COMPLEX_ROWS(C64, kComplex64, float, kFloat32) LAMINA_COMPLEX_ROWS(C128, kComplex128, double, kFloat64)
    {"where", kFloat16, kFloat16, 3, 1, where<uint16_t>}, {"where", kBFloat16, kBFloat16, 3, 1, where<uint16_t>},
    {"where", kComplex64, kComplex64, 3, 1, where<uint64_t>}, {"where", kComplex128, kComplex128, 3, 2, where<Sixteen>},
};

const Maps kRareMaps = {kRare, int(sizeof kRare / sizeof *kRare)};

}  // namespace lamina::LAMINA_ISA

namespace lamina {

const Maps& rare_maps() { return anywhere::kRareMaps; }

}  // namespace lamina
