"""How the losses of items become one: their mean, their sum, or each by itself."""

from __future__ import annotations

import warnings
from typing import Any, Final

import lamina_tensor as lt
from lamina_flatarray import ArgumentValueError, DTypeError, UsageError
from lamina_flatarray.promotion import can_cast
from lamina_tensor import Tensor

__all__ = ["REDUCTIONS", "as_input", "legacy_reduction", "reduced", "reduction_of", "warn_of_sizes"]

REDUCTIONS: Final = frozenset({"none", "mean", "sum"})


def legacy_reduction(size_average: bool | None, reduce: bool | None) -> str:
    """Return the reduction that two deprecated arguments mean, with a warning.

    Args:
        size_average: whether losses are averaged rather than summed; None for true.
        reduce: whether they are reduced at all; None for true.

    Returns:
        "none", "mean" or "sum".

    Raises:
        UsageError: one of them is a tensor.
    """
    if isinstance(size_average, Tensor) or isinstance(reduce, Tensor):
        raise UsageError(
            "a Tensor given for size_average or reduce, which are flags: a loss is made first, and called with the input and the "
            "target then, as in CrossEntropyLoss()(input, target)"
        )
    kind = "none" if reduce is False else "sum" if size_average is False else "mean"
    warnings.warn(
        f"size_average and reduce args will be deprecated, please use reduction='{kind}' instead.", stacklevel=4
    )
    return kind


def reduction_of(reduction: str, size_average: bool | None = None, reduce: bool | None = None) -> str:
    """Return the reduction of a loss, by its name or by two deprecated arguments.

    Args:
        reduction: "none", "mean" or "sum".
        size_average, reduce: those of `legacy_reduction`; if one is given, `reduction` is not read.

    Returns:
        "none", "mean" or "sum".

    Raises:
        ArgumentValueError: the name is unknown.
    """
    if size_average is not None or reduce is not None:
        return legacy_reduction(size_average, reduce)
    if reduction == "elementwise_mean":
        warnings.warn("reduction='elementwise_mean' is deprecated. Please use reduction='mean' instead.", stacklevel=3)
        return "mean"
    if reduction not in REDUCTIONS:
        raise ArgumentValueError(f"{reduction} is not a valid value for reduction")
    return reduction


def reduced(losses: Tensor, reduction: str) -> Tensor:
    """Reduce losses to their mean or their sum, or return them for "none".

    Args:
        losses: a tensor.
        reduction: "none", "mean" or "sum".

    Returns:
        A tensor without dims, or the losses.
    """
    return lt.mean(losses) if reduction == "mean" else lt.sum(losses) if reduction == "sum" else losses


def as_input(op: str, losses: Tensor, input: Tensor) -> Tensor:
    """Cast losses that were computed with a target of another dtype to the input's dtype, as PyTorch does.

    Args:
        op: the loss.
        losses: one for each item.
        input: the predictions.

    Returns:
        The losses in the input's dtype.

    Raises:
        DTypeError: they cannot be cast to it: floating-point losses to integers, say.
    """
    if losses.dtype is input.dtype:
        return losses
    if not can_cast(losses.dtype, input.dtype):
        raise DTypeError(f"{op}: result type {losses.dtype!r} can't be cast to the desired output type {input.dtype!r}")
    return losses.to(input.dtype)


def warn_of_sizes(input: Any, target: Any) -> None:
    """Warn where a target and an input would be broadcast to one shape.

    Args:
        input, target: tensors.
    """
    if tuple(input.shape) != tuple(target.shape):
        warnings.warn(
            f"Using a target size ({target.size()}) that is different to the input size ({input.size()}). "
            "This will likely lead to incorrect results due to broadcasting. Please ensure they have the same size.",
            stacklevel=3,
        )
