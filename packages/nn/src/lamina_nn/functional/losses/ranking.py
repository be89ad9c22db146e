"""Losses that want scores or distances apart by a margin: rankings, embeddings, triplets, and margins between classes."""

from __future__ import annotations

from collections.abc import Callable

import lamina_tensor as lt
from lamina_flatarray import ArgumentValueError, DTypeError, ShapeError, int64
from lamina_tensor import Tensor
from lamina_tensor.dispatch.dispatched import formula_of
from lamina_tensor.dispatch.tensor_functions import af
from lamina_tensor.dispatch.torch_function import torch_function
from lamina_tensor.functions.layers import fused

from ..checking import check_floating, check_pair, check_tensor
from .distances import pairwise_distance
from .reduction import REDUCTIONS, reduced, reduction_of

__all__ = [
    "cosine_embedding_loss", "hinge_embedding_loss", "margin_ranking_loss", "multi_margin_loss", "multilabel_margin_loss",
    "triplet_margin_loss", "triplet_margin_with_distance_loss",
]  # fmt: skip


def _positive(x: Tensor) -> Tensor:
    """max(x, 0)."""
    return lt.clamp_min(x, 0)


@torch_function(autocast="float32", strict=True)
def margin_ranking_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0, size_average: bool | None = None,
    reduce: bool | None = None, reduction: str = "mean",
) -> Tensor:  # fmt: skip
    """Take max(0, -target * (input1 - input2) + margin), reduced: with target 1 the first should rank higher, with -1 the second.

    Args:
        input1, input2: scores of one shape.
        target: 1 or -1, of that shape.
        margin: how far apart the scores should be.
        size_average, reduce: deprecated; use `reduction`.
        reduction: "mean", "sum" or "none".

    Returns:
        A tensor without dims, or one for each item with "none".

    Raises:
        ShapeError: the numbers of dims differ.
        ArgumentValueError: there is no such reduction.
        ArgumentTypeError: an operand is no tensor.

    >>> torch.nn.functional.margin_ranking_loss(torch.tensor([1.0]), torch.tensor([2.0]), torch.tensor([1.0]))
    tensor(1.)
    """
    check_pair("margin_ranking_loss", input1, input2, target)
    kind = reduction_of(reduction, size_average, reduce)
    if not input1.ndim == input2.ndim == target.ndim:
        raise ShapeError(
            "margin_ranking_loss : All input tensors should have same dimension but got sizes: input1: "
            f"{input1.size()}, input2: {input2.size()}, target: {target.size()} "
        )
    return reduced(_positive(-target * (input1 - input2) + margin), kind)


@torch_function(autocast="float32", strict=True)
def hinge_embedding_loss(
    input: Tensor, target: Tensor, margin: float = 1.0, size_average: bool | None = None, reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:  # fmt: skip
    """Take distances where the target is 1, and max(0, margin - distance) where it is -1, reduced.

    Args:
        input: distances of any shape.
        target: 1 or -1, of input's shape.
        margin: the distance beyond which nothing is lost.
        size_average, reduce: deprecated; use `reduction`.
        reduction: "mean", "sum" or "none".

    Returns:
        A tensor without dims, or one for each item with "none".

    Raises:
        ArgumentValueError: there is no such reduction.
        ArgumentTypeError: an operand is no tensor.

    >>> torch.nn.functional.hinge_embedding_loss(torch.tensor([0.25, 0.25]), torch.tensor([1.0, -1.0]))
    tensor(0.5000)
    """
    check_pair("hinge_embedding_loss", input, target)
    kind = reduction_of(reduction, size_average, reduce)
    hinge = af.where(target != 1, _positive(margin - input), 0.0)
    return reduced(hinge + af.where(target != -1, input, 0.0), kind)


@torch_function(autocast="float32")
def cosine_embedding_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0, size_average: bool | None = None,
    reduce: bool | None = None, reduction: str = "mean",
) -> Tensor:  # fmt: skip
    """Take 1 - cosine where the target is 1, and max(0, cosine - margin) where it is -1, reduced.

    Args:
        input1, input2: (N, D) or (D,).
        target: (N,) or ().
        margin: see above.
        size_average, reduce: of older programs.
        reduction: "mean", "sum" or "none".

    Returns:
        A tensor without dims, or one for each item with "none".

    Raises:
        ShapeError: the shapes do not fit.
        ArgumentValueError: there is no such reduction.
        ArgumentTypeError: an operand is no tensor.

    >>> torch.nn.functional.cosine_embedding_loss(torch.tensor([[1.0, 0.0]]), torch.tensor([[0.0, 1.0]]), torch.tensor([1]))
    tensor(1.)
    """
    check_tensor("cosine_embedding_loss", input1, input2, target)
    kind = reduction_of(reduction, size_average, reduce)
    if target.ndim > 1:
        raise ShapeError("0D or 1D target tensor expected, multi-target not supported")
    if not input1.ndim == input2.ndim == target.ndim + 1:
        raise ShapeError(
            f"{target.ndim}D target tensor expects {target.ndim + 1}D input tensors, but found inputs with sizes "
            f"{list(input1.shape)} and {list(input2.shape)}."
        )
    tiny = 1e-12
    squares = (lt.sum(input1 * input1, -1) + tiny) * (lt.sum(input2 * input2, -1) + tiny)
    cosine = lt.sum(input1 * input2, -1) / af.sqrt(squares)
    return reduced(af.where(target == 1, 1 - cosine, 0.0) + af.where(target == -1, _positive(cosine - margin), 0.0), kind)


@torch_function(autocast="float32")
def triplet_margin_loss(
    anchor: Tensor, positive: Tensor, negative: Tensor, margin: float = 1.0, p: float = 2, eps: float = 1e-6,
    swap: bool = False, size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean",
) -> Tensor:  # fmt: skip
    """Take max(0, margin + distance to the positive - distance to the negative), reduced (Balntas et al. 2016).

    Args:
        anchor, positive, negative: (N, D) or (D,).
        margin: greater than 0.
        p, eps: as of `pairwise_distance`.
        swap: whether the negative's distance from the positive counts where it is the smaller.
        size_average, reduce: of older programs.
        reduction: "mean", "sum" or "none".

    Returns:
        A tensor without dims, or one for each item with "none".

    Raises:
        ShapeError: the numbers of dims differ.
        ArgumentValueError: the margin is not positive, or there is no such reduction.

    >>> torch.nn.functional.triplet_margin_loss(torch.tensor([[0.0]]), torch.tensor([[1.0]]), torch.tensor([[3.0]]))
    tensor(0.)
    """
    kind = reduction_of(reduction, size_average, reduce)
    return _triplet(anchor, positive, negative, lambda a, b: pairwise_distance(a, b, p, eps), margin, swap, kind)


@torch_function(calls_back=True)
def triplet_margin_with_distance_loss(
    anchor: Tensor, positive: Tensor, negative: Tensor, *,
    distance_function: Callable[[Tensor, Tensor], Tensor] | None = None, margin: float = 1.0, swap: bool = False,
    reduction: str = "mean",
) -> Tensor:  # fmt: skip
    """Take `triplet_margin_loss` with any distance.

    Args:
        anchor, positive, negative: (N, D) or (D,).
        distance_function: of two such tensors; by default `pairwise_distance`.
        margin: greater than 0.
        swap: whether the negative's distance from the positive counts where it is smaller.
        reduction: "mean", "sum" or "none".

    Returns:
        A tensor without dims, or one for each item with "none".

    Raises:
        ShapeError: the numbers of dims differ.
        ArgumentValueError: the margin is not positive, or there is no such reduction.

    >>> torch.nn.functional.triplet_margin_with_distance_loss(torch.tensor([[0.0]]), torch.tensor([[1.0]]), torch.tensor([[3.0]]))
    tensor(0.)
    """
    kind = reduction_of(reduction)
    return _triplet(anchor, positive, negative, distance_function or pairwise_distance, margin, swap, kind)


def _triplet(
    anchor: Tensor, positive: Tensor, negative: Tensor, distance: Callable[[Tensor, Tensor], Tensor], margin: float,
    swap: bool, reduction: str,
) -> Tensor:  # fmt: skip
    if margin <= 0:
        raise ArgumentValueError(f"margin must be greater than 0, got {margin}")
    if not anchor.ndim == positive.ndim == negative.ndim:
        raise ShapeError(
            "The anchor, positive, and negative tensors are expected to have the same number of dimensions, but got: anchor "
            f"{anchor.ndim}D, positive {positive.ndim}D, and negative {negative.ndim}D inputs"
        )
    to_positive, to_negative = distance(anchor, positive), distance(anchor, negative)
    if swap:
        to_negative = af.minimum(to_negative, distance(positive, negative))
    return reduced(_positive(margin + to_positive - to_negative), reduction)


# -- margins between classes --------------------------------------------------------------------------------------------


@torch_function(autocast="float32")
def multi_margin_loss(
    input: Tensor, target: Tensor, p: float = 1, margin: float = 1.0, weight: Tensor | None = None,
    size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean",
) -> Tensor:  # fmt: skip
    """Take the mean over classes of max(0, margin - score of the target + score of another class) ** p, reduced.

    Args:
        input: scores, (N, C) or (C,).
        target: int64 class indices, (N,) or ().
        p: 1 or 2.
        margin: see above.
        weight: per class, of the target.
        size_average, reduce: of older programs.
        reduction: "mean", "sum" or "none".

    Returns:
        A tensor without dims, or one for each item with "none".

    Raises:
        ArgumentValueError: p is neither 1 nor 2, or there is no such reduction.
        DTypeError: target is not int64, or weight not of the dtype of input.
        ShapeError: the shapes do not fit.
        IndexOutOfRange: a target is no class.

    >>> torch.nn.functional.multi_margin_loss(torch.tensor([[0.0, 1.0]]), torch.tensor([1]))
    tensor(0.)
    """
    if reduction not in REDUCTIONS or size_average is not None or reduce is not None:
        reduction = reduction_of(reduction, size_average, reduce)
    if p not in (1, 2):
        raise ArgumentValueError("only p == 1 and p == 2 supported")
    check_floating("multi_margin_loss", input)
    check_tensor("multi_margin_loss", input, target)
    if weight is not None and weight.ndim != 1:
        raise ShapeError("weight must be one-dimensional")
    scores = input if input.ndim == 2 else input.reshape([1, -1])
    rows, classes = scores.shape
    if input.ndim > 2 or not classes:
        raise ShapeError(f"Expected non-empty vector or matrix with optional 0-dim batch size, but got: {list(input.shape)}")
    if target.ndim > 1 or target.numel() != rows:
        raise ShapeError(f"inconsistent target size, expected {rows} but got {list(target.shape)}")
    if weight is not None and weight.shape[0] != classes:
        raise ShapeError(f"inconsistent weight size, expected {classes} but got {list(weight.shape)}")
    for name, given, wanted in (("target", target, int64), ("weight", weight, input.dtype)):
        if given is not None and given.dtype is not wanted:
            raise DTypeError(f"multi_margin_loss: expected scalar type {wanted.name} but found {given.dtype.name} in {name}")
    labels = target if target.ndim else target.reshape([1])
    # A weight with gradients gets them of what the op is composed of.
    loss = fused.multi_margin_loss if weight is None or not weight.requires_grad else formula_of("multi_margin_loss")
    losses: Tensor = loss(scores, labels, weight, int(p), float(margin), reduction)
    return losses if target.ndim or reduction != "none" else losses.reshape([])


@torch_function(autocast="float32")
def multilabel_margin_loss(
    input: Tensor, target: Tensor, size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean"
) -> Tensor:
    """Take the sum over target and other classes of max(0, 1 - score of the target + score of the other), over the number of classes.

    Args:
        input: scores, (N, C) or (C,).
        target: int64 class indices of the same shape: those of a row that come before its first -1.
        size_average, reduce: of older programs.
        reduction: "mean", "sum" or "none".

    Returns:
        A tensor without dims, or one for each item with "none".

    Raises:
        ShapeError: the shapes do not fit.
        ArgumentValueError: there is no such reduction.

    >>> torch.nn.functional.multilabel_margin_loss(torch.tensor([[0.0, 1.0]]), torch.tensor([[1, -1]]))
    tensor(0.)
    """
    kind = reduction_of(reduction, size_average, reduce)
    check_floating("multilabel_margin_loss", input)
    if input.ndim > 2 or (input.ndim == 2 and not input.shape[1]):
        raise ShapeError(f"Expected non-empty vector or matrix with optional 0-dim batch size, but got: {list(input.shape)}")
    if tuple(target.shape) != tuple(input.shape) and not (input.ndim < 2 and target.numel() == input.numel()):
        raise ShapeError(f"inconsistent target size: {list(target.shape)} for input of size: {list(input.shape)}")
    classes = input.shape[-1] if input.ndim else 1
    scores, labels = input.reshape([-1, classes]), target.reshape([-1, classes])
    listed = lt.cumsum(labels < 0, 1) == 0
    outside = af.logical_or(labels < -1, labels >= classes)
    safe = af.where(af.logical_or(listed, outside), labels, 0)  # what is outside is left for gather to refuse
    of_targets = lt.gather(scores, 1, safe)
    is_target = (lt.zeros_like(labels).scatter_add(1, safe, listed.to(labels.dtype)) > 0)
    hinge = lt.relu(1 - lt.unsqueeze(of_targets, 2) + lt.unsqueeze(scores, 1))  # (N, target, other)
    counted = af.logical_and(lt.unsqueeze(listed, 2), lt.unsqueeze(~is_target, 1))
    losses = lt.sum(af.where(counted, hinge, 0.0), [1, 2]) / classes
    return reduced(losses if input.ndim > 1 else losses.reshape([]), kind)
