"""Fused ops on tensors: one node each, which keeps what the op gave beside its result."""

from __future__ import annotations

from typing import Any

from lamina_ndarray import class_losses, normalizations

from .recording import array_of, recorded
from .rules import RULES
from .tensor import Tensor

__all__ = ["batch_norm", "cross_entropy", "group_norm", "layer_norm", "nll_loss", "rms_norm"]


def cross_entropy(x: Tensor, target: Tensor, weight: Tensor | None, **params: Any) -> Tensor:
    """The cross entropy of logits and classes; see `lamina_ndarray.class_losses`."""
    inputs = x.array, target.array, array_of(weight)
    losses, logsumexp = class_losses.cross_entropy(*inputs, **params)
    return recorded(RULES["cross_entropy"], losses, (x, *inputs[1:]), logsumexp=logsumexp, **params)


def nll_loss(x: Tensor, target: Tensor, weight: Tensor | None, **params: Any) -> Tensor:
    """The negated log-probability of the target class; see `lamina_ndarray.class_losses`."""
    inputs = x.array, target.array, array_of(weight)
    return recorded(RULES["nll_loss"], class_losses.nll_loss(*inputs, **params), (x, *inputs[1:]), **params)


def layer_norm(x: Tensor, weight: Tensor | None, bias: Tensor | None, ndim: int, eps: float) -> Tensor:
    """Mean 0 and deviation 1 over the last axes; see `lamina_ndarray.normalizations`."""
    made, mean, rstd = normalizations.layer_norm(x.array, array_of(weight), array_of(bias), ndim, eps)
    return recorded(RULES["layer_norm"], made, (x, weight, bias), mean=mean, rstd=rstd, ndim=ndim, eps=eps)


def rms_norm(x: Tensor, weight: Tensor | None, ndim: int, eps: float) -> Tensor:
    """Mean square 1 over the last axes; see `lamina_ndarray.normalizations`."""
    made, rstd = normalizations.rms_norm(x.array, array_of(weight), ndim, eps)
    return recorded(RULES["rms_norm"], made, (x, weight), rstd=rstd, ndim=ndim, eps=eps)


def group_norm(x: Tensor, weight: Tensor | None, bias: Tensor | None, groups: int, eps: float) -> Tensor:
    """Mean 0 and deviation 1 over groups of channels; see `lamina_ndarray.normalizations`."""
    made, mean, rstd = normalizations.group_norm(x.array, array_of(weight), array_of(bias), groups, eps)
    return recorded(RULES["group_norm"], made, (x, weight, bias), mean=mean, rstd=rstd, groups=groups, eps=eps)


def batch_norm(
    x: Tensor, mean: Any, variance: Any, weight: Tensor | None, bias: Tensor | None, eps: float, training: bool
) -> Tensor:
    """Mean 0 and deviation 1 per channel, by arrays of statistics, which in training are x's own; see
    `lamina_ndarray.normalizations`."""
    made = normalizations.batch_norm(x.array, mean, variance, array_of(weight), array_of(bias), eps)
    return recorded(RULES["batch_norm"], made, (x, mean, variance, weight, bias), eps=eps, training=training)
