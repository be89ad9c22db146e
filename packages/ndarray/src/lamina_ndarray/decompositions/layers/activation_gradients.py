"""Gradients of activations, item by item."""

from __future__ import annotations

import math
from typing import Any

from ...dispatch.namespace import namespace
from ..registering import composed, widened

__all__: list[str] = []


@composed("tanh_gradient")
def tanh_gradient(gradient: Any, result: Any) -> Any:
    """Compute `gradient * (1 - result**2)` from the result of `tanh`."""
    return gradient * (1 - result * result)


@composed("sigmoid_gradient")
def sigmoid_gradient(gradient: Any, result: Any) -> Any:
    """Compute `gradient * (1 - result) * result` from the result of `sigmoid`."""
    return gradient * ((1 - result) * result)


@composed("relu_gradient")
def relu_gradient(gradient: Any, result: Any) -> Any:
    """Compute the gradient where the result of `relu` is above 0 (or NaN), else 0."""
    return namespace(result).where(result <= 0, 0.0, gradient)


@composed("silu_gradient")
def silu_gradient(gradient: Any, x: Any) -> Any:
    """Compute `gradient * s * (1 + x * (1 - s))` with `s = sigmoid(x)`."""
    gradient, x = widened(gradient), widened(x)
    s = namespace(x).sigmoid(x)
    return gradient * (s * (1 + x * (1 - s)))


@composed("softplus_gradient")
def softplus_gradient(gradient: Any, x: Any) -> Any:
    """Compute `gradient * sigmoid(x)`."""
    return widened(gradient) * namespace(x).sigmoid(widened(x))


@composed("gelu_gradient")
def gelu_gradient(gradient: Any, x: Any) -> Any:
    """Compute `gradient * (P(x) + x * p(x))`, P and p being the distribution and density functions of the standard normal."""
    xp = namespace(x)
    gradient, x = widened(gradient), widened(x)
    density = xp.exp(x * x * -0.5) * (1 / math.sqrt(2 * math.pi))
    return gradient * (0.5 * (1 + xp.erf(x * math.sqrt(0.5))) + x * density)


def _inner(x: Any) -> Any:
    return namespace(x).tanh((x + x * x * x * 0.044715) * math.sqrt(2 / math.pi))


@composed("gelu_tanh")
def gelu_tanh(x: Any) -> Any:
    """Compute `x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 x**3))) / 2`, the approximation of GELU by Hendrycks & Gimpel (2016)."""
    x = widened(x)
    return x * (_inner(x) + 1) * 0.5


@composed("gelu_tanh_gradient")
def gelu_tanh_gradient(gradient: Any, x: Any) -> Any:
    """Compute `gradient * ((1 + t) / 2 + x * (1 - t**2) * u / 2)`, t being the `tanh` in `gelu_tanh` and u the slope of its argument."""
    gradient, x = widened(gradient), widened(x)
    t = _inner(x)
    return gradient * ((1 + t) * 0.5 + x * (1 - t * t) * (1 + x * x * 0.134145) * math.sqrt(0.5 / math.pi))
