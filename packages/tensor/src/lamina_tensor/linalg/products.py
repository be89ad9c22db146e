"""Products of vectors and of matrices, and parts of matrices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lamina_flatarray import ShapeError

from ..dispatch.out import written
from ..dispatch.tensor_functions import af
from ..dispatch.torch_function import torch_function
from ..functions.matrices.products import matmul

if TYPE_CHECKING:
    from ..tensor_class import Tensor

__all__ = ["cross", "diagonal", "matmul", "multi_dot", "vander", "vecdot"]


@torch_function
def cross(input: Tensor, other: Tensor, *, dim: int = -1, out: Tensor | None = None) -> Tensor:
    """Compute the cross products of vectors of length 3.

    Args:
        input: vectors along `dim`.
        other: vectors along `dim`, with as many dims; the other dims broadcast.
        dim: the dim of the vectors.
        out: where to write the result.

    Returns:
        The products, of the broadcast shape.

    Raises:
        ShapeError: the numbers of dims differ, the dim has not length 3, or the shapes do not broadcast.
        IndexOutOfRange: there is no such dim.
        DTypeError: they are boolean.

    >>> torch.linalg.cross(torch.tensor([1.0, 0.0, 0.0]), torch.tensor([0.0, 1.0, 0.0]))
    tensor([0., 0., 1.])
    """
    if input.ndim != other.ndim:
        raise ShapeError(
            f"linalg.cross: inputs must have the same number of dimensions; got {input.shape} and {other.shape}"
        )
    result: Tensor = af.linalg.cross(input, other, dim)
    return result if out is None else written("linalg.cross", out, result)


@torch_function(autocast="lower")
def vecdot(x: Tensor, y: Tensor, *, dim: int = -1, out: Tensor | None = None) -> Tensor:
    """Compute the inner products of vectors along a dim: `(x.conj() * y).sum(dim)`.

    Args:
        x: vectors along `dim`.
        y: vectors along `dim`; the other dims broadcast.
        dim: the dim of the vectors.
        out: where to write the result.

    Returns:
        The products: the broadcast shape without `dim`.

    Raises:
        ShapeError: the vectors have two lengths, or the shapes do not broadcast.
        IndexOutOfRange: there is no such dim.

    >>> torch.linalg.vecdot(torch.tensor([[1.0, 2.0], [3.0, 4.0]]), torch.tensor([1.0, 1.0]))
    tensor([3., 7.])
    """
    result: Tensor = af.vecdot(x, y, dim)
    return result if out is None else written("linalg.vecdot", out, result)


@torch_function
def multi_dot(tensors: Sequence[Tensor], *, out: Tensor | None = None) -> Tensor:
    """Multiply two or more matrices in the cheapest order.

    The order is found as in Cormen, Leiserson, Rivest and Stein, Introduction to Algorithms, section 14.2.

    Args:
        tensors: the matrices; the first may be a vector, which is a row, and the last one, which is a column.
        out: where to write the result.

    Returns:
        The product.

    Raises:
        ShapeError: there are fewer than two, one is no matrix, or lengths do not fit.
        DTypeError: the dtypes differ.

    >>> torch.linalg.multi_dot([torch.ones(2, 3), torch.ones(3, 4), torch.ones(4)])
    tensor([12., 12.])
    """
    result: Tensor = af.linalg.multi_dot(tensors)
    return result if out is None else written("linalg.multi_dot", out, result)


@torch_function
def diagonal(A: Tensor, *, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Tensor:
    """View the diagonals of matrices.

    Args:
        A: a tensor of two dims or more.
        offset: which diagonal: above the main one if positive, below it if negative.
        dim1: the dim of the rows.
        dim2: the dim of the columns.

    Returns:
        A view without the two dims, and with the diagonal as its last dim.

    Raises:
        IndexOutOfRange: there is no such dim.
        ShapeError: both dims are the same.

    >>> torch.linalg.diagonal(torch.tensor([[1, 2], [3, 4]]))
    tensor([1, 4])
    """
    return af.diagonal(A, offset, dim1, dim2)


@torch_function
def vander(x: Tensor, *, N: int | None = None) -> Tensor:
    """Raise the items of vectors to the powers 0, 1, ..., N - 1: a Vandermonde matrix.

    Args:
        x: vectors (..., n).
        N: how many powers; n by default.

    Returns:
        The powers (..., n, N).

    Raises:
        ShapeError: N is less than 2.
        DTypeError: x is boolean.

    >>> torch.linalg.vander(torch.tensor([2, 3]), N=3)
    tensor([[1, 2, 4],
            [1, 3, 9]])
    """
    result: Tensor = af.linalg.vander(x, N=N)
    return result
