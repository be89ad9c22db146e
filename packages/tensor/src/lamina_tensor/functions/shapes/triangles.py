"""Triangles and diagonals of matrices: kept, read, made, and the indices of their items."""

from __future__ import annotations

from typing import TYPE_CHECKING

import lamina_ndarray as nd
from lamina_flatarray import AutogradError, DTypeError

from ...devices.memory_formats import strided
from ...dispatch.out import written
from ...dispatch.tensor_functions import af
from ...dispatch.torch_function import torch_function
from ...tensor_fields import tensor_of

if TYPE_CHECKING:
    from lamina_flatarray import Device, DType
    from lamina_ndarray import NDArray

    from ...devices.memory_formats import layout as Layout
    from ...tensor_class import Tensor

__all__ = ["diag", "diag_embed", "diagflat", "diagonal", "tril", "tril_indices", "triu", "triu_indices"]


@torch_function
def tril(input: Tensor, diagonal: int = 0, *, out: Tensor | None = None) -> Tensor:
    """Keep the lower triangle of a matrix, or of each of a stack, with zeros above.

    Args:
        input: a tensor of at least two dims.
        diagonal: the last diagonal that is kept: 0 for the main one, positive ones above it.
        out: where to write the result.

    Returns:
        A copy, or `out`.

    Raises:
        ShapeError: there are fewer than two dims.

    >>> torch.tril(torch.ones(3, 3))
    tensor([[1., 0., 0.],
            [1., 1., 0.],
            [1., 1., 1.]])
    """
    result = af.tril(input, diagonal)
    return result if out is None else written("tril", out, result)


@torch_function
def triu(input: Tensor, diagonal: int = 0, *, out: Tensor | None = None) -> Tensor:
    """Keep the upper triangle of a matrix, or of each of a stack, with zeros below.

    Args:
        input: a tensor of at least two dims.
        diagonal: the first diagonal that is kept: 0 for the main one, positive ones above it.
        out: where to write the result.

    Returns:
        A copy, or `out`.

    Raises:
        ShapeError: there are fewer than two dims.

    >>> torch.triu(torch.ones(3, 3), diagonal=1)
    tensor([[0., 1., 1.],
            [0., 0., 1.],
            [0., 0., 0.]])
    """
    result = af.triu(input, diagonal)
    return result if out is None else written("triu", out, result)


@torch_function
def diagonal(input: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Tensor:
    """Return the diagonal of two dims.

    Args:
        input: a tensor of at least two dims.
        offset: which diagonal: 0 for the main one, positive ones above it.
        dim1: the dim of the rows.
        dim2: the dim of the columns.

    Returns:
        A view without the two dims, and with the diagonal as its last one.

    Raises:
        ShapeError: the two dims are the same.
        IndexOutOfRange: there is no such dim.

    >>> torch.diagonal(torch.tensor([[1, 2], [3, 4]]))
    tensor([1, 4])
    """
    return af.diagonal(input, offset, dim1, dim2)


@torch_function
def diag(input: Tensor, diagonal: int = 0, *, out: Tensor | None = None) -> Tensor:
    """Return the matrix with a vector on its diagonal, or the diagonal of a matrix.

    Args:
        input: a vector or a matrix.
        diagonal: which diagonal: 0 for the main one, positive ones above it.
        out: where to write the result.

    Returns:
        A copy, or `out`.

    Raises:
        ShapeError: `input` is neither a vector nor a matrix.

    >>> torch.diag(torch.tensor([1, 2]))
    tensor([[1, 0],
            [0, 2]])
    """
    result = af.diag(input, diagonal)
    return result if out is None else written("diag", out, result)


@torch_function
def diag_embed(input: Tensor, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Tensor:
    """Make matrices with the vectors of a tensor's last dim on their diagonals, and zeros elsewhere.

    Args:
        input: a tensor of at least one dim.
        offset: which diagonal: 0 for the main one, positive ones above it.
        dim1: which dim of the result the rows are.
        dim2: which dim of the result the columns are.

    Returns:
        A tensor with one dim more.

    Raises:
        ShapeError: the two dims are the same.
        IndexOutOfRange: the result has no such dim.

    >>> torch.diag_embed(torch.tensor([1, 2]), offset=1)
    tensor([[0, 1, 0],
            [0, 0, 2],
            [0, 0, 0]])
    """
    return af.diag_embed(input, offset, dim1, dim2)


@torch_function
def diagflat(input: Tensor, offset: int = 0) -> Tensor:
    """Make the matrix with all items of a tensor on its diagonal, and zeros elsewhere.

    Args:
        input: the tensor.
        offset: which diagonal: 0 for the main one, positive ones above it.

    Returns:
        The matrix.

    >>> torch.diagflat(torch.tensor([[1, 2]]))
    tensor([[1, 0],
            [0, 2]])
    """
    return af.diagflat(input, offset)


def _leaf(op: str, array: NDArray, layout: Layout | None, requires_grad: bool) -> Tensor:
    if layout is not None and layout is not strided:
        raise DTypeError(f"{op}: layout {layout} given; there are strided tensors only")
    if requires_grad and not array.dtype.is_inexact:
        raise AutogradError("Only Tensors of floating point and complex dtype can require gradients")
    indices = tensor_of(array)
    indices.requires_grad = requires_grad
    return indices


@torch_function
def tril_indices(
    row: int, col: int, offset: int = 0, *, dtype: DType | None = None, layout: Layout | None = None,
    device: Device | str | int | None = None, pin_memory: bool = False, requires_grad: bool = False,
) -> Tensor:  # fmt: skip
    """Return the indices of the items of a matrix's lower triangle.

    Args:
        row: how many rows the matrix has.
        col: how many columns it has.
        offset: the last diagonal of the triangle: 0 for the main one, positive ones above it.
        dtype: of the indices; None for int64.
        layout: `strided`, or None.
        device: where to make them; None for the default device.
        pin_memory: accepted; memory is never pinned.
        requires_grad: whether gradients are wanted, which integers do not have.

    Returns:
        A tensor of shape (2, count): the rows, and the columns, in row-major order.

    Raises:
        ShapeError: a length is negative.
        DTypeError: `layout` is another one.
        AutogradError: gradients are wanted of integers.

    >>> torch.tril_indices(2, 2)
    tensor([[0, 1, 1],
            [0, 0, 1]])
    """
    return _leaf("tril_indices", nd.tril_indices(row, col, offset, dtype=dtype, device=device), layout, requires_grad)


@torch_function
def triu_indices(
    row: int, col: int, offset: int = 0, *, dtype: DType | None = None, layout: Layout | None = None,
    device: Device | str | int | None = None, pin_memory: bool = False, requires_grad: bool = False,
) -> Tensor:  # fmt: skip
    """Return the indices of the items of a matrix's upper triangle.

    Args:
        row: how many rows the matrix has.
        col: how many columns it has.
        offset: the first diagonal of the triangle: 0 for the main one, positive ones above it.
        dtype: of the indices; None for int64.
        layout: `strided`, or None.
        device: where to make them; None for the default device.
        pin_memory: accepted; memory is never pinned.
        requires_grad: whether gradients are wanted, which integers do not have.

    Returns:
        A tensor of shape (2, count): the rows, and the columns, in row-major order.

    Raises:
        ShapeError: a length is negative.
        DTypeError: `layout` is another one.
        AutogradError: gradients are wanted of integers.

    >>> torch.triu_indices(2, 2)
    tensor([[0, 0, 1],
            [0, 1, 1]])
    """
    return _leaf("triu_indices", nd.triu_indices(row, col, offset, dtype=dtype, device=device), layout, requires_grad)
