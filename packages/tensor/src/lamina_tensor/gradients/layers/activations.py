"""Gradients of activations in pieces or with numbers of their own, one kernel call each."""

from __future__ import annotations

from typing import Any

from ...autograd.rules import not_differentiable, rule
from ...dispatch.dispatched import dispatched, fused_or_formula

clip, where, isfinite = dispatched("clip"), dispatched("where"), dispatched("isfinite")

_GRADIENTS = tuple(
    f"{n}_gradient" for n in ("elu", "hardsigmoid", "hardswish", "hardtanh", "leaky_relu", "mish", "shrink", "softplus")
)
(
    elu_gradient, hardsigmoid_gradient, hardswish_gradient, hardtanh_gradient, leaky_relu_gradient, mish_gradient, shrink_gradient,
    softplus_gradient,
) = map(fused_or_formula, _GRADIENTS)  # fmt: skip


def _leaky(g: Any, x: Any, slope: Any) -> Any:
    return leaky_relu_gradient(g, x, slope)


def _slope(g: Any, x: Any) -> Any:
    return where(x > 0, 0.0, g * x)


rule("leaky_relu", x=_leaky)
rule("prelu", inputs="x slope", x=_leaky, slope=_slope, node_name="PreluKernelBackward0")
rule("elu", x=lambda g, x, positive, negative, rate: elu_gradient(g, x, positive, negative, rate))
rule("hardtanh", x=lambda g, x, low, high: hardtanh_gradient(g, x, low, high))
rule("hardsigmoid", x=lambda g, x: hardsigmoid_gradient(g, x))
rule("hardswish", x=lambda g, x: hardswish_gradient(g, x))
rule("hardshrink", x=lambda g, x, size: shrink_gradient(g, x, size))
rule("softshrink", x=lambda g, x, size: shrink_gradient(g, x, size))
rule("huber", x=lambda g, x, corner: g * clip(x, -corner, corner))
rule("logsigmoid", x=lambda g, x: softplus_gradient(g, -x), node_name="LogSigmoidBackward0")
rule("scaled_softplus", x=lambda g, x, rate, threshold: where(x * rate > threshold, g, softplus_gradient(g, x * rate)))
rule("mish", x=lambda g, x: mish_gradient(g, x))
rule("where_finite", x=lambda g, x: where(isfinite(x), g, 0.0), node_name="NanToNumBackward0")
not_differentiable(*_GRADIENTS)  # recorded as what they are composed of
