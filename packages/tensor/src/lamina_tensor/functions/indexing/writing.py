"""Copies of a tensor with slices of a dim, or items at any indices, replaced, added or otherwise reduced."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import lamina_ndarray as nd
from lamina_flatarray import DTypeError, IndexOutOfRange, ShapeError

from ...dispatch.out import written
from ...dispatch.tensor_functions import af
from ...dispatch.torch_function import torch_function

if TYPE_CHECKING:
    from ...tensor_class import Tensor
    from ...tensor_fields import Number

__all__ = ["index_add", "index_copy", "index_fill", "index_put", "index_reduce", "put"]


@torch_function
def index_add(input: Tensor, dim: int, index: Tensor, source: Tensor, *, alpha: Number = 1, out: Tensor | None = None) -> Tensor:
    """Add slices to those of a dim, also at equal indices.

    Args:
        input: the tensor.
        dim: the dim.
        index: the indices of the slices: a vector of integers.
        source: the slices, of input's dtype, as many along `dim` as indices.
        alpha: what they are multiplied by.
        out: where to write the result.

    Returns:
        A copy of `input` with the slices added, or `out`.

    Raises:
        IndexOutOfRange: an index lies outside of the dim, `index` is not a vector, or there is no such dim.
        ShapeError: the slices have another shape.
        DTypeError: the dtypes differ, or the indices are not integers.

    >>> torch.index_add(torch.zeros(3), 0, torch.tensor([0, 0]), torch.tensor([1.0, 2.0]), alpha=10)
    tensor([30.,  0.,  0.])
    """
    result = af.index_add(input, dim, index, source, alpha)
    return result if out is None else written("index_add", out, result)


@torch_function(autocast="widest")
def index_copy(input: Tensor, dim: int, index: Tensor, source: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Replace slices of a dim; of equal indices the last wins.

    Args:
        input: the tensor.
        dim: the dim.
        index: the indices of the slices: a vector of integers.
        source: the slices, of input's dtype, as many along `dim` as indices.
        out: where to write the result.

    Returns:
        A copy of `input` with the slices replaced, or `out`.

    Raises:
        IndexOutOfRange: an index lies outside of the dim, `index` is not a vector, or there is no such dim.
        ShapeError: the slices have another shape.
        DTypeError: the dtypes differ, or the indices are not integers.

    >>> torch.index_copy(torch.zeros(3), 0, torch.tensor([2, 0]), torch.tensor([1.0, 2.0]))
    tensor([2., 0., 1.])
    """
    result = af.index_copy(input, dim, index, source)
    return result if out is None else written("index_copy", out, result)


@torch_function
def index_fill(input: Tensor, dim: int, index: Tensor, value: Tensor | Number) -> Tensor:
    """Fill slices of a dim with one value.

    Args:
        input: the tensor.
        dim: the dim.
        index: the indices of the slices: a vector of integers.
        value: a number, or a tensor without dims.

    Returns:
        A copy of `input` with the slices filled.

    Raises:
        IndexOutOfRange: an index lies outside of the dim, `index` is not a vector, or there is no such dim.
        ShapeError: the value has dims.
        DTypeError: the dtype cannot hold the value, or the indices are not integers.

    >>> torch.index_fill(torch.zeros(2, 2), 1, torch.tensor([0]), 5)
    tensor([[5., 0.],
            [5., 0.]])
    """
    return af.index_fill(input, dim, index, value)


@torch_function
def index_reduce(
    input: Tensor, dim: int, index: Tensor, source: Tensor, reduce: str, *, include_self: bool = True, out: Tensor | None = None
) -> Tensor:
    """Reduce the slices that go to one index of a dim.

    Args:
        input: the tensor; slices that no index names stay.
        dim: the dim.
        index: the indices of the slices: a vector of integers.
        source: the slices, of input's dtype, as many along `dim` as indices.
        reduce: "prod", "mean" (of integers rounded down), "amax" or "amin".
        include_self: whether input's own slice is one of those that are reduced.
        out: where to write the result.

    Returns:
        A tensor of input's shape, or `out`.

    Raises:
        IndexOutOfRange: an index lies outside of the dim, `index` is not a vector, or there is no such dim.
        ShapeError: the slices have another shape, or the reduction is another one.
        DTypeError: the dtypes differ, or the indices are not integers.

    >>> torch.index_reduce(torch.ones(2), 0, torch.tensor([0, 0]), torch.tensor([3.0, 4.0]), "prod")
    tensor([12.,  1.])
    """
    result = af.index_reduce(input, dim, index, source, reduce, include_self=include_self)
    return result if out is None else written("index_reduce", out, result)


@torch_function
def index_put(
    input: Tensor, indices: Sequence[Tensor | None], values: Tensor, accumulate: bool = False
) -> Tensor:
    """Write items at any indices, as `input[indices] = values` does, into a copy; of equal indices the last wins.

    Args:
        input: the tensor.
        indices: tensors of integers, or masks, one for each dim, which broadcast together; None for a whole dim.
        values: the items, of input's dtype; they broadcast to what is indexed.
        accumulate: whether to add them to what is there, also at equal indices.

    Returns:
        The copy.

    Raises:
        IndexOutOfRange: an index lies outside of its dim.
        ShapeError: the shapes do not broadcast.
        DTypeError: the dtypes differ.

    >>> torch.index_put(torch.zeros(3), (torch.tensor([0, 2]),), torch.tensor(5.0))
    tensor([5., 0., 5.])
    """
    if values.array.flat.dtype is not input.array.flat.dtype:
        raise DTypeError(
            "index_put: Index put requires the source and destination dtypes match, got "
            f"{input.array.dtype!r} for the destination and {values.array.dtype!r} for the source."
        )
    if values.ndim > 1:  # fewer dims fit whatever is indexed, or `index_put` of arrays refuses them
        given = [index for index in indices if index is not None]
        masks = [index.dtype in (nd.bool, nd.uint8) for index in given]
        taken = sum(index.ndim if is_mask else 1 for index, is_mask in zip(given, masks, strict=True))
        ndim = input.ndim - taken + max([1 if is_mask else index.ndim for index, is_mask in zip(given, masks, strict=True)], default=0)
        if values.ndim > ndim:
            raise ShapeError(
                f"index_put: shape mismatch: value tensor of shape {list(values.shape)} cannot be broadcast to what is indexed, of which "
                f"the number of dims is {ndim}"
            )
    return af.index_put(input, tuple(indices), values, accumulate)


@torch_function
def put(input: Tensor, index: Tensor, source: Tensor, accumulate: bool = False) -> Tensor:
    """Write items by their index in row-major order into a copy.

    Args:
        input: the tensor, of any shape.
        index: integers, of any shape.
        source: as many items, of input's dtype.
        accumulate: whether to add them to what is there, also at equal indices.

    Returns:
        The copy.

    Raises:
        IndexOutOfRange: an index lies outside, or there are not as many items as indices.
        DTypeError: the dtypes differ, or the indices are not integers.

    >>> torch.put(torch.zeros(2, 2), torch.tensor([3, 0]), torch.tensor([1.0, 2.0]))
    tensor([[2., 0.],
            [0., 1.]])
    """
    count, places = source.array.layout.size, index.array.layout.size
    if count != places:
        raise IndexOutOfRange(f"put: Expected source and index to have the same number of elements, but got {count} and {places}")
    return af.put(input, index, source, accumulate)
