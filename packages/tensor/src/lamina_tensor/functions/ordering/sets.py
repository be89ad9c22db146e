"""Tensors as sets: each value, or each slice, once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, overload

from ...dispatch.tensor_functions import af
from ...dispatch.torch_function import torch_function

if TYPE_CHECKING:
    from ...tensor_class import Tensor

__all__ = ["unique", "unique_consecutive"]


@overload
def unique(
    input: Tensor, sorted: bool = True, return_inverse: Literal[False] = False, return_counts: Literal[False] = False,
    dim: int | None = None,
) -> Tensor: ...  # fmt: skip
@overload
def unique(
    input: Tensor, sorted: bool = True, *, return_inverse: Literal[True], return_counts: Literal[True], dim: int | None = None
) -> tuple[Tensor, Tensor, Tensor]: ...
@overload
def unique(
    input: Tensor, sorted: bool = True, *, return_inverse: Literal[True], return_counts: Literal[False] = False,
    dim: int | None = None,
) -> tuple[Tensor, Tensor]: ...  # fmt: skip
@overload
def unique(
    input: Tensor, sorted: bool = True, return_inverse: Literal[False] = False, *, return_counts: Literal[True],
    dim: int | None = None,
) -> tuple[Tensor, Tensor]: ...  # fmt: skip
@overload
def unique(
    input: Tensor, sorted: bool = True, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None
) -> Tensor | tuple[Tensor, ...]: ...
@torch_function
def unique(
    input: Tensor, sorted: bool = True, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None
) -> Tensor | tuple[Tensor, ...]:
    """Find each value, or each slice along a dim, once, in ascending order.

    Args:
        input: the values.
        sorted: accepted; values are always sorted.
        return_inverse: whether to return for each item the index of its value, too.
        return_counts: whether to return how often each value occurs, too.
        dim: the dim of the slices; None for single items.

    Returns:
        The values; or a tuple of them and what else is wanted: the inverse indices, and the counts.

    Raises:
        IndexOutOfRange: input has no such dim.
        ShapeError: the slices have no items.

    >>> torch.unique(torch.tensor([3, 1, 3]), return_counts=True)
    (tensor([1, 3]), tensor([1, 2]))
    """
    return af.unique(input, sorted, return_inverse, return_counts, dim)


@overload
def unique_consecutive(
    input: Tensor, return_inverse: Literal[False] = False, return_counts: Literal[False] = False, dim: int | None = None
) -> Tensor: ...
@overload
def unique_consecutive(
    input: Tensor, return_inverse: Literal[True], return_counts: Literal[True], dim: int | None = None
) -> tuple[Tensor, Tensor, Tensor]: ...
@overload
def unique_consecutive(
    input: Tensor, return_inverse: Literal[True], return_counts: Literal[False] = False, dim: int | None = None
) -> tuple[Tensor, Tensor]: ...
@overload
def unique_consecutive(
    input: Tensor, return_inverse: Literal[False] = False, *, return_counts: Literal[True], dim: int | None = None
) -> tuple[Tensor, Tensor]: ...
@overload
def unique_consecutive(
    input: Tensor, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None
) -> Tensor | tuple[Tensor, ...]: ...
@torch_function
def unique_consecutive(
    input: Tensor, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None
) -> Tensor | tuple[Tensor, ...]:
    """Find the first of each run of equal items, or of equal slices along a dim.

    Args:
        input: the values.
        return_inverse: whether to return for each item the index of its run, too.
        return_counts: whether to return how long each run is, too.
        dim: the dim of the slices; None for single items in row-major order.

    Returns:
        The values; or a tuple of them and what else is wanted: the inverse indices, and the counts.

    Raises:
        IndexOutOfRange: input has no such dim.
        ShapeError: the slices have no items.

    >>> torch.unique_consecutive(torch.tensor([1, 1, 2, 1]), return_counts=True)
    (tensor([1, 2, 1]), tensor([2, 1, 1]))
    """
    return af.unique_consecutive(input, return_inverse, return_counts, dim)
