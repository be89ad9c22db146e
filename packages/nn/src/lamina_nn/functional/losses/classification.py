"""Losses between scores of classes and the classes wanted: likelihoods, entropies and margins."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import lamina_ndarray as nd
import lamina_tensor as lt
from lamina_flatarray import ArgumentValueError, DType, DTypeError, ShapeError, UsageError
from lamina_ndarray.batching import all_slices
from lamina_ndarray.dispatch.namespace import namespace
from lamina_ndarray.layouts.memory_order import laid_in_order
from lamina_tensor import Tensor
from lamina_tensor.dispatch.tensor_functions import af
from lamina_tensor.dispatch.torch_function import torch_function
from lamina_tensor.functions.layers import fused

from ..activations import logsigmoid
from ..checking import check_floating, check_pair, check_tensor
from ..linear_maps import linear
from .reduction import REDUCTIONS, as_input, reduced, reduction_of

__all__ = [
    "binary_cross_entropy", "binary_cross_entropy_with_logits", "check_probabilities", "cross_entropy", "linear_cross_entropy",
    "multilabel_soft_margin_loss", "nll_loss", "soft_margin_loss",
]  # fmt: skip

Shape = tuple[int, ...]


# -- two classes --------------------------------------------------------------------------------------------------------


def check_probabilities(name: str, x: Tensor) -> None:
    """Refuse items that are no probabilities.

    Raises:
        UsageError: there are such.
    """
    items, backend = all_slices(x.array), x.array.flat.backend
    if items.size and backend.holds_items and not backend.late_errors and not 0 <= nd.min(items).item() <= nd.max(items).item() <= 1:
        raise UsageError(f"all elements of {name} should be between 0 and 1")


@torch_function(autocast="float32")
def binary_cross_entropy(
    input: Tensor, target: Tensor, weight: Tensor | None = None, size_average: bool | None = None,
    reduce: bool | None = None, reduction: str = "mean",
) -> Tensor:  # fmt: skip
    """Take the cross entropy of probabilities of two classes; logarithms are at least -100.

    Args:
        input: probabilities.
        target: probabilities, of the same shape.
        weight: per item, or what broadcasts to that.
        size_average, reduce: of older programs.
        reduction: "mean", "sum" or "none".

    Returns:
        A tensor without dims, or one for each item with "none".

    Raises:
        ArgumentValueError: the shapes differ, or there is no such reduction.
        UsageError: an item of input or target is not in [0, 1].

    >>> torch.nn.functional.binary_cross_entropy(torch.tensor([0.5]), torch.tensor([1.0]))
    tensor(0.6931)
    """
    kind = reduction_of(reduction, size_average, reduce)
    if tuple(target.shape) != tuple(input.shape):
        raise ArgumentValueError(
            f"Using a target size ({target.size()}) that is different to the input size ({input.size()}) is deprecated. "
            "Please ensure they have the same size."
        )
    check_floating("binary_cross_entropy", input)
    check_probabilities("input", input)
    check_probabilities("target", target)
    if input.dtype is not target.dtype:
        raise DTypeError(f"binary_cross_entropy: the input is {input.dtype!r} and the target {target.dtype!r}; they must be alike")
    losses = af.binary_cross_entropy(input, target)
    return reduced(losses if weight is None else losses * weight, kind)


@torch_function(autocast="float32")
def binary_cross_entropy_with_logits(
    input: Tensor, target: Tensor, weight: Tensor | None = None, size_average: bool | None = None,
    reduce: bool | None = None, reduction: str = "mean", pos_weight: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """Take the cross entropy of the sigmoid of logits, without overflow.

    Args:
        input: logits.
        target: probabilities, of the same shape.
        weight: per item, or what broadcasts to that.
        size_average, reduce: of older programs.
        reduction: "mean", "sum" or "none".
        pos_weight: factors of the first term, which broadcast.

    Returns:
        A tensor without dims, or one for each item with "none".

    Raises:
        ShapeError: the shapes differ.
        ArgumentValueError: there is no such reduction.

    >>> torch.nn.functional.binary_cross_entropy_with_logits(torch.tensor([0.0]), torch.tensor([1.0]))
    tensor(0.6931)
    """
    kind = reduction_of(reduction, size_average, reduce)
    if tuple(input.shape) != tuple(target.shape):
        raise ShapeError(f"Target size ({target.size()}) must be the same as input size ({input.size()})")
    if pos_weight is None:
        losses = af.binary_cross_entropy_with_logits(input.to(nd.promote_types(input.dtype, target.dtype)), target)
        strides = target.array.layout.result.strides
        if losses.array.layout.strides != strides:  # PyTorch's are written over `1 - target`
            losses = laid_in_order(namespace(losses), losses, tuple(sorted(range(losses.ndim), key=lambda axis: -strides[axis])))
    else:
        losses = (1 - target) * input + ((pos_weight - 1) * target + 1) * af.softplus(-input)
    return reduced(losses if weight is None else losses * weight, kind)


@torch_function(autocast="float32", strict=True)
def soft_margin_loss(
    input: Tensor, target: Tensor, size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean"
) -> Tensor:
    """Take log(1 + exp(-target * input)), reduced.

    Args:
        input: scores of any shape.
        target: 1 or -1, of input's shape, or of one that broadcasts to it.
        size_average, reduce: deprecated; use `reduction`.
        reduction: "mean", "sum" or "none".

    Returns:
        A tensor of input's dtype, without dims, or with one item for each with "none".

    Raises:
        ShapeError: the target does not broadcast to input's shape.
        ArgumentValueError: there is no such reduction.
        DTypeError: the losses cannot be cast to input's dtype.
        ArgumentTypeError: an operand is no tensor.

    >>> torch.nn.functional.soft_margin_loss(torch.tensor([0.0]), torch.tensor([1.0]))
    tensor(0.6931)
    """
    check_pair("soft_margin_loss", input, target)
    product = input * target
    if product.shape != input.shape:
        raise ShapeError(
            f"soft_margin_loss: output with shape {list(input.shape)} doesn't match the broadcast shape {list(product.shape)}: the target, "
            f"{list(target.shape)}, may not be spread beyond the input"
        )
    losses = as_input("soft_margin_loss", af.softplus(-product), input)
    return reduced(losses, reduction_of(reduction, size_average, reduce))


@torch_function(strict=True)
def multilabel_soft_margin_loss(
    input: Tensor, target: Tensor, weight: Tensor | None = None, size_average: bool | None = None,
    reduce: bool | None = None, reduction: str = "mean",
) -> Tensor:  # fmt: skip
    """Take the mean over classes of binary cross entropies of logits.

    Args:
        input: logits, (N, C) or (C,).
        target: 0 or 1, of input's shape.
        weight: factors of the classes, (C,).
        size_average, reduce: deprecated; use `reduction`.
        reduction: "mean", "sum" or "none".

    Returns:
        A tensor without dims, or one for each item with "none".

    Raises:
        ArgumentValueError: there is no such reduction.
        ArgumentTypeError: an operand is no tensor.

    >>> torch.nn.functional.multilabel_soft_margin_loss(torch.zeros(1, 3), torch.tensor([[1.0, 0.0, 1.0]]))
    tensor(0.6931)
    """
    check_pair("multilabel_soft_margin_loss", input, target)
    if size_average is None and reduce is None and reduction not in ("none", "mean", "sum"):
        raise ArgumentValueError(f"{reduction} is not valid")
    kind = reduction_of(reduction, size_average, reduce)
    losses = -(target * logsigmoid(input) + (1 - target) * logsigmoid(-input))
    if weight is not None:
        losses = losses * weight.expand(losses.shape)
    return reduced(lt.sum(losses, -1) / input.shape[-1], kind)


# -- one of several classes ---------------------------------------------------------------------------------------------


@lru_cache(1024)
def _class_dim(
    op: str, shape: Shape, dtype: DType, target_shape: Shape, target_dtype: DType, weights: tuple[Shape, DType] | None
) -> int:  # fmt: skip
    """The dim of the classes of scores, from shapes and dtypes of scores, targets and weights; worked out once for each.

    Raises:
        ValueError: the numbers of instances differ.
        RuntimeError: shapes or dtypes do not fit.
    """
    if not shape:
        raise ShapeError(f"{op}: input tensor should be 1D or more, got a scalar")
    dim = 1 if len(shape) > 1 else 0
    if dim and target_shape and shape[0] != target_shape[0]:
        raise ArgumentValueError(f"Expected input batch_size ({shape[0]}) to match target batch_size ({target_shape[0]}).")
    if shape[:dim] + shape[dim + 1 :] != target_shape:
        raise ShapeError(f"{op}: input {shape} wants a target of its shape without dim {dim}, not {target_shape}")
    if target_dtype.kind not in "ui":
        raise DTypeError(f"{op}: expected a target of class indices in int64, but found {target_dtype.name}")
    if weights is not None and weights[1] is not dtype:
        raise DTypeError(f"{op}: expected scalar type {dtype.name} but found {weights[1].name} in weight")
    if weights is not None and weights[0] != (shape[dim],):
        raise ShapeError(
            f"{op}: weight tensor should be defined either for all {shape[dim]} classes or no classes but got weight tensor "
            f"of shape: {list(weights[0])}"
        )
    return dim


@torch_function(autocast="float32")
def nll_loss(
    input: Tensor, target: Tensor, weight: Tensor | None = None, size_average: bool | None = None,
    ignore_index: int = -100, reduce: bool | None = None, reduction: str = "mean",
) -> Tensor:  # fmt: skip
    """Take the negated log-probability of the target class.

    Args:
        input: log-probabilities, (N, C, ...) or (C,).
        target: int64 class indices, (N, ...) or ().
        weight: per class, (C,); the mean is then weighted.
        size_average, reduce: of older programs.
        ignore_index: targets of this value count for nothing.
        reduction: "mean", "sum" or "none".

    Returns:
        A tensor without dims, or one for each item with "none".

    Raises:
        ShapeError: the shapes do not fit.
        IndexOutOfRange: a target is no class.
        ArgumentValueError: there is no such reduction.

    >>> torch.nn.functional.nll_loss(torch.tensor([[-0.5, -1.0]]), torch.tensor([1]))
    tensor(1.)
    """
    if reduction not in REDUCTIONS or size_average is not None or reduce is not None:
        reduction = reduction_of(reduction, size_average, reduce)
    if not isinstance(target, Tensor) or not isinstance(input, Tensor):
        check_tensor("nll_loss", input, target)
    x, labels = input.array, target.array
    weights = None if weight is None else (weight.array.layout.shape, weight.array.flat.dtype)
    dim = _class_dim("nll_loss", x.layout.shape, x.flat.dtype, labels.layout.shape, labels.flat.dtype, weights)
    if weight is None or not weight.requires_grad:
        return fused.nll_loss(input, target, weight, dim, ignore_index, reduction)
    ignored = target == ignore_index
    safe = lt.masked_fill(target, ignored, 0)
    picked = -lt.squeeze(lt.gather(input, dim, lt.unsqueeze(safe, dim)), dim)
    if weight is None:
        losses = lt.masked_fill(picked, ignored, 0.0)
        return lt.sum(losses) / lt.sum(~ignored) if reduction == "mean" else reduced(losses, reduction)
    factor = lt.masked_fill(weight[safe], ignored, 0.0)
    losses = lt.masked_fill(picked * factor, ignored, 0.0)
    return lt.sum(losses) / lt.sum(factor) if reduction == "mean" else reduced(losses, reduction)


@torch_function(autocast="float32")
def cross_entropy(
    input: Tensor, target: Tensor, weight: Tensor | None = None, size_average: bool | None = None,
    ignore_index: int = -100, reduce: bool | None = None, reduction: str = "mean", label_smoothing: float = 0.0,
) -> Tensor:  # fmt: skip
    """Take the cross entropy between logits and targets: class indices, or probabilities.

    Args:
        input: logits, (N, C, ...) or (C,).
        target: int64 indices (N, ...) or (), or probabilities like `input`.
        weight: per class, (C,).
        size_average, reduce: of older programs.
        ignore_index: target indices of this value count for nothing.
        reduction: "mean", "sum" or "none".
        label_smoothing: how much of each target is spread evenly over all classes, within [0, 1].

    Returns:
        A tensor without dims, or one for each item with "none".

    Raises:
        ShapeError: the shapes do not fit.
        IndexOutOfRange: a target is no class.
        UsageError: label_smoothing is not in [0, 1], or ignore_index is used with probabilities.
        ArgumentValueError: there is no such reduction.

    >>> torch.nn.functional.cross_entropy(torch.zeros(1, 2), torch.tensor([1]))
    tensor(0.6931)
    """
    if reduction not in REDUCTIONS or size_average is not None or reduce is not None:
        reduction = reduction_of(reduction, size_average, reduce)
    if not isinstance(target, Tensor) or not isinstance(input, Tensor):
        check_tensor("cross_entropy", input, target)
    if not input.array.flat.dtype.is_floating_point:
        check_floating("cross_entropy", input)
    if not 0 <= label_smoothing <= 1:
        raise UsageError(f"label_smoothing must be between 0.0 and 1.0. Got: {label_smoothing}")
    x, labels = input.array, target.array
    shape = x.layout.shape
    if not shape:
        raise ShapeError("cross_entropy: logits want at least the dim of the classes, got a scalar")
    if shape == labels.layout.shape:
        dim = 1 if len(shape) > 1 else 0
        if not target.dtype.is_floating_point:
            raise DTypeError(f"Expected floating point type for target with class probabilities, got {target.dtype.name}")
        if ignore_index >= 0:
            raise UsageError("ignore_index is not supported for floating point target")
        return _soft_cross_entropy(lt.log_softmax(input, dim), target, weight, reduction, label_smoothing, dim)
    weights = None if weight is None else (weight.array.layout.shape, weight.array.flat.dtype)
    dim = _class_dim("cross_entropy", shape, x.flat.dtype, labels.layout.shape, labels.flat.dtype, weights)
    if weight is None or not weight.requires_grad:
        return fused.cross_entropy(input, target, weight, dim, label_smoothing, ignore_index, reduction)
    logs = lt.log_softmax(input, dim)
    hard = nll_loss(logs, target, weight, None, ignore_index, None, reduction)
    if not label_smoothing:
        return hard
    classes = logs.shape[dim]
    ignored = target == ignore_index
    spread = lt.masked_fill(-lt.sum(logs if weight is None else logs * _along(weight, dim, logs.ndim), dim), ignored, 0.0)
    if reduction == "mean":
        counts = (~ignored).to(logs.dtype)
        if weight is not None:
            counts = weight[lt.masked_fill(target, ignored, 0)] * counts
        smooth = lt.sum(spread) / lt.sum(counts)
    else:
        smooth = reduced(spread, reduction)
    return hard * (1 - label_smoothing) + smooth * (label_smoothing / classes)


def _along(vector: Tensor, dim: int, ndim: int) -> Tensor:
    """A vector that broadcasts along one dim of `ndim`."""
    return vector.reshape([-1 if i == dim else 1 for i in range(ndim)])


def _soft_cross_entropy(
    logs: Tensor, target: Tensor, weight: Tensor | None, reduction: str, label_smoothing: float, dim: int
) -> Tensor:
    if weight is not None and tuple(weight.shape) != (logs.shape[dim],):
        raise ShapeError(f"cross_entropy: weight tensor should be defined either for all {logs.shape[dim]} classes or no classes")
    if label_smoothing:
        target = target * (1 - label_smoothing) + label_smoothing / logs.shape[dim]
    products = logs * target
    if weight is not None:
        products = products * _along(weight, dim, logs.ndim)
    losses = -lt.sum(products, dim)
    if reduction == "mean":
        return lt.sum(losses) / max(1, losses.numel())
    return reduced(losses, reduction)


@torch_function
def linear_cross_entropy(
    input: Tensor, linear_weight: Tensor, target: Tensor, *, linear_bias: Tensor | None = None,
    weight: Tensor | None = None, reduction: str = "mean", ignore_index: int | None = None, label_smoothing: float = 0.0,
    options: Any = None,
) -> Tensor:  # fmt: skip
    """Take the cross entropy of a linear layer's logits.

    Args:
        input: (in_features,) or (N, in_features).
        linear_weight: (classes, ..., in_features).
        target: as of `cross_entropy`.
        linear_bias: (classes, ...).
        weight, reduction, label_smoothing: as of `cross_entropy`.
        ignore_index: target indices of this value count for nothing; None for none.
        options: accepted; the logits are computed as a whole.

    Returns:
        A tensor without dims, or one for each item with "none".

    Raises:
        ShapeError: the shapes do not fit.

    >>> torch.nn.functional.linear_cross_entropy(torch.ones(1, 2), torch.zeros(3, 2), torch.tensor([1]))
    tensor(1.0986)
    """
    if input.ndim not in (1, 2):
        raise ShapeError(f"linear_cross_entropy: expected input with dimensionality 1 or 2, got {input.ndim}")
    outer = tuple(linear_weight.shape[:-1])
    if len(outer) > 1 and input.ndim != 2:
        raise ShapeError(
            f"K-dimensional loss defined by linear_weight shape {list(linear_weight.shape)} requires batched input, "
            f"[N, {linear_weight.shape[-1]}], got input with shape {list(input.shape)}"
        )
    flat = linear_weight.reshape(-1, linear_weight.shape[-1])
    logits = linear(input, flat, None if linear_bias is None else linear_bias.reshape(-1))
    logits = logits.reshape([*input.shape[:-1], *outer])
    index = -100 if ignore_index is None else ignore_index
    return cross_entropy(
        logits, target, weight, ignore_index=index, reduction=reduction, label_smoothing=label_smoothing
    )
