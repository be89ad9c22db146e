"""Items in order along a dim, and their indices before. NaN counts as the greatest."""

from __future__ import annotations

from typing import TYPE_CHECKING, overload

from ...dispatch import return_types
from ...dispatch.out import written
from ...dispatch.recorded_order import greatest, order
from ...dispatch.tensor_functions import af
from ...dispatch.torch_function import torch_function

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...tensor_class import Tensor

__all__ = ["argsort", "msort", "sort", "topk"]


@overload
def sort(
    input: Tensor, *, stable: bool | None, dim: int = -1, descending: bool = False, out: Sequence[Tensor] | None = None
) -> return_types.sort: ...
@overload
def sort(
    input: Tensor, dim: int = -1, descending: bool = False, *, out: Sequence[Tensor] | None = None
) -> return_types.sort: ...
@torch_function
def sort(
    input: Tensor, dim: int = -1, descending: bool = False, *, stable: bool | None = None, out: Sequence[Tensor] | None = None
) -> return_types.sort:
    """Sort the items along a dim.

    Args:
        input: real numbers.
        dim: the dim to sort along.
        descending: whether the greatest comes first.
        stable: accepted; equal items always keep their order.
        out: two tensors to write the results to.

    Returns:
        The sorted items and their indices in input, as `values` and `indices`, of input's shape.

    Raises:
        DTypeError: input is complex.
        IndexOutOfRange: input has no such dim.

    >>> values, indices = torch.sort(torch.tensor([2.0, 3.0, 1.0]), descending=True)
    >>> values, indices
    (tensor([3., 2., 1.]), tensor([1, 0, 2]))
    """
    result = tuple.__new__(return_types.sort, af.order(input, dim, descending))
    return result if out is None else written("sort", out, result)


@overload
def argsort(
    input: Tensor, *, stable: bool, dim: int = -1, descending: bool = False, out: Tensor | None = None
) -> Tensor: ...
@overload
def argsort(input: Tensor, dim: int = -1, descending: bool = False) -> Tensor: ...
@torch_function
def argsort(
    input: Tensor, dim: int = -1, descending: bool = False, *, stable: bool = False, out: Tensor | None = None
) -> Tensor:
    """Find the indices that sort the items along a dim.

    Args:
        input: real numbers.
        dim: the dim to sort along.
        descending: whether the greatest comes first.
        stable: accepted; equal items always keep their order.
        out: a tensor to write the result to.

    Returns:
        The int64 indices, of input's shape.

    Raises:
        DTypeError: input is complex.
        IndexOutOfRange: input has no such dim.

    >>> torch.argsort(torch.tensor([2.0, 3.0, 1.0]))
    tensor([2, 0, 1])
    """
    result: Tensor = order(input, dim, descending).indices
    return result if out is None else written("argsort", out, result)


@torch_function
def msort(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Sort the items along the first dim.

    Args:
        input: real numbers.
        out: a tensor to write the result to.

    Returns:
        The sorted items, of input's shape.

    Raises:
        DTypeError: input is complex.

    >>> torch.msort(torch.tensor([[3, 1], [2, 4]]))
    tensor([[2, 1],
            [3, 4]])
    """
    result = af.sort(input, 0)
    return result if out is None else written("msort", out, result)


@torch_function
def topk(
    input: Tensor, k: int, dim: int = -1, largest: bool = True, sorted: bool = True, *, out: Sequence[Tensor] | None = None
) -> return_types.topk:
    """Find the k greatest, or least, items along a dim and their indices.

    Args:
        input: real numbers.
        k: how many.
        dim: the dim to look along.
        largest: whether the greatest are wanted, else the least.
        sorted: accepted; the items always come in order.
        out: two tensors to write the results to.

    Returns:
        The items and their indices in input, as `values` and `indices`: input's shape with k along the dim.

    Raises:
        ShapeError: there are fewer than k.
        DTypeError: input is complex.
        IndexOutOfRange: input has no such dim.

    >>> values, indices = torch.topk(torch.tensor([2.0, 3.0, 1.0]), 2)
    >>> values, indices
    (tensor([3., 2.]), tensor([1, 0]))
    """
    result = tuple.__new__(return_types.topk, greatest(input, k, dim, largest))
    return result if out is None else written("topk", out, result)
