// The rows that every integer dtype has.
#pragma once

#include "item_functions.hpp"

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
    {"where", code, code, 3, 1, where<T>},
