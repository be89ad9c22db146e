"""Copies of a tensor with items written along a dim at indices: replaced, added, or otherwise reduced."""

from __future__ import annotations

from typing import TYPE_CHECKING, overload

import lamina_ndarray as nd
from lamina_flatarray import UsageError

from ...dispatch.destinations import placed
from ...dispatch.out import written
from ...dispatch.tensor_functions import af
from ...dispatch.torch_function import torch_function
from ...tensor_fields import AnyTensor, tensor_of

if TYPE_CHECKING:
    from ...tensor_class import Tensor
    from ...tensor_fields import Number

__all__ = ["scatter", "scatter_add", "scatter_reduce", "scattered_with"]


@overload
def scatter(
    input: Tensor, dim: int, index: Tensor, src: Tensor | Number, *, reduce: str | None = None, out: Tensor | None = None
) -> Tensor: ...
@overload
def scatter(
    input: Tensor, dim: int, index: Tensor, *, value: Number, reduce: str | None = None, out: Tensor | None = None
) -> Tensor: ...
@torch_function
def scatter(
    input: Tensor, dim: int, index: Tensor, src: Tensor | Number | None = None, *, value: Number | None = None,
    reduce: str | None = None, out: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """Write items along a dim of a copy: for dim 0, `out[index[i, j], j] = src[i, j]`. Of equal indices the last wins.

    Args:
        input: the tensor.
        dim: the dim that the indices count along.
        index: integers, of as many dims as `input`, and no longer than it in the other dims.
        src: the items, of input's dtype and no shorter than `index`; or one number for all.
        value: another name of `src` for a number.
        reduce: "add" or "multiply" to add the items to what is there, or to multiply them with it.
        out: where to write the result.

    Returns:
        A tensor of input's shape, or `out`.

    Raises:
        IndexOutOfRange: an index lies outside of the dim, or there is no such dim.
        ShapeError: `index` is longer than `input` or `src`, or has another number of dims.
        DTypeError: the dtypes differ, or the indices are not integers.
        UsageError: the reduction is another one.

    >>> torch.scatter(torch.zeros(3), 0, torch.tensor([2, 0]), torch.tensor([1.0, 2.0]))
    tensor([2., 0., 1.])
    """
    items = value if src is None else src
    result = af.scatter(input, index, items, dim) if reduce is None else scattered_with(reduce, input, dim, index, items)
    return result if out is None else placed("scatter", out, result, (input, index, items))


def scattered_with(reduce: str, input: Tensor, dim: int, index: Tensor, items: Tensor | Number | None) -> Tensor:
    """`scatter` with a reduction.

    Raises:
        UsageError: it is neither "add" nor "multiply".
    """
    if reduce not in ("add", "multiply"):
        raise UsageError(f"scatter: reduce argument must be either add or multiply, got {reduce}")
    if not isinstance(items, AnyTensor):
        items = tensor_of(nd.full(index.array.layout.shape, items, dtype=input.array.dtype, device=input.array.device))
    if reduce == "add":
        return af.scatter_add(input, index, items, dim)
    return af.scatter_reduce(input, dim, index, items, "prod")


@torch_function
def scatter_add(input: Tensor, dim: int, index: Tensor, src: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Add items along a dim of a copy: for dim 0, `out[index[i, j], j] += src[i, j]`, also at equal indices.

    Args:
        input: the tensor.
        dim: the dim that the indices count along.
        index: integers, of as many dims as `input`, and no longer than it in the other dims.
        src: the items, of input's dtype and no shorter than `index`.
        out: where to write the result.

    Returns:
        A tensor of input's shape, or `out`.

    Raises:
        IndexOutOfRange: an index lies outside of the dim, or there is no such dim.
        ShapeError: `index` is longer than `input` or `src`, or has another number of dims.
        DTypeError: the dtypes differ, or the indices are not integers.

    >>> torch.scatter_add(torch.zeros(3), 0, torch.tensor([2, 2]), torch.tensor([1.0, 2.0]))
    tensor([0., 0., 3.])
    """
    result = af.scatter_add(input, index, src, dim)
    return result if out is None else placed("scatter_add", out, result, (input, index, src))


@torch_function
def scatter_reduce(
    input: Tensor, dim: int, index: Tensor, src: Tensor, reduce: str, *, include_self: bool = True, out: Tensor | None = None
) -> Tensor:
    """Reduce the items that go to one index along a dim, in a copy.

    Args:
        input: the tensor; items that no index names stay.
        dim: the dim that the indices count along.
        index: for dim 0, `src[i, j]` goes to `[index[i, j], j]`.
        src: the items, of input's dtype and no shorter than `index`.
        reduce: "sum", "prod", "mean" (of integers rounded down), "amax" or "amin".
        include_self: whether input's own item is one of those that are reduced.
        out: where to write the result.

    Returns:
        A tensor of input's shape, or `out`.

    Raises:
        IndexOutOfRange: an index lies outside of the dim, or there is no such dim.
        ShapeError: the reduction is another one; or `index` is longer than `input` or `src`, or has another number of dims.
        DTypeError: the dtypes differ, the indices are not integers, or the dtype has no such reduction.

    >>> torch.scatter_reduce(torch.ones(2), 0, torch.tensor([0, 0, 1]), torch.tensor([3.0, 4.0, 5.0]), "amax")
    tensor([4., 5.])
    """
    result = af.scatter_reduce(input, dim, index, src, reduce, include_self=include_self)
    return result if out is None else written("scatter_reduce", out, result)
