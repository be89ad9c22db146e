"""Gradients of losses of scores against classes."""

from __future__ import annotations

from ..either import fused_or_formula
from ..rules import not_differentiable, rule

_cross_entropy, _nll_loss = fused_or_formula("cross_entropy_gradient"), fused_or_formula("nll_loss_gradient")

rule(
    "cross_entropy",
    x=lambda g, x, target, weight, logsumexp, axis, smoothing, ignored, reduction: _cross_entropy(
        g, x, target, weight, beside={"logsumexp": logsumexp}, axis=axis, smoothing=smoothing, ignored=ignored, reduction=reduction),
    node_name="NllLossBackward0",
)  # fmt: skip
rule(
    "nll_loss",
    x=lambda g, x_shape, target, weight, axis, ignored, reduction: _nll_loss(
        g, target, weight, beside={}, axis=axis, classes=x_shape[axis], ignored=ignored, reduction=reduction),
)  # fmt: skip
not_differentiable("cross_entropy_gradient", "nll_loss_gradient")  # recorded as what they are composed of
