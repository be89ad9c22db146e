"""The ops of layers on tensors: one node each, which keeps what the op gave beside its result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import lamina_ndarray as nd
from lamina_ndarray.elementwise import activations
from lamina_ndarray.indexing.bag_sums import bags_of
from lamina_ndarray.layers import (
    attention as attentions,
)
from lamina_ndarray.layers import (
    class_losses,
    convolutions,
    normalizations,
    pooling,
    quantized_products,
    recurrences,
)
from lamina_ndarray.layers import (
    dropout as dropouts,
)

from ...autograd.recording import array_of, recorded, recorded_several
from ...autograd.rules import RULES
from ...tensor_fields import tensor_of

if TYPE_CHECKING:
    from lamina_ndarray import NDArray

    from ...tensor_class import Tensor

__all__ = [
    "adaptive_max_pool", "attention", "average_pool", "bag_sums", "batch_norm", "convolution", "cross_entropy", "dropout", "group_norm",
    "hardtanh", "layer_norm", "max_pool", "multi_margin_loss", "nll_loss", "prelu", "quantized_linear", "recurrence", "rms_norm",
]  # fmt: skip


def cross_entropy(
    x: Tensor, target: Tensor, weight: Tensor | None, axis: int, smoothing: float, ignored: int, reduction: str
) -> Tensor:
    """The cross entropy of logits and classes; see `lamina_ndarray.layers.class_losses`."""
    classes, weights = target.array, None if weight is None else weight.array
    losses, logsumexp = class_losses.cross_entropy(x.array, classes, weights, axis, smoothing, ignored, reduction)
    if not x.requires_grad:
        return tensor_of(losses)
    return recorded(
        RULES["cross_entropy"], losses, (x, classes, weights), logsumexp=logsumexp, axis=axis, smoothing=smoothing,
        ignored=ignored, reduction=reduction,
    )  # fmt: skip


def nll_loss(x: Tensor, target: Tensor, weight: Tensor | None, axis: int, ignored: int, reduction: str) -> Tensor:
    """The negated log-probability of the target class; see `lamina_ndarray.layers.class_losses`."""
    classes, weights = target.array, None if weight is None else weight.array
    losses = class_losses.nll_loss(x.array, classes, weights, axis, ignored, reduction)
    if not x.requires_grad:
        return tensor_of(losses)
    return recorded(RULES["nll_loss"], losses, (x, classes, weights), axis=axis, ignored=ignored, reduction=reduction)


def multi_margin_loss(
    x: Tensor, target: Tensor, weight: Tensor | None, p: int, margin: float, reduction: str
) -> Tensor:
    """How far other classes come within a margin of the target; see `lamina_ndarray.layers.class_losses`."""
    classes, weights = target.array, None if weight is None else weight.array
    losses = class_losses.multi_margin_loss(x.array, classes, weights, p, margin, reduction)
    if not x.requires_grad:
        return tensor_of(losses)
    return recorded(
        RULES["multi_margin_loss"], losses, (x, classes, weights), p=p, margin=margin, reduction=reduction
    )


def _arrays(weight: Tensor | None, bias: Tensor | None) -> tuple[Any, Any]:
    return None if weight is None else weight.array, None if bias is None else bias.array


def layer_norm(x: Tensor, weight: Tensor | None, bias: Tensor | None, ndim: int, eps: float) -> Tensor:
    """Mean 0 and deviation 1 over the last axes; see `lamina_ndarray.layers.normalizations`."""
    factor, shift = None if weight is None else weight.array, None if bias is None else bias.array
    result, mean, rstd = normalizations.layer_norm(x.array, factor, shift, ndim, eps)
    return recorded(RULES["layer_norm"], result, (x, weight, bias), mean=mean, rstd=rstd, ndim=ndim, eps=eps)


def rms_norm(x: Tensor, weight: Tensor | None, ndim: int, eps: float) -> Tensor:
    """Mean square 1 over the last axes; see `lamina_ndarray.layers.normalizations`."""
    result, rstd = normalizations.rms_norm(x.array, array_of(weight), ndim, eps)
    return recorded(RULES["rms_norm"], result, (x, weight), rstd=rstd, ndim=ndim, eps=eps)


def group_norm(x: Tensor, weight: Tensor | None, bias: Tensor | None, groups: int, eps: float) -> Tensor:
    """Mean 0 and deviation 1 over groups of channels; see `lamina_ndarray.layers.normalizations`."""
    result, mean, rstd = normalizations.group_norm(x.array, *_arrays(weight, bias), groups, eps)
    return recorded(RULES["group_norm"], result, (x, weight, bias), mean=mean, rstd=rstd, groups=groups, eps=eps)


def batch_norm(
    x: Tensor, mean: Any, variance: Any, weight: Tensor | None, bias: Tensor | None, eps: float, training: bool
) -> Tensor:
    """Mean 0 and deviation 1 per channel, by arrays of statistics, which in training are x's own; see
    `lamina_ndarray.layers.normalizations`."""
    result = normalizations.batch_norm(x.array, mean, variance, *_arrays(weight, bias), eps)
    return recorded(RULES["batch_norm"], result, (x, mean, variance, weight, bias), eps=eps, training=training)


def recurrence(
    given: Tensor, state: Tensor, cell_state: Tensor | None, weight: Tensor, bias: Tensor | None, mode: str,
    sizes: tuple[int, ...], backwards: bool,
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    """Outputs, last states and last cell states of one layer of cells; see `lamina_ndarray.layers.recurrences`."""
    inputs = given, state, cell_state, weight, bias
    arrays = given.array, state.array, array_of(cell_state), weight.array, array_of(bias)
    results = recurrences.recurrence(*arrays, mode=mode, sizes=sizes, backwards=backwards)
    params = {"mode": mode, "sizes": sizes, "backwards": backwards}
    return recorded_several(RULES["recurrence"], results, inputs, output=results[0], **params)[:3]  # type: ignore[return-value]




def hardtanh(x: Tensor, low: float, high: float) -> Tensor:
    """x held between two bounds, at which its gradient is 0."""
    return recorded(RULES["hardtanh"], nd.clip(x.array, low, high), (x,), low=low, high=high)


def prelu(x: Tensor, slope: Tensor) -> Tensor:
    """x where it is positive, else x times a slope that broadcasts to it."""
    return recorded(RULES["prelu"], activations.leaky_relu(x.array, slope.array), (x, slope))


def attention(query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None, scale: float, causal: bool) -> Tensor:
    """Values by weight; see `lamina_ndarray.layers.attention`."""
    arrays = query.array, key.array, value.array, array_of(mask)
    result, logsumexp = attentions.attention(*arrays, scale, causal)
    inputs = query, key, value, arrays[3]
    return recorded(RULES["attention"], result, inputs, logsumexp=logsumexp, scale=scale, causal=causal)


def quantized_linear(
    x: Tensor, weight: Tensor, scale: Tensor, zero_point: Tensor | None, bias: Tensor | None, bits: int, group_size: int
) -> Tensor:
    """x by a weight of few bits, which has no gradient; see `lamina_ndarray.layers.quantized_products`."""
    integers, scales, zeros = weight.array, scale.array, array_of(zero_point)
    result = quantized_products.quantized_linear(x.array, integers, scales, zeros, array_of(bias), bits, group_size)
    inputs = x, integers, scales, zeros, bias
    return recorded(RULES["quantized_linear"], result, inputs, bits=bits, group_size=group_size)


def dropout(x: Tensor, p: float) -> Tensor:
    """Items over 1 - p, or times 0 with probability p; see `lamina_ndarray.layers.dropout`."""
    result, kept = dropouts.dropout(x.array, p)
    return recorded(RULES["dropout"], result, (x, kept), p=p, layout=result.layout)


Lengths = tuple[int, ...]


def max_pool(x: Tensor, kernel: Lengths, stride: Lengths, padding: Lengths, dilation: Lengths, ceil: bool) -> tuple[Tensor, ...]:
    """The greatest item of every window, and where it is; see `lamina_ndarray.layers.pooling`."""
    results = pooling.max_pool(x.array, kernel, stride, padding, dilation, ceil)
    return recorded_several(RULES["max_pool"], results, (x,)) if x.requires_grad else tuple(map(tensor_of, results))


def adaptive_max_pool(x: Tensor, counts: Lengths) -> tuple[Tensor, ...]:
    """The greatest item of every bin, and where it is; see `lamina_ndarray.layers.pooling`."""
    results = pooling.adaptive_max_pool(x.array, counts)
    return recorded_several(RULES["adaptive_max_pool"], results, (x,)) if x.requires_grad else tuple(map(tensor_of, results))


def average_pool(
    x: Tensor, kernel: Lengths, stride: Lengths, padding: Lengths, ceil: bool, count_padding: bool, divisor: int | None
) -> Tensor:
    """The mean of every window; see `lamina_ndarray.layers.pooling`."""
    result = pooling.average_pool(x.array, kernel, stride, padding, ceil, count_padding, divisor)
    if not x.requires_grad:
        return tensor_of(result)
    return recorded(
        RULES["average_pool"], result, (x,), kernel=kernel, stride=stride, padding=padding, ceil=ceil,
        count_padding=count_padding, divisor=divisor,
    )  # fmt: skip


def bag_sums(x: Tensor, indices: NDArray, ends: NDArray, weights: Tensor | None) -> Tensor:
    """Rows of a table added up bag by bag; see `lamina_ndarray.bag_sums`."""
    factors = None if weights is None else weights.array
    result = nd.bag_sums(x.array, indices, ends, factors)
    if not x.requires_grad and (weights is None or not weights.requires_grad):
        return tensor_of(result)
    bag = bags_of(ends, indices.layout.shape[0])
    return recorded(RULES["bag_sums"], result, (x, indices, ends, weights), bag=bag)


def convolution(
    x: Tensor, weight: Tensor, bias: Tensor | None, stride: Lengths, padding: Lengths, dilation: Lengths, groups: int
) -> Tensor:
    """Every output channel's weight slid over the input channels of its group; see `lamina_ndarray.layers.convolutions`."""
    shift = None if bias is None else bias.array
    result = convolutions.convolution(x.array, weight.array, shift, stride, padding, dilation, groups)
    return recorded(
        RULES["convolution"], result, (x, weight, bias), stride=stride, padding=padding, dilation=dilation, groups=groups
    )
