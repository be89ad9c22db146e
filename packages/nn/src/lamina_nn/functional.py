"""Layers and losses as functions."""

from __future__ import annotations

import warnings
from typing import Any

import lamina_tensor as lt
from lamina_flatarray import DTypeError, ShapeError
from lamina_tensor import Tensor
from lamina_tensor.array_functions import FUNCTIONS, linear
from lamina_tensor.precision import autocasting
from lamina_tensor.subclassing import overridable

from .attention import multi_head_attention_forward, scaled_dot_product_attention
from .embedding import embedding, embedding_bag

__all__ = [
    "binary_cross_entropy_with_logits", "cross_entropy", "dropout", "gelu", "l1_loss", "linear", "log_softmax",
    "mse_loss", "nll_loss", "one_hot", "relu", "sigmoid", "silu", "softmax", "softplus", "tanh",
    "embedding", "embedding_bag", "multi_head_attention_forward", "scaled_dot_product_attention",
]  # fmt: skip

gelu, silu, sigmoid, softplus, tanh = (FUNCTIONS[name] for name in ("gelu", "silu", "sigmoid", "softplus", "tanh"))
softmax, log_softmax = lt.softmax, lt.log_softmax


def relu(input: Tensor, inplace: bool = False) -> Tensor:
    """max(x, 0)."""
    return input.relu_() if inplace else FUNCTIONS["relu"](input)


def dropout(input: Tensor, p: float = 0.5, training: bool = True) -> Tensor:
    """Each item zeroed with probability p, the others divided by 1 - p; nothing outside of training.

    Raises:
        ShapeError: p is not within [0, 1].
    """
    if not 0 <= p <= 1:
        raise ShapeError(f"dropout probability has to be between 0 and 1, but got {p}")
    if not training or p == 0:
        return input
    if p == 1:
        return FUNCTIONS["multiply"](input, 0.0)
    kept = lt.empty_like(input.detach()).bernoulli_(1 - p)
    return input * (kept / (1 - p))


def one_hot(tensor: Tensor, num_classes: int = -1) -> Tensor:
    """int64 rows with a 1 at each index.

    Raises:
        ShapeError: an index is negative or not below `num_classes`.
    """
    import lamina_ndarray as nd

    count = int(tensor.max().item()) + 1 if num_classes < 0 else num_classes
    if tensor.array.layout.size and not 0 <= int(tensor.min().item()) <= int(tensor.max().item()) < count:
        raise ShapeError(f"one_hot: class values must be non-negative and smaller than num_classes {count}")
    return lt.Tensor(nd.astype(nd.one_hot_positions(tensor.array, count), nd.int64))


def _reduced(losses: Tensor, reduction: str) -> Tensor:
    if reduction == "mean":
        return lt.mean(losses)
    if reduction == "sum":
        return lt.sum(losses)
    if reduction != "none":
        raise ValueError(f"{reduction} is not a valid value for reduction")
    return losses


def _same_shape(name: str, input: Any, target: Any) -> None:
    if tuple(input.shape) != tuple(target.shape):
        warnings.warn(
            f"Using a target size ({target.shape}) that is different to the input size ({input.shape}) in {name}. "
            "This will likely lead to incorrect results due to broadcasting. Please ensure they have the same size.",
            stacklevel=3,
        )


def mse_loss(input: Tensor, target: Tensor, reduction: str = "mean") -> Tensor:
    """The squared difference, averaged, summed, or item by item (`reduction`)."""
    _same_shape("mse_loss", input, target)
    return _reduced(FUNCTIONS["square"](FUNCTIONS["subtract"](input, target)), reduction)


def l1_loss(input: Tensor, target: Tensor, reduction: str = "mean") -> Tensor:
    """The absolute difference, averaged, summed, or item by item (`reduction`)."""
    _same_shape("l1_loss", input, target)
    return _reduced(FUNCTIONS["abs"](FUNCTIONS["subtract"](input, target)), reduction)


def binary_cross_entropy_with_logits(input: Tensor, target: Tensor, reduction: str = "mean") -> Tensor:
    """-target log(sigmoid(input)) - (1 - target) log(1 - sigmoid(input)), without overflow.

    Raises:
        ShapeError: the shapes differ.
    """
    if tuple(input.shape) != tuple(target.shape):
        raise ShapeError(f"Target size ({target.shape}) must be the same as input size ({input.shape})")
    return _reduced(softplus(input) - input * target, reduction)


def nll_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    ignore_index: int = -100,
    reduction: str = "mean",
) -> Tensor:
    """The negated log-probability of the target class.

    Args:
        input: log-probabilities, (N, C, ...) or (C,).
        target: int64 class indices, (N, ...) or ().
        weight: per class, (C,); the mean is then weighted.
        ignore_index: targets of this value count for nothing.
        reduction: "mean", "sum" or "none".

    Raises:
        ShapeError: the shapes do not fit.
        IndexOutOfRange: a target is no class.
    """
    dim = 1 if input.ndim > 1 else 0
    shape = tuple(input.shape)
    if (*shape[:dim], *shape[dim + 1 :]) != tuple(target.shape):
        raise ShapeError(f"nll_loss: input {shape} wants a target of its shape without dim {dim}, not {target.shape}")
    if target.dtype.kind not in "ui":
        raise DTypeError(f"nll_loss: expected a target of class indices in int64, but found {target.dtype.name}")
    ignored = target == ignore_index
    safe = lt.masked_fill(target, ignored, 0)
    picked = -lt.squeeze(lt.gather(input, dim, lt.unsqueeze(safe, dim)), dim)
    factor = weight[safe] if weight is not None else lt.ones_like(picked.detach())
    factor = lt.masked_fill(factor, ignored, 0.0)
    losses = lt.masked_fill(picked, ignored, 0.0) * factor
    return lt.sum(losses) / lt.sum(factor) if reduction == "mean" else _reduced(losses, reduction)


def cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    ignore_index: int = -100,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Tensor:
    """The cross entropy between logits and targets: class indices, or probabilities of the input's shape.

    Args:
        input: logits, (N, C, ...) or (C,).
        target: int64 indices (N, ...) or (), or probabilities like `input`.
        weight: per class, (C,).
        ignore_index: target indices of this value count for nothing.
        reduction: "mean", "sum" or "none".
        label_smoothing: how much of each target is spread evenly over all classes, within [0, 1].

    Raises:
        ShapeError: the shapes do not fit.
    """
    dim = 1 if input.ndim > 1 else 0
    logs = log_softmax(input, dim)
    if target.dtype.is_floating_point:
        return _soft_cross_entropy(logs, target, weight, reduction, label_smoothing, dim)
    hard = nll_loss(logs, target, weight, ignore_index, reduction)
    if not label_smoothing:
        return hard
    classes = logs.shape[dim]
    keep = target != ignore_index
    scaled = logs if weight is None else logs * weight.reshape([-1 if i == dim else 1 for i in range(logs.ndim)])
    spread = lt.masked_fill(-lt.sum(scaled, dim), ~keep, 0.0)
    if reduction == "mean":
        counts = keep.to(logs.dtype) if weight is None else weight[lt.masked_fill(target, ~keep, 0)] * keep
        smooth = lt.sum(spread) / lt.sum(counts)
    else:
        smooth = _reduced(spread, reduction)
    return hard * (1 - label_smoothing) + smooth * (label_smoothing / classes)


def _soft_cross_entropy(
    logs: Tensor, target: Tensor, weight: Tensor | None, reduction: str, label_smoothing: float, dim: int
) -> Tensor:
    if tuple(logs.shape) != tuple(target.shape):
        raise ShapeError(f"cross_entropy: probabilities {target.shape} given for logits {logs.shape}")
    if label_smoothing:
        target = target * (1 - label_smoothing) + label_smoothing / logs.shape[dim]
    products = logs * target
    if weight is not None:
        products = products * weight.reshape([-1 if i == dim else 1 for i in range(logs.ndim)])
    losses = -lt.sum(products, dim)
    if reduction == "mean":
        return lt.sum(losses) / max(1, losses.array.layout.size)
    return _reduced(losses, reduction)

globals().update({_name: autocasting(_name, globals()[_name]) for _name in __all__})
overridable(globals())
