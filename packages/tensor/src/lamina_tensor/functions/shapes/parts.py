"""Views of part of a tensor: one index or a span of a dim, or any lengths and strides within its memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...dispatch.destinations import placed
from ...dispatch.tensor_functions import af
from ...dispatch.torch_function import torch_function

if TYPE_CHECKING:
    from ...tensor_class import Tensor

__all__ = ["as_strided", "narrow", "narrow_copy", "select"]


@torch_function
def select(input: Tensor, dim: int, index: int) -> Tensor:
    """Return one index of a dim, without that dim.

    Args:
        input: the tensor.
        dim: the dim.
        index: the index; a negative one counts from the end.

    Returns:
        A view.

    Raises:
        IndexOutOfRange: the dim or the index does not exist.

    >>> torch.select(torch.tensor([[1, 2], [3, 4]]), 0, 1)
    tensor([3, 4])
    """
    return af.select(input, dim, index)


@torch_function
def narrow(input: Tensor, dim: int, start: int | Tensor, length: int) -> Tensor:
    """Return a span of a dim.

    Args:
        input: the tensor.
        dim: the dim.
        start: the first index, as an integer or an integer tensor without dims; a negative one counts from the end.
        length: how many indices.

    Returns:
        A view.

    Raises:
        IndexOutOfRange: the dim does not exist, or `start` lies outside of it.
        ShapeError: the span reaches beyond the end, or its length is negative.

    >>> torch.narrow(torch.arange(5), 0, 1, 3)
    tensor([1, 2, 3])
    """
    return af.narrow(input, dim, start, length)


@torch_function
def narrow_copy(input: Tensor, dim: int, start: int, length: int, *, out: Tensor | None = None) -> Tensor:
    """Return a copy of a span of a dim.

    Args:
        input: the tensor.
        dim: the dim.
        start: the first index; a negative one counts from the end.
        length: how many indices.
        out: where to write the result.

    Returns:
        The copy, or `out`.

    Raises:
        IndexOutOfRange: the dim does not exist, or `start` lies outside of it.
        ShapeError: the span reaches beyond the end, or its length is negative.

    >>> torch.narrow_copy(torch.arange(5), 0, 1, 3)
    tensor([1, 2, 3])
    """
    result = af.copy(af.narrow(input, dim, start, length), row_major=True)
    return result if out is None else placed("narrow_copy", out, result, (input,), row_major=True)


@torch_function
def as_strided(input: Tensor, size: Sequence[int], stride: Sequence[int], storage_offset: int | None = None) -> Tensor:
    """Return any lengths and strides within a tensor's memory.

    Args:
        input: the tensor.
        size: the lengths.
        stride: how many items of the memory lie between neighbours along each dim.
        storage_offset: at which item of the memory the first one lies; None for the tensor's own.

    Returns:
        A view; its items may share memory.

    Raises:
        ShapeError: an item would lie outside of the memory.

    >>> torch.as_strided(torch.arange(4), (3, 2), (1, 1))
    tensor([[0, 1],
            [1, 2],
            [2, 3]])
    """
    return af.as_strided(input, tuple(size), tuple(stride), storage_offset)
