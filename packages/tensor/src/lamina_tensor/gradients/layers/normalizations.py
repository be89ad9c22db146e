"""Gradients of normalisations: of input, weight and bias together, as they share sums."""

from __future__ import annotations

from typing import Any

from ...autograd.rules import joint_rule, not_differentiable
from ...dispatch.dispatched import fused_or_formula

_layer, _rms, _group, _batch = (
    fused_or_formula(f"{n}_gradient") for n in ("layer_norm", "rms_norm", "group_norm", "batch_norm")
)

joint_rule("layer_norm", "x weight bias", lambda g, x, weight, mean, rstd, ndim, eps: _layer(
    g, x, weight, beside={"mean": mean, "rstd": rstd}, ndim=ndim, eps=eps), node_name="NativeLayerNormBackward0")  # fmt: skip
joint_rule("rms_norm", "x weight", lambda g, x, weight, rstd, ndim, eps: _rms(
    g, x, weight, beside={"rstd": rstd}, ndim=ndim, eps=eps), node_name="FusedRmsNormBackward0")  # fmt: skip
joint_rule("group_norm", "x weight bias", lambda g, x, weight, mean, rstd, groups, eps: _group(
    g, x, weight, beside={"mean": mean, "rstd": rstd}, groups=groups, eps=eps), node_name="NativeGroupNormBackward0")  # fmt: skip


def _of_batch(g: Any, x: Any, mean: Any, variance: Any, weight: Any, eps: float, training: bool) -> Any:
    statistics = {"mean": mean, "variance": variance}
    if training:
        return _batch(g, x, weight=weight, beside=statistics, eps=eps, training=True)
    return _batch(g, x, weight=weight, beside={}, **statistics, eps=eps, training=False)


joint_rule("batch_norm", "x weight bias", _of_batch, node_name="NativeBatchNormBackward0")
not_differentiable(  # recorded as what they are composed of
    "layer_norm_gradient", "rms_norm_gradient", "group_norm_gradient", "batch_norm_gradient", "channel_moments"
)
