// Arithmetic, comparison, logic and rounding as functions of one or two items of any dtype.
#pragma once

#include "loops/vectors/item_loops.hpp"

namespace lamina::LAMINA_ISA {

LAMINA_BINARY(Add, T(W<T>(a) + W<T>(b)))
LAMINA_BINARY(Subtract, T(W<T>(a) - W<T>(b)))
LAMINA_BINARY(Multiply, T(W<T>(a) * W<T>(b)))
LAMINA_BINARY(Divide, a / b)
LAMINA_BINARY(Maximum, (a > b) | (a != a) ? a : b)
LAMINA_BINARY(Minimum, (a < b) | (a != a) ? a : b)
LAMINA_BINARY(Equal, uint8_t(a == b))
LAMINA_BINARY(NotEqual, uint8_t(a != b))
LAMINA_BINARY(Less, uint8_t(a < b))
LAMINA_BINARY(LessEqual, uint8_t(a <= b))
LAMINA_BINARY(Greater, uint8_t(a > b))
LAMINA_BINARY(GreaterEqual, uint8_t(a >= b))
LAMINA_BINARY(And, T(a & b))
LAMINA_BINARY(Or, T(a | b))
LAMINA_BINARY(Xor, T(a ^ b))
LAMINA_BINARY(LogicalAnd, uint8_t((a != T(0)) & (b != T(0))))
LAMINA_BINARY(LogicalOr, uint8_t((a != T(0)) | (b != T(0))))
LAMINA_BINARY(LogicalXor, uint8_t((a != T(0)) ^ (b != T(0))))
LAMINA_UNARY(Negative, T(-W<T>(x)))
LAMINA_UNARY(Square, T(W<T>(x) * W<T>(x)))
LAMINA_UNARY(AbsInteger, T(x < 0 ? -W<T>(x) : W<T>(x)))
LAMINA_UNARY(AbsFloat, std::fabs(x))
LAMINA_UNARY(Relu, (x > T(0)) | (x != x) ? x : T(0))
LAMINA_UNARY(Rsqrt, T(1) / std::sqrt(x))
LAMINA_UNARY(Reciprocal, T(1) / x)
LAMINA_UNARY(Floor, std::floor(x))
LAMINA_UNARY(Ceil, std::ceil(x))
LAMINA_UNARY(Trunc, std::trunc(x))
LAMINA_UNARY(Not, uint8_t(x == T(0)))
LAMINA_UNARY(Invert, T(~x))
LAMINA_UNARY(IsNan, uint8_t(x != x))
LAMINA_UNARY(IsInf, uint8_t(std::fabs(x) == T(INFINITY)))
LAMINA_UNARY(IsFinite, uint8_t(std::fabs(x) < T(INFINITY)))

}  // namespace lamina::LAMINA_ISA
