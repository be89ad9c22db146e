"""The functions of PyTorch's `torch.sparse`."""

from __future__ import annotations

from typing import Any

import lamina_tensor as functions
from lamina_flatarray import ArgumentTypeError, DType, ShapeError, UsageError
from lamina_flatarray import dtypes as dt

from ..devices.memory_formats import layout as Layout
from ..devices.memory_formats import sparse_coo
from ..dispatch.torch_function import torch_function
from ..tensor_class import Tensor
from . import reductions
from .csr_rules import reduced_product
from .sparse_tensor import SparseTensor

__all__ = ["addmm", "log_softmax", "mm", "softmax", "spdiags", "sum"]


def _sparse(name: str, input: Tensor, dtype: DType | None = None) -> SparseTensor:
    if not isinstance(input, SparseTensor):
        raise ArgumentTypeError(f"sparse.{name}(): expected a sparse tensor, but got one of layout {input.layout}")
    return input if dtype is None else input.like(input.entries.to(dtype))


def _refuse(name: str, **unserved: Any) -> None:
    for keyword, value in unserved.items():
        if value is not None:
            raise ArgumentTypeError(f"sparse.{name}() takes no {keyword!r}: PyTorch names the argument, and refuses it too")


@torch_function
def mm(
    input: Tensor, mat2: Tensor, out_dtype: DType | str | None = None, *, out: Tensor | None = None, reduce: str | None = None
) -> Tensor:
    """Multiply two matrices of which one or both are sparse. The gradient of a sparse one is sparse, with its coordinates.

    Args:
        input: (m, k).
        mat2: (k, n).
        out_dtype: must be None, as in PyTorch; or `reduce`.
        out: must be None, as in PyTorch.
        reduce: of a matrix in compressed rows with a dense one, what becomes of the products of a row: "sum", "mean", "amax" or "amin".

    Returns:
        (m, n): sparse if both are, else dense; with `reduce`, 0 where a row of `input` stores nothing.

    Raises:
        TypeError: a dtype or `out` is given.
        ShapeError: the shapes do not fit.
        UsageError: there is no such `reduce`, or the operands are not of its kinds.

    >>> torch.sparse.mm(torch.eye(2).to_sparse(), torch.tensor([[1.0], [2.0]]))
    tensor([[1.],
            [2.]])
    """
    if isinstance(out_dtype, str):
        out_dtype, reduce = None, out_dtype
    _refuse("mm", out_dtype=out_dtype, out=out)
    return functions.mm(input, mat2) if reduce is None else reduced_product(input, mat2, reduce)


@torch_function
def addmm(
    input: Tensor, mat1: Tensor, mat2: Tensor, out_dtype: DType | None = None, *, beta: float = 1.0, alpha: float = 1.0,
    out: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """Add a dense matrix to a product of which a factor is sparse.

    Args:
        input: (m, n), dense.
        mat1: (m, k), sparse.
        mat2: (k, n).
        out_dtype: must be None, as in PyTorch.
        beta: the factor of `input`.
        alpha: the factor of the product.
        out: must be None, as in PyTorch.

    Returns:
        beta * input + alpha * (mat1 @ mat2), dense.

    Raises:
        TypeError: `out_dtype` or `out` is given.
        ShapeError: the shapes do not fit.

    >>> torch.sparse.addmm(torch.ones(2, 2), torch.eye(2).to_sparse(), torch.ones(2, 2), alpha=2)
    tensor([[3., 3.],
            [3., 3.]])
    """
    _refuse("addmm", out_dtype=out_dtype, out=out)
    return functions.addmm(input, mat1, mat2, beta=beta, alpha=alpha)


@torch_function
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


@torch_function
def softmax(input: Tensor, dim: int, dtype: DType | None = None, *, out: Tensor | None = None) -> Tensor:
    """Apply softmax along a dim to the items that are stored: all others count as minus infinity.

    Args:
        input: the sparse tensor.
        dim: the dim along which the results sum to 1.
        dtype: the dtype to compute in; by default input's.
        out: must be None, as in PyTorch.

    Returns:
        A sparse tensor of the same coordinates, coalesced.

    Raises:
        ArgumentTypeError: the tensor is dense, or `out` is given.
        IndexOutOfRange: there is no such dim.

    >>> torch.sparse.softmax(torch.eye(2).to_sparse(), 1).values()
    tensor([1., 1.])
    """
    _refuse("softmax", out=out)
    logs = reductions.log_softmax(_sparse("softmax", input, dtype), dim)
    return logs.like(functions.exp(logs.entries))


@torch_function
def log_softmax(input: Tensor, dim: int, dtype: DType | None = None, *, out: Tensor | None = None) -> Tensor:
    """Compute the logarithm of `softmax`, of the items that are stored.

    Args:
        input: the sparse tensor.
        dim: the dim along which the exponentials sum to 1.
        dtype: the dtype to compute in; by default input's.
        out: must be None, as in PyTorch.

    Returns:
        A sparse tensor of the same coordinates, coalesced.

    Raises:
        ArgumentTypeError: the tensor is dense, or `out` is given.
        IndexOutOfRange: there is no such dim.

    >>> torch.sparse.log_softmax(torch.eye(2).to_sparse(), 1).values()
    tensor([0., 0.])
    """
    _refuse("log_softmax", out=out)
    return reductions.log_softmax(_sparse("log_softmax", input, dtype), dim)


@torch_function
def spdiags(diagonals: Tensor, offsets: Tensor, shape: tuple[int, int], layout: Layout | None = None) -> Tensor:
    """Make a sparse matrix of its diagonals: item j of a row stands in column j. What falls outside of the matrix is left out.

    Args:
        diagonals: (k, n), or (n,) for one: the items of each diagonal.
        offsets: int64 (k,), or () for one: where each begins; 0 for the main diagonal, above 0 to the right of it. None twice.
        shape: of the matrix.
        layout: `torch.sparse_coo`, also for None.

    Returns:
        The matrix, diagonal by diagonal.

    Raises:
        RuntimeError: the shapes do not fit together, the offsets are not int64 or not distinct, or the layout is another.

    >>> torch.sparse.spdiags(torch.tensor([[1.0, 2.0], [3.0, 4.0]]), torch.tensor([0, 1]), (2, 2)).to_dense()
    tensor([[1., 4.],
            [0., 2.]])
    """
    rows = functions.unsqueeze(diagonals, 0) if diagonals.ndim == 1 else diagonals
    if rows.ndim != 2:
        raise ShapeError("Diagonals must be vector or matrix")
    if len(shape) != 2:
        raise ShapeError("Output shape must be 2d")
    if offsets.ndim > 1:
        raise ShapeError("Offsets must be scalar or vector")
    if layout is not None and layout is not sparse_coo:
        raise UsageError(f"Only output layouts (Sparse) are supported, got {layout}")
    if offsets.dtype is not dt.int64:
        raise UsageError(f"Offset Tensor must have dtype Long but got {offsets.dtype}")
    starts = functions.reshape(offsets, (-1,)).tolist()
    if len(starts) != rows.shape[0]:
        raise ShapeError(f"Number of diagonals ({rows.shape[0]}) does not match the number of offsets ({len(starts)})")
    if len(set(starts)) != len(starts):
        raise UsageError("Offset tensor contains duplicate values")
    ends = [max(0, start, min(rows.shape[1], shape[1], shape[0] + start)) for start in starts]
    columns = [functions.arange(max(0, start), end, device=rows.device) for start, end in zip(starts, ends, strict=True)]
    places = [functions.stack([column - start, column]) for column, start in zip(columns, starts, strict=True)]
    entries = [row[column] for row, column in zip(rows, columns, strict=True)]
    return SparseTensor(functions.cat(places, 1), functions.cat(entries), tuple(shape))
