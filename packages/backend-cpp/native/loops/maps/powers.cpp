// The rows of pow, with short ways for the usual exponents, of atan2, hypot and the logarithm of a sum of exponentials.
#include <cmath>
#include <cstdlib>

#include "loops/math/float_math.hpp"
#include "loops/math/power_math.hpp"
#include "loops/math/short_math.hpp"
#include "loops/tables.hpp"
#include "loops/vectors/item_loops.hpp"
#include "loops/vectors/vector_loops.hpp"

namespace lamina::LAMINA_ISA {

// |a|**b = 2**(b log2 |a|), good for float32; the sign is that of a where b is odd, and there is none where b is no integer.
inline F64 power(const F64& a, const F64& b) {
    const F64 size = magnitude(a), infinity = every(__builtin_inf()), nan = every(__builtin_nan(""));
    F64 y = short_exp2(b * short_log2(size));
    const F64 shifted = b + kRounding64;
    const I64 huge = magnitude(b) > 1e15, whole = huge | (shifted - kRounding64 == b);
    const I64 odd = ~huge & whole & -I64(bits_as<U64>(shifted) & 1);
    const I64 negative = bits_as<I64>(a) < 0;
    y = choose(negative & odd, -y, y);
    y = choose((a < 0.0) & ~whole & (size != infinity), nan, y);
    return choose((b == 0.0) | (a == 1.0) | ((size == 1.0) & (magnitude(b) == infinity)), every(1.0), y);
}

struct Power {
    static inline F32 of(const F32& a, const F32& b) {
        return narrowed(power(widened(a, 0), widened(b, 0)), power(widened(a, 1), widened(b, 1)));
    }
};
struct PowerWide {
    static inline F64 of(const F64& a, const F64& b) { return dpow(a, b); }
};

// a**b of a whole b, the same for all items, by products in float64, which are rounded once: their errors are far below float32's.
struct WholePower {
    static inline F64 of(const F64& a, unsigned exponent) {
        F64 power = every(1.0), square = a;
        for (unsigned rest = exponent;; square = square * square) {
            if (rest & 1) power = power * square;
            if ((rest >>= 1) == 0) return power;
        }
    }
    static inline F32 of(const F32& a, const F32& b) {
        const int exponent = int(b[0]);
        F64 low = of(widened(a, 0), unsigned(std::abs(exponent))), high = of(widened(a, 1), unsigned(std::abs(exponent)));
        if (exponent < 0) low = 1.0 / low, high = 1.0 / high;
        return narrowed(low, high);
    }
};
constexpr double kMostWholePower = 16;

// float32 is multiplied in float64, so that these are rounded once, as pow is.
LAMINA_UNARY(Squared, x * x)
LAMINA_UNARY(Cubed, T(double(x) * double(x) * double(x)))
LAMINA_UNARY(Inverted, T(1) / x)
LAMINA_UNARY(SquareInverted, T(1.0 / (double(x) * double(x))))
LAMINA_UNARY(Rooted, std::sqrt(x))
LAMINA_UNARY(RootInverted, T(1) / std::sqrt(x))
LAMINA_UNARY(Same, x)
LAMINA_UNARY(One, (void(x), T(1)))

template <class T>
void powers_of(char* const* p, const int64_t* s, int64_t n) {
    if (s[2] == 0) {
        const double exponent = double(*reinterpret_cast<const T*>(p[2]));
        if (exponent == 2.0) return unary<Squared, T, T>(p, s, n);
        if (exponent == 3.0) return unary<Cubed, T, T>(p, s, n);
        if (exponent == 0.5) return unary<Rooted, T, T>(p, s, n);
        if (exponent == -0.5) return unary<RootInverted, T, T>(p, s, n);
        if (exponent == -1.0) return unary<Inverted, T, T>(p, s, n);
        if (exponent == -2.0) return unary<SquareInverted, T, T>(p, s, n);
        if (exponent == 1.0) return unary<Same, T, T>(p, s, n);
        if (exponent == 0.0) return unary<One, T, T>(p, s, n);
        if constexpr (sizeof(T) == 4)
            if (std::fabs(exponent) <= kMostWholePower && exponent == std::trunc(exponent)) return vector_binary<WholePower, T>(p, s, n);
    }
    if constexpr (sizeof(T) == 4)
        vector_binary<Power, T>(p, s, n);
    else
        vector_binary<PowerWide, T>(p, s, n);
}

// Integers wrap. The exponent is one number, and not negative.
template <class T>
void whole_powers_of(char* const* p, const int64_t* s, int64_t n) {
    T* out = reinterpret_cast<T*>(p[0]);
    const T* x = reinterpret_cast<const T*>(p[1]);
    const uint64_t exponent = uint64_t(*reinterpret_cast<const T*>(p[2]));
    if (exponent == 2) return unary<Squared, W<T>, W<T>>(p, s, n);
    for (int64_t i = 0; i < n; ++i) {
        W<T> power = 1, square = W<T>(x[i * s[1]]);
        for (uint64_t rest = exponent; rest != 0; rest >>= 1) {
            if (rest & 1) power *= square;
            square *= square;
        }
        out[i * s[0]] = T(power);
    }
}

struct Atan2 {
    static inline F32 of(const F32& a, const F32& b) {
        return vatan2(a, b);
    }
};
struct Atan2Wide {
    static inline F64 of(const F64& a, const F64& b) { return datan2(a, b); }
};

struct Hypot {
    static inline F32 of(const F32& a, const F32& b) { return vhypot(a, b); }
};
struct HypotWide {
    static inline F64 of(const F64& a, const F64& b) { return dhypot(a, b); }
};

// log(1 + t) for 0 <= t <= 1, by the series of the inverse hyperbolic tangent, whose P is interpolated at Chebyshev nodes in 60 digits.
inline F64 log1p_of_fraction(const F64& t) {
    static constexpr double c[] = {0.078152889005022, 0.03746071897751629, 0.05422589197445937, 0.0586713953065077,
                                   0.066675893157247, 0.07692271982430271, 0.09090909948981357, 0.11111111099118386,
                                   0.1428571428580005, 0.19999999999999762, 0.3333333333333333};
    const F64 s = t / (2.0 + t), z = s * s, twice = s + s;
    return twice + twice * (z * polynomial(z, c));
}

// From the greater one; of equal infinities, itself.
struct LogAddExp2 {
    template <class F>
    static inline F64 from(const F64& a, const F64& b, const F& added) {
        const F64 great = choose(a > b, a, b), y = great + added(magnitude(a - b)) * 1.4426950408889634074;
        return choose(a == b, a + 1.0, y);
    }
    static inline F64 of(const F64& a, const F64& b) {
        return from(a, b, [](const F64& apart) { return dlog1p(dexp2(-apart)); });
    }
    static inline F64 shortly(const F64& a, const F64& b) {
        return from(a, b, [](const F64& apart) {
            const F64 x = -choose(apart > 700.0, every(700.0), apart), shifted = x + kRounding64;
            const F64 e = 1.0 + small_expm1((x - (shifted - kRounding64)) * 0.69314718055994530942);
            return log1p_of_fraction(e * power_of_two(bits_as<U64>(shifted) - bits_as<U64>(every(kRounding64))));
        });
    }
    static inline F32 of(const F32& a, const F32& b) {
        return narrowed(shortly(widened(a, 0), widened(b, 0)), shortly(widened(a, 1), widened(b, 1)));
    }
};

struct LogAddExp {
    static inline F32 of(const F32& a, const F32& b) {
        const F32 great = choose(a > b, a, b), y = great + vlog1p(vexp(-magnitude(a - b)));
        return choose((a != a) | (b != b), a + b, choose(a == b, a + 6.931471806e-1f, y));
    }
    static inline F64 of(const F64& a, const F64& b) {
        const F64 great = choose(a > b, a, b), y = great + dlog1p(dexp(-magnitude(a - b)));
        return choose((a != a) | (b != b), a + b, choose(a == b, a + 0.69314718055994530942, y));
    }
};

const MapRow kPowers[] = {
    {"pow", kFloat32, kFloat32, 2, 10, powers_of<float>},
    {"pow", kFloat64, kFloat64, 2, 20, powers_of<double>},
    {"pow", kInt32, kInt32, 2, 4, whole_powers_of<int32_t>},
    {"pow", kInt64, kInt64, 2, 4, whole_powers_of<int64_t>},
    {"atan2", kFloat32, kFloat32, 2, 12, vector_binary<Atan2, float>},
    {"atan2", kFloat64, kFloat64, 2, 12, vector_binary<Atan2Wide, double>},
    {"hypot", kFloat32, kFloat32, 2, 4, vector_binary<Hypot, float>},
    {"hypot", kFloat64, kFloat64, 2, 8, vector_binary<HypotWide, double>},
    {"logaddexp", kFloat32, kFloat32, 2, 10, vector_binary<LogAddExp, float>},
    {"logaddexp", kFloat64, kFloat64, 2, 12, vector_binary<LogAddExp, double>},
    {"logaddexp2", kFloat32, kFloat32, 2, 20, vector_binary<LogAddExp2, float>},
    {"logaddexp2", kFloat64, kFloat64, 2, 12, vector_binary<LogAddExp2, double>},
};

extern const Maps powers = {kPowers, int(sizeof kPowers / sizeof *kPowers)};

}  // namespace lamina::LAMINA_ISA
