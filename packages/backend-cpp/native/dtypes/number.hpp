// Number types that C++ lacks: float16 and bfloat16.
#pragma once

#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace lamina {

struct Bool {
    uint8_t bits;
};

struct Half {
    uint16_t bits;

    // Rounds once, to nearest, ties to even. The significand is found as a whole number of quanta.
    static Half from(double value) {
        uint64_t word;
        std::memcpy(&word, &value, 8);
        const uint16_t sign = uint16_t(word >> 48) & 0x8000;
        const double size = std::fabs(value);
        if (!(size < 65520.0)) return {uint16_t(sign | (size == size ? 0x7c00 : 0x7e00))};
        int exponent = int(word >> 52 & 0x7ff) - 1023;
        if (exponent < -14) exponent = -14;
        const uint64_t scale_word = uint64_t(1023 + 10 - exponent) << 52;
        double scale;
        std::memcpy(&scale, &scale_word, 8);
        const double quanta = (size * scale + 4503599627370496.0) - 4503599627370496.0;  // 2**52: rounds to an integer
        return {uint16_t(sign | (uint16_t((exponent + 14) << 10) + uint16_t(int(quanta))))};
    }

    double value() const {
        const int exponent = bits >> 10 & 31, fraction = bits & 1023;
        double size;
        if (exponent == 0)
            size = fraction * 0x1p-24;
        else if (exponent == 31)
            size = fraction ? NAN : INFINITY;
        else {
            const uint64_t word = uint64_t(exponent - 15 + 1023) << 52 | uint64_t(fraction) << 42;
            std::memcpy(&size, &word, 8);
        }
        return bits & 0x8000 ? -size : size;
    }
};

struct BFloat16 {
    uint16_t bits;

    static BFloat16 from(double value) {
        const float narrow = float(value);
        uint32_t word;
        std::memcpy(&word, &narrow, 4);
        if (narrow != narrow) return {uint16_t((word >> 16 & 0x8000) | 0x7fc0)};
        return {uint16_t((word + 0x7fff + (word >> 16 & 1)) >> 16)};
    }

    double value() const {
        const uint32_t word = uint32_t(bits) << 16;
        float wide;
        std::memcpy(&wide, &word, 4);
        return wide;
    }
};

template <class T>
constexpr bool is_complex = std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>;

// A number as one that C++ computes with: integers and floating point as they are, the real part of complex.
template <class T>
inline auto plain(T x) {
    if constexpr (std::is_same_v<T, Bool>)
        return uint8_t(x.bits != 0);
    else if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>)
        return x.value();
    else if constexpr (is_complex<T>)
        return x.real();
    else
        return x;
}

// What was computed, in the type that it is kept in. (Dtypes are made of each other in loops/copies/casts.cpp.)
template <class To, class From>
inline To converted(From x) {
    if constexpr (std::is_same_v<To, From>)
        return x;
    else if constexpr (std::is_same_v<To, Half> || std::is_same_v<To, BFloat16>)
        return To::from(double(x));
    else
        return To(x);
}

}  // namespace lamina
