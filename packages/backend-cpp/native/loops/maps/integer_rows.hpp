// The rows that every integer dtype has: arithmetic and comparison, bounds, shifts and roundings, division by one number.
#pragma once

#include "loops/maps/item_functions.hpp"

namespace lamina::LAMINA_ISA {

LAMINA_UNARY(Sign, T((x > T(0)) - (x < T(0))))
LAMINA_UNARY(IsNegative, uint8_t(x < T(0)))
LAMINA_UNARY(Itself, x)
LAMINA_UNARY(Never, (void(x), uint8_t(0)))
LAMINA_UNARY(Always, (void(x), uint8_t(1)))
// A count that is negative, or the width or more, pushes all bits out.
LAMINA_BINARY(LeftShift, std::make_unsigned_t<T>(b) >= 8 * sizeof(T) ? T(0) : T(W<T>(a) << W<T>(b)))
LAMINA_BINARY(RightShift, std::make_unsigned_t<T>(b) >= 8 * sizeof(T) ? T(a < T(0) ? -1 : 0) : T(a >> b))

template <class T>
struct WholeClip {
    static inline T of(T x, T low, T high) {
        const T y = x > low ? x : low;
        return y < high ? y : high;
    }
};

// Integers by one number, neither 0 nor -1 (by which the least one overflows).
template <class T>
inline T whole_quotient(T a, T b) {
    const T q = T(a / b);
    return std::is_signed_v<T> && T(q * b) != a && (a < 0) != (b < 0) ? T(q - 1) : q;
}
LAMINA_BINARY(WholeFloor, whole_quotient(a, b))
LAMINA_BINARY(WholeTrunc, T(a / b))
LAMINA_BINARY(WholeRemainder, T(W<T>(a) - W<T>(whole_quotient(a, b)) * W<T>(b)))
LAMINA_BINARY(WholeFmod, T(a % b))

template <class T>
struct NegatedFirst {
    static inline T of(T a, T) { return T(-W<T>(a)); }
};
struct NoRest {
    template <class T>
    static inline T of(T, T) {
        return T(0);
    }
};

// Euclid's algorithm on sizes; that of the least integer does not fit, and wraps.
struct Gcd {
    template <class T>
    static inline T of(T a, T b) {
        using U = std::make_unsigned_t<T>;
        U x = a < T(0) ? U(U(0) - U(a)) : U(a), y = b < T(0) ? U(U(0) - U(b)) : U(b);
        while (y != 0) {
            const U rest = U(x % y);
            x = y;
            y = rest;
        }
        return T(x);
    }
};

template <class F, class ByMinusOne, class T>
void by_number(char* const* p, const int64_t* s, int64_t n) {
    if (std::is_signed_v<T> && *reinterpret_cast<const T*>(p[2]) == T(-1)) return binary<ByMinusOne, T, T>(p, s, n);
    binary<F, T, T>(p, s, n);
}

}  // namespace lamina::LAMINA_ISA

#define LAMINA_WHOLE1(name, F, T, code, R, out_code) {name, code, out_code, 1, 1, unary<F, T, R>},
#define LAMINA_WHOLE2(name, F, T, code, R, out_code) {name, code, out_code, 2, 1, binary<F, T, R>},
#define LAMINA_INTEGER_ROWS(T, code)                                                                                   \
    LAMINA_WHOLE2("add", Add, T, code, T, code) LAMINA_WHOLE2("subtract", Subtract, T, code, T, code)                \
    LAMINA_WHOLE2("multiply", Multiply, T, code, T, code) LAMINA_WHOLE2("maximum", Maximum, T, code, T, code)        \
    LAMINA_WHOLE2("minimum", Minimum, T, code, T, code) LAMINA_WHOLE2("bitwise_and", And, T, code, T, code)          \
    LAMINA_WHOLE2("bitwise_or", Or, T, code, T, code) LAMINA_WHOLE2("bitwise_xor", Xor, T, code, T, code)            \
    LAMINA_WHOLE2("equal", Equal, T, code, uint8_t, kBool) LAMINA_WHOLE2("not_equal", NotEqual, T, code, uint8_t, kBool) \
    LAMINA_WHOLE2("less", Less, T, code, uint8_t, kBool) LAMINA_WHOLE2("less_equal", LessEqual, T, code, uint8_t, kBool) \
    LAMINA_WHOLE2("greater", Greater, T, code, uint8_t, kBool)                                                       \
    LAMINA_WHOLE2("greater_equal", GreaterEqual, T, code, uint8_t, kBool)                                            \
    LAMINA_WHOLE2("logical_and", LogicalAnd, T, code, uint8_t, kBool)                                                \
    LAMINA_WHOLE2("logical_or", LogicalOr, T, code, uint8_t, kBool)                                                  \
    LAMINA_WHOLE2("logical_xor", LogicalXor, T, code, uint8_t, kBool)                                                \
    LAMINA_WHOLE1("logical_not", Not, T, code, uint8_t, kBool) LAMINA_WHOLE1("bitwise_invert", Invert, T, code, T, code) \
    LAMINA_WHOLE1("negative", Negative, T, code, T, code) LAMINA_WHOLE1("square", Square, T, code, T, code)          \
    LAMINA_WHOLE1("relu", Relu, T, code, T, code) LAMINA_WHOLE1("abs", AbsInteger, T, code, T, code)                 \
    LAMINA_WHOLE_BOUNDS(T, code) LAMINA_WHOLE_QUOTIENTS(T, code) LAMINA_WHOLE_ROUNDS(T, code)                          \
    LAMINA_WHERE(T, code, 1)
#define LAMINA_WHOLE_BOUNDS(T, code)                                \
    {"clip", code, code, 3, 1, ternary<WholeClip<T>, T>},           \
    LAMINA_WHOLE1("sign", Sign, T, code, T, code)                   \
    LAMINA_WHOLE1("signbit", IsNegative, T, code, uint8_t, kBool)   \
    LAMINA_WHOLE2("bitwise_left_shift", LeftShift, T, code, T, code)         \
    LAMINA_WHOLE2("bitwise_right_shift", RightShift, T, code, T, code)
#define LAMINA_WHOLE_QUOTIENTS(T, code)                                              \
    {"floor_divide", code, code, 2, 8, by_number<WholeFloor, NegatedFirst<T>, T>},   \
    {"trunc_divide", code, code, 2, 8, by_number<WholeTrunc, NegatedFirst<T>, T>},   \
    {"remainder", code, code, 2, 8, by_number<WholeRemainder, NoRest, T>},           \
    {"fmod", code, code, 2, 8, by_number<WholeFmod, NoRest, T>},                     \
    {"gcd", code, code, 2, 40, binary<Gcd, T, T>},
#define LAMINA_WHOLE_ROUNDS(T, code)                                                            \
    LAMINA_WHOLE1("floor", Itself, T, code, T, code) LAMINA_WHOLE1("ceil", Itself, T, code, T, code)   \
    LAMINA_WHOLE1("trunc", Itself, T, code, T, code) LAMINA_WHOLE1("round", Itself, T, code, T, code)  \
    LAMINA_WHOLE1("isnan", Never, T, code, uint8_t, kBool) LAMINA_WHOLE1("isinf", Never, T, code, uint8_t, kBool) \
    LAMINA_WHOLE1("isfinite", Always, T, code, uint8_t, kBool)
