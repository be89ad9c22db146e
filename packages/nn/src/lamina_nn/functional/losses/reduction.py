"""How the losses of items become one: their mean, their sum, or each by itself."""

from __future__ import annotations

import warnings
from typing import Any, Final

import lamina_tensor as lt
from lamina_flatarray import ArgumentValueError
from lamina_tensor import Tensor

__all__ = ["REDUCTIONS", "legacy_reduction", "reduced", "reduction_of", "warn_of_sizes"]

REDUCTIONS: Final = frozenset({"none", "mean", "sum"})


def legacy_reduction(size_average: bool | None, reduce: bool | None) -> str:
    """The reduction that two arguments of older programs mean; they are warned of it."""
    kind = "none" if reduce is False else "sum" if size_average is False else "mean"
    warnings.warn(
        f"size_average and reduce args will be deprecated, please use reduction='{kind}' instead.", stacklevel=4
    )
    return kind


def reduction_of(reduction: str, size_average: bool | None = None, reduce: bool | None = None) -> str:
    """The reduction that a loss was asked for, by its name or by the arguments of older programs.

    Raises:
        ValueError: there is none of this name.
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
    """The mean or the sum of losses, or they themselves for "none"."""
    return lt.mean(losses) if reduction == "mean" else lt.sum(losses) if reduction == "sum" else losses


def warn_of_sizes(input: Any, target: Any) -> None:
    """Warn where a target would be broadcast to the input, or the other way round."""
    if tuple(input.shape) != tuple(target.shape):
        warnings.warn(
            f"Using a target size ({target.size()}) that is different to the input size ({input.size()}). "
            "This will likely lead to incorrect results due to broadcasting. Please ensure they have the same size.",
            stacklevel=3,
        )
