"""Fused ops on tensors: one node each, which keeps what the op gave beside its result."""

from __future__ import annotations

from typing import Any

import lamina_ndarray as nd
from lamina_ndarray import activations, attentions, class_losses, dropouts, normalizations, recurrences

from .recording import array_of, of_floats, recorded, recorded_several
from .rules import RULES
from .tensor import Tensor

__all__ = [
    "attention", "batch_norm", "cross_entropy", "dropout", "elu", "gelu_tanh", "group_norm", "hardshrink", "hardsigmoid", "hardswish",
    "hardtanh", "layer_norm", "leaky_relu", "logsigmoid", "mish", "nll_loss", "prelu", "recurrence", "rms_norm", "softshrink",
]  # fmt: skip


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


def recurrence(
    given: Tensor, state: Tensor, cell_state: Tensor | None, weight: Tensor, bias: Tensor | None, mode: str,
    sizes: tuple[int, ...], backwards: bool,
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    """Outputs, last states and last cell states of one layer of cells; see `lamina_ndarray.recurrences`."""
    inputs = given, state, cell_state, weight, bias
    arrays = given.array, state.array, array_of(cell_state), weight.array, array_of(bias)
    results = recurrences.recurrence(*arrays, mode=mode, sizes=sizes, backwards=backwards)
    params = {"mode": mode, "sizes": sizes, "backwards": backwards}
    return recorded_several(RULES["recurrence"], results, inputs, output=results[0], **params)[:3]  # type: ignore[return-value]


elu, gelu_tanh, hardshrink, hardsigmoid, hardswish, leaky_relu, logsigmoid, mish, softshrink = (
    of_floats(op) for op in activations.__all__ if op != "where_finite"
)


def hardtanh(x: Tensor, low: float, high: float) -> Tensor:
    """x held between two bounds, at which its gradient is 0."""
    return recorded(RULES["hardtanh"], nd.clip(x.array, low, high), (x,), low=low, high=high)  # type: ignore[attr-defined]


def prelu(x: Tensor, slope: Tensor) -> Tensor:
    """x where it is positive, else x times a slope that broadcasts to it."""
    return recorded(RULES["prelu"], activations.leaky_relu(x.array, slope.array), (x, slope))


def attention(query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None, scale: float, causal: bool) -> Tensor:
    """Values by weight; see `lamina_ndarray.attentions`."""
    arrays = query.array, key.array, value.array, array_of(mask)
    result, logsumexp = attentions.attention(*arrays, scale, causal)
    inputs = query, key, value, arrays[3]
    return recorded(RULES["attention"], result, inputs, logsumexp=logsumexp, scale=scale, causal=causal)


def dropout(x: Tensor, p: float) -> Tensor:
    """Items over 1 - p, or times 0 with probability p; see `lamina_ndarray.dropouts`."""
    result, kept = dropouts.dropout(x.array, p)
    return recorded(RULES["dropout"], result, (x, kept), p=p, layout=result.layout)
