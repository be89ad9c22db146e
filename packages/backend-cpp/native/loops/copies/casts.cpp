// Every dtype from every other. Items of 16 bits are computed with as float32, a block at a time.
#include <cmath>
#include <type_traits>
#include <utility>

#include "loops/copies/truncation.hpp"
#include "loops/tables.hpp"

namespace lamina::LAMINA_ISA {

struct Boolean {
    uint8_t bits;
};

template <class T>
struct Complex {
    T real, imag;
};

template <class T>
constexpr bool kIsComplex = false;
template <class T>
constexpr bool kIsComplex<Complex<T>> = true;

// An item as what C++ computes with; of a complex one the real part.
template <class T>
inline auto number(T x) {
    if constexpr (std::is_same_v<T, Boolean>)
        return uint8_t(x.bits != 0);
    else if constexpr (kIsComplex<T>)
        return x.real;
    else
        return x;
}

template <class T>
using Number = decltype(number(T()));

template <class To, class From>
inline To cast(From x) {
    if constexpr (std::is_same_v<To, Boolean>) {
        if constexpr (kIsComplex<From>)
            return {uint8_t((x.real != 0) | (x.imag != 0))};
        else
            return {uint8_t(number(x) != 0)};
    } else if constexpr (kIsComplex<To>) {
        using Part = decltype(To::real);
        if constexpr (kIsComplex<From>)
            return {Part(x.real), Part(x.imag)};
        else
            return {Part(number(x)), Part(0)};
    } else if constexpr (std::is_integral_v<To> && std::is_floating_point_v<Number<From>>) {
        return truncated<To>(number(x));
    } else {
        return To(number(x));
    }
}

// float64 as a float32 that rounds to float16 as it would have itself: one with an odd last bit lies on the same side of what is
// halfway between two. (S. Boldo and G. Melquiond, "When double rounding is odd", 2005.)
inline float to_odd(double x) {
    const float near = float(x);
    const double back = near;
    const uint32_t inexact = back != x, away = std::fabs(back) > std::fabs(x);
    return bits_as<float>((bits_as<uint32_t>(near) - away) | inexact);
}

// To float32, for an item that is rounded to 16 bits next.
template <bool kBrain>
struct ToFloat {
    template <class From>
    static inline float of(From x) {
        const auto value = number(x);
        using T = Number<From>;
        if constexpr (std::is_same_v<T, double> && !kBrain)
            return to_odd(value);
        else if constexpr (std::is_integral_v<T> && sizeof(T) == 8)
            return float(double(value));
        else
            return float(value);
    }
};

template <class To>
struct Cast {
    template <class From>
    static inline To of(From x) {
        return cast<To>(x);
    }
};

template <class F, class To, class From>
inline void each(To* out, const From* x, int64_t so, int64_t sx, int64_t n) {
    if (so == 1 && sx == 1) {
#pragma GCC ivdep
        for (int64_t i = 0; i < n; ++i) out[i] = F::of(x[i]);
    } else {
        for (int64_t i = 0; i < n; ++i) out[i * so] = F::of(x[i * sx]);
    }
}

constexpr int64_t kBlock = 512;  // items that pass through float32 at once

template <class To, class From>
constexpr bool through_32_bits() {
#if defined(__AVX512DQ__)
    constexpr bool wide = false;
#else
    constexpr bool wide = std::is_same_v<To, int64_t>;
#endif
    return std::is_floating_point_v<From> && std::is_integral_v<To> && (sizeof(To) < 4 || std::is_same_v<To, int32_t> || wide);
}

template <class To, class From>
inline void cast_row(To* out, const From* x, int64_t so, int64_t sx, int64_t n) {
    if constexpr (through_32_bits<To, From>())
        if (so == 1 && sx == 1) return truncate_through_32_bits(out, x, n);
    each<Cast<To>>(out, x, so, sx, n);
}

template <class To, class From>
void cast_loop(char* const* p, const int64_t* s, int64_t n) {
    cast_row(reinterpret_cast<To*>(p[0]), reinterpret_cast<const From*>(p[1]), s[0], s[1], n);
}

template <bool kBrain, class To>
void from_narrow(char* const* p, const int64_t* s, int64_t n) {
    To* out = reinterpret_cast<To*>(p[0]);
    if constexpr (std::is_same_v<To, float>)
        if (s[0] == 1) return narrows.widen[kBrain](out, p[1], s[1], n);
    float floats[kBlock];
    for (int64_t at = 0; at < n; at += kBlock) {
        const int64_t some = n - at < kBlock ? n - at : kBlock;
        narrows.widen[kBrain](floats, p[1] + at * s[1] * 2, s[1], some);
        cast_row(out + at * s[0], floats, s[0], 1, some);
    }
}

template <bool kBrain, class From>
void to_narrow(char* const* p, const int64_t* s, int64_t n) {
    const From* x = reinterpret_cast<const From*>(p[1]);
    if constexpr (std::is_same_v<From, float>)
        if (s[1] == 1) return narrows.narrow[kBrain](p[0], s[0], x, n);
    float floats[kBlock];
    for (int64_t at = 0; at < n; at += kBlock) {
        const int64_t some = n - at < kBlock ? n - at : kBlock;
        each<ToFloat<kBrain>>(floats, x + at * s[1], 1, s[1], some);
        narrows.narrow[kBrain](p[0] + at * s[0] * 2, s[0], floats, some);
    }
}

// From the one dtype of 16 bits to the other.
template <bool kToBrain>
void across(char* const* p, const int64_t* s, int64_t n) {
    float floats[kBlock];
    for (int64_t at = 0; at < n; at += kBlock) {
        const int64_t some = n - at < kBlock ? n - at : kBlock;
        narrows.widen[!kToBrain](floats, p[1] + at * s[1] * 2, s[1], some);
        narrows.narrow[kToBrain](p[0] + at * s[0] * 2, s[0], floats, some);
    }
}

template <int kCode>
struct ItemOf;
#define LAMINA_ITEM(code, T)  \
    template <>               \
    struct ItemOf<code> {     \
        using type = T;       \
    };
LAMINA_ITEM(kBool, Boolean)
LAMINA_ITEM(kUInt8, uint8_t)
LAMINA_ITEM(kInt8, int8_t)
LAMINA_ITEM(kInt16, int16_t)
LAMINA_ITEM(kInt32, int32_t)
LAMINA_ITEM(kInt64, int64_t)
LAMINA_ITEM(kFloat32, float)
LAMINA_ITEM(kFloat64, double)
LAMINA_ITEM(kComplex64, Complex<float>)
LAMINA_ITEM(kComplex128, Complex<double>)
LAMINA_ITEM(kUInt16, uint16_t)
LAMINA_ITEM(kUInt32, uint32_t)
LAMINA_ITEM(kUInt64, uint64_t)

template <int kTo, int kFrom>
constexpr MapLoop caster() {
    constexpr bool kToNarrow = kTo == kFloat16 || kTo == kBFloat16, kFromNarrow = kFrom == kFloat16 || kFrom == kBFloat16;
    if constexpr (kTo == kFrom)
        return nullptr;
    else if constexpr (kToNarrow && kFromNarrow)
        return across<kTo == kBFloat16>;
    else if constexpr (kToNarrow)
        return to_narrow<kTo == kBFloat16, typename ItemOf<kFrom>::type>;
    else if constexpr (kFromNarrow)
        return from_narrow<kFrom == kBFloat16, typename ItemOf<kTo>::type>;
    else
        return cast_loop<typename ItemOf<kTo>::type, typename ItemOf<kFrom>::type>;
}

template <int kTo, int... kFrom>
constexpr CastRow casts_to(std::integer_sequence<int, kFrom...>) {
    return {{caster<kTo, kFrom>()...}};
}

template <int... kTo>
constexpr Casts all_casts(std::integer_sequence<int, kTo...> codes) {
    return {{casts_to<kTo>(codes)...}};
}

extern const Casts casts = all_casts(std::make_integer_sequence<int, kCodes>());

}  // namespace lamina::LAMINA_ISA
