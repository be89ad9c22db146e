"""Ops item by item: one C++ expression for each, of inputs a, b, c, d and e in the type W that they are computed in.

The keys say for which kinds of dtype an expression is: b bool, u unsigned, i signed, f floating, c complex. Integers are
computed in 64 bits without a sign, so that they wrap. What is longer than a line stands in `kernels/maps.cuh`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

__all__ = ["EXPRESSIONS"]

_ALL: Final = "buifc"
_REAL: Final = "buif"

EXPRESSIONS: Final[Mapping[str, Mapping[str, str]]] = {
    # -- arithmetic
    "add": {"b": "a || b", "ui": "(u64)a + (u64)b", "fc": "a + b"},
    "subtract": {"ui": "(u64)a - (u64)b", "fc": "a - b"},
    "multiply": {"b": "a && b", "ui": "(u64)a * (u64)b", "fc": "a * b"},
    "divide": {"fc": "a / b"},
    "floor_divide": {"b": "a", "uif": "floor_divide(a, b)"},
    "trunc_divide": {"b": "a", "ui": "trunc_divide(a, b)", "f": "trunc(a / b)"},
    "remainder": {"b": "false", "uif": "remainder_of(a, b)"},
    "fmod": {"b": "false", "ui": "whole_fmod(a, b)", "f": "fmod(a, b)"},
    "pow": {"ui": "whole_power(a, b)", "f": "pow(a, b)"},
    "maximum": {"b": "a || b", "uif": "a != a || a > b ? a : b"},
    "minimum": {"b": "a && b", "uif": "a != a || a < b ? a : b"},
    "fmax": {"b": "a || b", "uif": "b != b || a > b ? a : b"},
    "fmin": {"b": "a && b", "uif": "b != b || a < b ? a : b"},
    "atan2": {"f": "atan2(a, b)"},
    "hypot": {"f": "hypot(a, b)"},
    "copysign": {"f": "copysign(a, b)"},
    "heaviside": {"b": "a || b", "uif": "a == W(0) ? b : W(a > W(0))"},
    "gcd": {"ui": "greatest_divisor(a, b)"},
    "where": {_ALL: "a ? b : c"},
    "lerp": {"f": "fabs(c) < W(0.5) ? a + c * (b - a) : b - (b - a) * (1 - c)"},
    "addcmul": {"b": "a || (d && b && c)", "ui": "(u64)a + (u64)d * (u64)c * (u64)b", "fc": "a + d * c * b"},
    "addcdiv": {"fc": "a + d * b / c"},
    "clip": {
        "b": "(a || b) && c",
        "uif": "a != a || a > b ? (a != a || a < c ? a : c) : (b != b || b < c ? b : c)",
    },
    "negative": {"ui": "0 - (u64)a", "f": "-a", "c": "W(-a.re, -a.im)"},
    "abs": {"u": "a", "i": "a < 0 ? 0 - (u64)a : (u64)a", "f": "fabs(a)", "c": "hypot(a.re, a.im)"},
    "sign": {"b": "a", "uif": "(a > 0) - (a < 0)"},
    "square": {"ui": "(u64)a * (u64)a", "fc": "a * a"},
    "reciprocal": {"fc": "W(1) / a"},
    "sqrt": {"f": "sqrt(a)", "c": "square_root(a)"},
    "rsqrt": {"f": "W(1) / sqrt(a)"},
    "floor": {"bui": "a", "f": "floor(a)"},
    "ceil": {"bui": "a", "f": "ceil(a)"},
    "trunc": {"bui": "a", "f": "trunc(a)"},
    "round": {"bui": "a", "f": "rint(a)", "c": "W(rint(a.re), rint(a.im))"},
    # -- exponentials, logarithms, angles
    "exp": {"f": "exp(a)", "c": "exponential(a)"},
    "exp2": {"f": "exp2(a)"},
    "expm1": {"f": "expm1(a)"},
    "log": {"f": "log(a)", "c": "logarithm(a)"},
    "log2": {"f": "log2(a)"},
    "log10": {"f": "log10(a)"},
    "log1p": {"f": "log1p(a)"},
    "logaddexp": {"f": "log_add_exp(a, b)"},
    "sin": {"f": "sin(a)", "c": "sine(a)"},
    "cos": {"f": "cos(a)", "c": "cosine(a)"},
    "tan": {"f": "tan(a)"},
    "asin": {"f": "asin(a)"},
    "acos": {"f": "acos(a)"},
    "atan": {"f": "atan(a)", "c": "arc_tangent(a)"},
    "sinh": {"f": "sinh(a)"},
    "cosh": {"f": "cosh(a)"},
    "tanh": {"f": "tanh(a)", "c": "hyperbolic_tangent(a)"},
    "asinh": {"f": "asinh(a)"},
    "acosh": {"f": "acosh(a)"},
    "atanh": {"f": "atanh(a)"},
    "erf": {"f": "erf(a)"},
    "erfc": {"f": "erfc(a)"},
    "xlogy": {"f": "a == 0 && b == b ? W(0) : a * log(b)"},
    "xlog1py": {"f": "a == 0 && b == b ? W(0) : a * log1p(b)"},
    # -- comparisons, logic, bits
    "equal": {_ALL: "a == b"},
    "not_equal": {_ALL: "!(a == b)"},
    "less": {_REAL: "a < b"},
    "less_equal": {_REAL: "a <= b"},
    "greater": {_REAL: "a > b"},
    "greater_equal": {_REAL: "a >= b"},
    "logical_and": {_ALL: "truth(a) && truth(b)"},
    "logical_or": {_ALL: "truth(a) || truth(b)"},
    "logical_xor": {_ALL: "truth(a) != truth(b)"},
    "logical_not": {_ALL: "!truth(a)"},
    "isnan": {"bui": "false", "f": "a != a", "c": "a.re != a.re || a.im != a.im"},
    "isinf": {"bui": "false", "f": "is_infinite(a)", "c": "is_infinite(a.re) || is_infinite(a.im)"},
    "isfinite": {"bui": "true", "f": "a - a == 0", "c": "a.re - a.re == 0 && a.im - a.im == 0"},
    "signbit": {"bu": "false", "i": "a < 0", "f": "copysign(W(1), a) < 0"},
    "bitwise_and": {"b": "a && b", "ui": "a & b"},
    "bitwise_or": {"b": "a || b", "ui": "a | b"},
    "bitwise_xor": {"b": "a != b", "ui": "a ^ b"},
    "bitwise_invert": {"b": "!a", "ui": "~a"},
    "bitwise_left_shift": {"ui": "(u64)b >= 8 * sizeof(W) ? (u64)0 : (u64)a << b"},
    "bitwise_right_shift": {"ui": "(u64)b >= 8 * sizeof(W) ? W(-(a < 0)) : W(a >> b)"},
    # -- activations
    "relu": {"b": "a", "uif": "a != a || a > 0 ? a : W(0)"},
    "sigmoid": {"f": "logistic(a)"},
    "silu": {"f": "a / (W(1) + exp(-a))"},
    "gelu": {"f": "a * (W(0.5) + W(0.5) * erf(a * W(0.70710678118654752)))"},
    "softplus": {"f": "soft_plus(a)"},
    "leaky_relu": {"f": "a > 0 ? a : a * b"},
    "elu": {"f": "a > 0 ? a * b : c * expm1(a * d)"},
    "hardsigmoid": {"f": "held(a + W(3), W(0), W(6)) / W(6)"},
    "hardswish": {"f": "a * (held(a + W(3), W(0), W(6)) / W(6))"},
    "hardshrink": {"f": "-b <= a && a <= b ? W(0) : a"},
    "logsigmoid": {"f": "0 - soft_plus(-a)"},
    "mish": {"f": "a * tanh(soft_plus(a))"},
    # -- gradients of activations: a is the gradient that comes in
    "leaky_relu_gradient": {"f": "b > 0 ? a : a * c"},
    "elu_gradient": {"f": "a * (b > 0 ? c : d * e * exp(b * e))"},
    "hardtanh_gradient": {"f": "b <= c || b >= d ? W(0) : a"},
    "hardsigmoid_gradient": {"f": "W(-3) < b && b < W(3) ? a / W(6) : W(0)"},
    "shrink_gradient": {"f": "-c <= b && b <= c ? W(0) : a"},
    "tanh_gradient": {"f": "a * (W(1) - b * b)"},
    "sigmoid_gradient": {"f": "a * (W(1) - b) * b"},
    "relu_gradient": {"f": "b <= 0 ? W(0) : a"},
    "silu_gradient": {"f": "a * logistic(b) * (W(1) + b * (W(1) - logistic(b)))"},
    "softplus_gradient": {"f": "a * logistic(b)"},
}
"""By op, for which kinds which expression."""
