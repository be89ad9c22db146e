"""Copies of a tensor with all items of a view replaced."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...dispatch.out import written
from ...dispatch.tensor_functions import af
from ...dispatch.torch_function import torch_function

if TYPE_CHECKING:
    from ...tensor_class import Tensor

__all__ = ["as_strided_scatter", "diagonal_scatter", "select_scatter", "slice_scatter"]


@torch_function
def select_scatter(input: Tensor, src: Tensor, dim: int, index: int) -> Tensor:
    """Replace one index of a dim.

    Args:
        input: the tensor.
        src: the items, in the shape of `select(input, dim, index)`.
        dim: the dim.
        index: the index.

    Returns:
        A copy of `input` with these items.

    Raises:
        ShapeError: `src` has another shape.
        IndexOutOfRange: the dim or the index does not exist.

    >>> torch.select_scatter(torch.zeros(2, 2), torch.tensor([1.0, 2.0]), 0, 1)
    tensor([[0., 0.],
            [1., 2.]])
    """
    return af.select_scatter(input, src, dim, index)


@torch_function
def slice_scatter(
    input: Tensor, src: Tensor, dim: int = 0, start: int | None = None, end: int | None = None, step: int = 1, *,
    out: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """Replace a slice of a dim.

    Args:
        input: the tensor.
        src: the items, in the shape of the slice.
        dim: the dim.
        start: the first index; None for the beginning.
        end: the index that the slice ends before; None for the end.
        step: the distance between the indices.
        out: where to write the result.

    Returns:
        A copy of `input` with these items, or `out`.

    Raises:
        ShapeError: `src` has another shape, or the step is not positive.
        IndexOutOfRange: there is no such dim.

    >>> torch.slice_scatter(torch.zeros(4), torch.ones(2), start=1, end=3)
    tensor([0., 1., 1., 0.])
    """
    result = af.slice_scatter(input, src, dim, start, end, step)
    return result if out is None else written("slice_scatter", out, result, row_major=True)


@torch_function
def diagonal_scatter(input: Tensor, src: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Tensor:
    """Replace the diagonal of two dims.

    Args:
        input: the tensor.
        src: the items, in the shape of `diagonal(input, offset, dim1, dim2)`.
        offset: which diagonal: 0 for the main one, positive ones above it.
        dim1: the dim of the rows.
        dim2: the dim of the columns.

    Returns:
        A copy of `input` with these items.

    Raises:
        ShapeError: `src` has another shape, or the two dims are the same.
        IndexOutOfRange: there is no such dim.

    >>> torch.diagonal_scatter(torch.zeros(2, 2), torch.ones(2))
    tensor([[1., 0.],
            [0., 1.]])
    """
    return af.diagonal_scatter(input, src, offset, dim1, dim2)


@torch_function
def as_strided_scatter(
    input: Tensor, src: Tensor, size: Sequence[int], stride: Sequence[int], storage_offset: int | None = None
) -> Tensor:
    """Replace the items that any lengths and strides reach.

    Args:
        input: the tensor; strides count its items in row-major order.
        src: the items, in the shape of `size`.
        size: the lengths.
        stride: how many items lie between neighbours along each dim.
        storage_offset: at which item the first one lies; None for the first.

    Returns:
        A copy of `input` with these items.

    Raises:
        ShapeError: `src` has another shape, or an item would lie outside.

    >>> torch.as_strided_scatter(torch.zeros(4), torch.ones(2), (2,), (2,))
    tensor([1., 0., 1., 0.])
    """
    return af.as_strided_scatter(input, src, tuple(size), tuple(stride), storage_offset)
