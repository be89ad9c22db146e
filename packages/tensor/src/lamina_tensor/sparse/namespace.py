"""The functions of PyTorch's `torch.sparse`."""

from __future__ import annotations

from typing import Any

import lamina_tensor as functions
from lamina_flatarray import ArgumentTypeError, DType

from ..tensor_class import Tensor
from . import products, reductions
from .sparse_tensor import SparseTensor

__all__ = ["addmm", "log_softmax", "mm", "softmax", "sum"]


def _sparse(name: str, input: Tensor, dtype: DType | None = None) -> SparseTensor:
    if not isinstance(input, SparseTensor):
        raise ArgumentTypeError(f"sparse.{name}(): expected a sparse tensor, but got one of layout {input.layout}")
    return input if dtype is None else input.like(input.entries.to(dtype))


def mm(mat1: Tensor, mat2: Tensor) -> Tensor:
    """Multiply two matrices of which one or both are sparse. The gradient of a sparse one is sparse, with its coordinates.

    Args:
        mat1: (m, k).
        mat2: (k, n).

    Returns:
        (m, n): sparse if both are, else dense.

    Raises:
        ShapeError: the shapes do not fit.

    >>> torch.sparse.mm(torch.eye(2).to_sparse(), torch.tensor([[1.0], [2.0]]))
    tensor([[1.],
            [2.]])
    """
    return products.matmul(mat1, mat2) if any(isinstance(m, SparseTensor) for m in (mat1, mat2)) else functions.mm(mat1, mat2)


def addmm(mat: Tensor, mat1: Tensor, mat2: Tensor, *, beta: float = 1.0, alpha: float = 1.0) -> Tensor:
    """Add a dense matrix to a product of which a factor is sparse.

    Args:
        mat: (m, n), dense.
        mat1: (m, k), sparse.
        mat2: (k, n).
        beta: the factor of `mat`.
        alpha: the factor of the product.

    Returns:
        beta * mat + alpha * (mat1 @ mat2), dense.

    Raises:
        ShapeError: the shapes do not fit.

    >>> torch.sparse.addmm(torch.ones(2, 2), torch.eye(2).to_sparse(), torch.ones(2, 2), alpha=2)
    tensor([[3., 3.],
            [3., 3.]])
    """
    return products.addmm(mat, mat1, mat2, beta=beta, alpha=alpha)


def sum(input: Tensor, dim: Any = None, dtype: DType | None = None) -> Tensor:
    """Sum a sparse tensor over dims, all of them by default.

    Args:
        input: the sparse tensor.
        dim: one dim or several.
        dtype: the dtype of the result; by default input's.

    Returns:
        A sparse tensor; a dense one where no sparse dim is left.

    Raises:
        ArgumentTypeError: the tensor is dense.
        IndexOutOfRange: there is no such dim.

    >>> torch.sparse.sum(torch.eye(2).to_sparse())
    tensor(2.)
    """
    return reductions.total(_sparse("sum", input), dim, dtype=dtype)


def softmax(input: Tensor, dim: int, *, dtype: DType | None = None) -> Tensor:
    """Apply softmax along a dim to the items that are stored: all others count as minus infinity.

    Args:
        input: the sparse tensor.
        dim: the dim along which the results sum to 1.
        dtype: the dtype to compute in; by default input's.

    Returns:
        A sparse tensor of the same coordinates, coalesced.

    Raises:
        ArgumentTypeError: the tensor is dense.
        IndexOutOfRange: there is no such dim.

    >>> torch.sparse.softmax(torch.eye(2).to_sparse(), 1).values()
    tensor([1., 1.])
    """
    logs = reductions.log_softmax(_sparse("softmax", input, dtype), dim)
    return logs.like(functions.exp(logs.entries))


def log_softmax(input: Tensor, dim: int, *, dtype: DType | None = None) -> Tensor:
    """Compute the logarithm of `softmax`, of the items that are stored.

    Args:
        input: the sparse tensor.
        dim: the dim along which the exponentials sum to 1.
        dtype: the dtype to compute in; by default input's.

    Returns:
        A sparse tensor of the same coordinates, coalesced.

    Raises:
        ArgumentTypeError: the tensor is dense.
        IndexOutOfRange: there is no such dim.

    >>> torch.sparse.log_softmax(torch.eye(2).to_sparse(), 1).values()
    tensor([0., 0.])
    """
    return reductions.log_softmax(_sparse("log_softmax", input, dtype), dim)
