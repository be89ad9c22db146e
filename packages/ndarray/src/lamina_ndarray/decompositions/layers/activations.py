"""Activations in pieces or with numbers of their own, and their gradients, item by item."""

from __future__ import annotations

from typing import Any

from ...dispatch.namespace import namespace
from ..registering import composed, widened

__all__: list[str] = []


@composed("leaky_relu")
def leaky_relu(x: Any, slope: Any) -> Any:
    """Compute x where it is above 0, else `slope * x`."""
    x = widened(x)
    return namespace(x).where(x > 0, x, x * slope)


@composed("leaky_relu_gradient")
def leaky_relu_gradient(gradient: Any, x: Any, slope: Any) -> Any:
    """Compute the gradient where x is above 0, else `slope * gradient`."""
    gradient = widened(gradient)
    return namespace(x).where(x > 0, gradient, gradient * slope)


@composed("elu")
def elu(x: Any, positive: Any, negative: Any, rate: Any) -> Any:
    """Compute `positive * x` where x is above 0, else `negative * (exp(rate * x) - 1)`."""
    xp, x = namespace(x), widened(x)
    return xp.where(x > 0, x * positive, xp.expm1(xp.where(x > 0, 0.0, x) * rate) * negative)


@composed("elu_gradient")
def elu_gradient(gradient: Any, x: Any, positive: Any, negative: Any, rate: Any) -> Any:
    """The exponential is taken of 0 where it is not wanted: it might be infinite, and its own gradient NaN."""
    xp, gradient, x = namespace(x), widened(gradient), widened(x)
    return gradient * xp.where(x > 0, positive, xp.exp(xp.where(x > 0, 0.0, x) * rate) * (negative * rate))


@composed("hardtanh_gradient")
def hardtanh_gradient(gradient: Any, x: Any, low: Any, high: Any) -> Any:
    """Compute 0 where `x <= low` or `x >= high`, else the gradient."""
    xp = namespace(x)
    return xp.where(xp.logical_or(x <= low, x >= high), 0.0, gradient)


@composed("hardsigmoid")
def hardsigmoid(x: Any) -> Any:
    """Compute `clip(x + 3, 0, 6) / 6`."""
    return namespace(x).clip(widened(x) + 3, 0, 6) / 6


@composed("hardsigmoid_gradient")
def hardsigmoid_gradient(gradient: Any, x: Any) -> Any:
    """Compute `gradient / 6` where x is strictly between -3 and 3, else 0."""
    xp = namespace(x)
    return xp.where(xp.logical_and(x > -3, x < 3), widened(gradient) / 6, 0.0)


@composed("hardswish")
def hardswish(x: Any) -> Any:
    """Compute `x * clip(x + 3, 0, 6) / 6`."""
    x = widened(x)
    return x * namespace(x).clip(x + 3, 0, 6) / 6


@composed("hardswish_gradient")
def hardswish_gradient(gradient: Any, x: Any) -> Any:
    """Compute `gradient * (x / 3 + 1 / 2)` between -3 and 3, 0 below, and the gradient itself above."""
    xp, gradient, x = namespace(x), widened(gradient), widened(x)
    return xp.where(x <= -3, 0.0, xp.where(x >= 3, gradient, gradient * (x / 3 + 0.5)))


@composed("hardshrink")
def hardshrink(x: Any, size: Any) -> Any:
    """Compute 0 where `|x| <= size`, else x."""
    xp = namespace(x)
    return xp.where(xp.logical_and(x >= -size, x <= size), 0.0, x)


@composed("softshrink")
def softshrink(x: Any, size: Any) -> Any:
    """Compute x moved by `size` towards 0, and 0 where `|x| <= size`."""
    xp, x = namespace(x), widened(x)
    return xp.where(x > size, x - size, xp.where(x < -size, x + size, x * 0.0))


@composed("shrink_gradient")
def shrink_gradient(gradient: Any, x: Any, size: Any) -> Any:
    """Compute 0 where `|x| <= size`, else the gradient."""
    xp = namespace(x)
    return xp.where(xp.logical_and(x >= -size, x <= size), 0.0, gradient)


@composed("huber")
def huber(x: Any, corner: Any) -> Any:
    """Compute `x**2 / 2` where `|x| <= corner`, else `corner * (|x| - corner / 2)`."""
    xp = namespace(x)
    size = xp.abs(widened(x))
    clipped = xp.minimum(size, corner)
    return (size - clipped * 0.5) * clipped


@composed("logsigmoid")
def logsigmoid(x: Any) -> Any:
    """Compute `-softplus(-x)`."""
    return 0.0 - namespace(x).softplus(-widened(x))  # no -0.0


@composed("scaled_softplus")
def scaled_softplus(x: Any, rate: Any, threshold: Any) -> Any:
    """Compute `log(1 + exp(rate * x)) / rate`, and x itself where `rate * x > threshold`."""
    xp, wide = namespace(x), widened(x)
    return xp.where(wide * rate > threshold, wide, xp.softplus(wide * rate) / rate)


@composed("mish")
def mish(x: Any) -> Any:
    """Compute `x * tanh(softplus(x))`."""
    xp, x = namespace(x), widened(x)
    return x * xp.tanh(xp.softplus(x))


@composed("mish_gradient")
def mish_gradient(gradient: Any, x: Any) -> Any:
    """Compute `gradient * (t + x * sigmoid(x) * (1 - t**2))` with `t = tanh(softplus(x))`."""
    xp, gradient, x = namespace(x), widened(gradient), widened(x)
    t = xp.tanh(xp.softplus(x))
    return gradient * (t + x * xp.sigmoid(x) * (1 - t * t))
