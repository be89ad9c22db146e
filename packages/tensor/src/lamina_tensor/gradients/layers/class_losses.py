"""Gradients of losses of scores against classes."""

from __future__ import annotations

from typing import Any

from ...autograd.rules import not_differentiable, rule
from ...dispatch.dispatched import dispatched, fused_or_formula

clip, log = dispatched("clip"), dispatched("log")
_cross_entropy, _nll_loss = fused_or_formula("cross_entropy_gradient"), fused_or_formula("nll_loss_gradient")
_margins = fused_or_formula("multi_margin_loss_gradient")
_of_logits = fused_or_formula("binary_cross_entropy_with_logits_gradient")

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
rule(
    "multi_margin_loss",
    x=lambda g, x, target, weight, p, margin, reduction: _margins(
        g, x, target, weight, p=p, margin=margin, reduction=reduction),
)  # fmt: skip


def _bounded_log(x: Any) -> Any:
    """log(x), not below -100."""
    return clip(log(x), -100.0, None)


rule(  # as PyTorch bounds it
    "binary_cross_entropy",
    x=lambda g, x, target: g * (x - target) / clip((1 - x) * x, 1e-12, None),
    target=lambda g, x: g * (_bounded_log(1 - x) - _bounded_log(x)),
)
rule("binary_cross_entropy_with_logits", x=lambda g, x, target: _of_logits(g, x, target), target=lambda g, x: -g * x)
not_differentiable(  # recorded as what they are composed of
    "cross_entropy_gradient", "nll_loss_gradient", "multi_margin_loss_gradient", "binary_cross_entropy_with_logits_gradient"
)
