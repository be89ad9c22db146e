"""Gradients of exponentials, logarithms, trigonometric and hyperbolic functions, and activations."""

from __future__ import annotations

import math

from ..autograd.rules import not_differentiable, rule
from ..dispatch.dispatched import dispatched, fused_or_formula

exp, exp2, sin, cos, sinh, cosh, sqrt, sigmoid, conj = (
    dispatched(n) for n in ("exp", "exp2", "sin", "cos", "sinh", "cosh", "sqrt", "sigmoid", "conj")
)
tanh_gradient, sigmoid_gradient, silu_gradient, softplus_gradient, gelu_gradient, gelu_tanh_gradient = (
    fused_or_formula(f"{n}_gradient") for n in ("tanh", "sigmoid", "silu", "softplus", "gelu", "gelu_tanh")
)

rule("exp", x=lambda g, y: g * conj(y))
rule("exp2", x=lambda g, y: g * conj(y * math.log(2)))
rule("expm1", x=lambda g, y: g * conj(y + 1))
rule("log", x=lambda g, x: g / conj(x))
rule("log2", x=lambda g, x: g / conj(x * math.log(2)))
rule("log10", x=lambda g, x: g / conj(x * math.log(10)))
rule("log1p", x=lambda g, x: g / conj(x + 1))
rule("sin", x=lambda g, x: g * conj(cos(x)))
rule("cos", x=lambda g, x: g * conj(-sin(x)))
rule("tan", x=lambda g, y: g * conj(1 + y * y))
rule("asin", x=lambda g, x: g / conj(sqrt((1 - x) * (1 + x))))
rule("acos", x=lambda g, x: -g / conj(sqrt((1 - x) * (1 + x))))
rule("atan", x=lambda g, x: g / conj(x * x + 1))
rule("sinh", x=lambda g, x: g * conj(cosh(x)))
rule("cosh", x=lambda g, x: g * conj(sinh(x)))
rule("tanh", x=lambda g, y: g * conj(1 - y * y) if y.dtype.is_complex else tanh_gradient(g, y))
rule("asinh", x=lambda g, x: g / conj(sqrt(x * x + 1)))
rule("acosh", x=lambda g, x: g / (conj(sqrt(x - 1) * sqrt(x + 1)) if x.dtype.is_complex else sqrt(x * x - 1)))
rule("atanh", x=lambda g, x: g / conj((1 - x) * (1 + x)))
rule("logaddexp", a=lambda g, a, b: g / conj(exp(b - a) + 1), b=lambda g, a, b: g / conj(exp(a - b) + 1))
rule("logaddexp2", a=lambda g, a, b: g / (exp2(b - a) + 1), b=lambda g, a, b: g / (exp2(a - b) + 1))
rule("erf", x=lambda g, x: g * (exp(-(x * x)) * (2 / math.sqrt(math.pi))))
rule("sigmoid", x=lambda g, y: g * conj((1 - y) * y) if y.dtype.is_complex else sigmoid_gradient(g, y))


def _silu(g, x):  # type: ignore[no-untyped-def]  # arrays or tensors
    if not x.dtype.is_complex:
        return silu_gradient(g, x)
    s = sigmoid(x)
    return g * conj(s * (1 + x * (1 - s)))


rule("silu", x=_silu)
rule("gelu", x=lambda g, x: gelu_gradient(g, x))
rule("gelu_tanh", x=lambda g, x: gelu_tanh_gradient(g, x), node_name="GeluBackward0")
rule("softplus", x=lambda g, x: softplus_gradient(g, x))
not_differentiable(  # recorded as what they are composed of
    "tanh_gradient", "sigmoid_gradient", "relu_gradient", "silu_gradient", "softplus_gradient", "gelu_gradient",
    "gelu_tanh_gradient",
)  # fmt: skip
