"""PyTorch's older names of products with sparse matrices, as published programs call them."""

from __future__ import annotations

import lamina_tensor as functions
from lamina_flatarray import AutogradError, DTypeError, ShapeError, UsageError

from ..dispatch.torch_function import torch_function
from ..tensor_class import Tensor
from .kinds import coalesce
from .sparse_tensor import SparseTensor

__all__ = ["dsmm", "hsmm", "hspmm", "saddmm", "smm", "spmm", "sspaddmm"]


def _factors(name: str, sparse: Tensor, dense: Tensor) -> SparseTensor:
    """The sparse factor, in order of its rows.

    Raises:
        UsageError: the first is no sparse matrix, or the second is sparse.
        ShapeError: the shapes do not fit.
    """
    if not isinstance(sparse, SparseTensor) or isinstance(dense, SparseTensor):
        raise UsageError(f"{name}: expected a sparse matrix and a dense one, got layouts {sparse.layout} and {dense.layout}")
    if sparse.ndim != 2 or sparse.coordinates.shape[0] != 2 or dense.ndim != 2 or sparse.lengths[1] != dense.shape[0]:
        raise ShapeError(f"{name}: cannot multiply shapes {list(sparse.shape)} and {list(dense.shape)}; it wants two matrices that fit")
    return coalesce(sparse)


def _written(name: str, out: Tensor | None, result: SparseTensor) -> SparseTensor:
    """The result, or `out` with its parts.

    Raises:
        UsageError: out is not sparse.
        DTypeError: it has another dtype.
        AutogradError: gradients would have to flow through it.
    """
    if out is None:
        return result
    if not isinstance(out, SparseTensor):
        raise UsageError(f"{name}: expected 'out' to be sparse, got layout {out.layout}")
    if out.dtype is not result.dtype:
        raise DTypeError(f"{name}(): Expected out tensor to have dtype {result.dtype!r}, but got {out.dtype!r} instead")
    if out.requires_grad or result.requires_grad:
        raise AutogradError(f"{name}(): functions with out=... arguments don't support automatic differentiation")
    out.coordinates, out.entries, out.lengths, out.coalesced = result.coordinates, result.entries, result.lengths, result.coalesced
    return out


@torch_function
def spmm(input: Tensor, mat2: Tensor) -> Tensor:
    """Multiply two matrices, of which any may be sparse; see `torch.mm`.

    Args:
        input: (m, k).
        mat2: (k, n).

    Returns:
        (m, n): sparse if both are, else dense.

    Raises:
        ShapeError: the shapes do not fit.

    >>> torch.spmm(torch.eye(2).to_sparse(), torch.tensor([[1.0], [2.0]]))
    tensor([[1.],
            [2.]])
    """
    return functions.mm(input, mat2)


@torch_function
def dsmm(input: Tensor, mat2: Tensor) -> Tensor:
    """Multiply two matrices, of which any may be sparse; another name of `spmm`.

    Args:
        input: (m, k).
        mat2: (k, n).

    Returns:
        (m, n): sparse if both are, else dense.

    Raises:
        ShapeError: the shapes do not fit.

    >>> torch.dsmm(torch.eye(2).to_sparse(), torch.tensor([[1.0], [2.0]]))
    tensor([[1.],
            [2.]])
    """
    return functions.mm(input, mat2)


@torch_function
def hspmm(mat1: Tensor, mat2: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Multiply a sparse matrix by a dense one, and keep the rows that have items in the sparse one.

    Args:
        mat1: (m, k), sparse.
        mat2: (k, n), dense.
        out: a sparse tensor that becomes the result.

    Returns:
        (m, n), sparse in its rows, whose values are the rows of the product.

    Raises:
        RuntimeError: mat1 is not sparse, or mat2 is, or the shapes do not fit.

    >>> torch.hspmm(torch.tensor([[0.0, 0.0], [0.0, 2.0]]).to_sparse(), torch.ones(2, 3))
    tensor(indices=tensor([[1]]),
           values=tensor([[2., 2., 2.]]),
           size=(2, 3), nnz=1, layout=lamina.sparse_coo)
    """
    rows = functions.unique(_factors("hspmm", mat1, mat2).coordinates[0])
    product = functions.mm(mat1, mat2)
    return _written("hspmm", out, SparseTensor(rows.unsqueeze(0), functions.index_select(product, 0, rows), tuple(product.shape)))


@torch_function
def hsmm(mat1: Tensor, mat2: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Multiply a sparse matrix by a dense one, and keep the rows that have items in it; another name of `hspmm`.

    Args:
        mat1: (m, k), sparse.
        mat2: (k, n), dense.
        out: a sparse tensor that becomes the result.

    Returns:
        (m, n), sparse in its rows, whose values are the rows of the product.

    Raises:
        RuntimeError: mat1 is not sparse, or mat2 is, or the shapes do not fit.

    >>> torch.hsmm(torch.eye(2).to_sparse(), torch.ones(2, 3)).sparse_dim()
    1
    """
    return hspmm(mat1, mat2, out=out)


@torch_function
def smm(input: Tensor, mat2: Tensor) -> Tensor:
    """Multiply a sparse matrix by a dense one; the result is sparse.

    Args:
        input: (m, k), sparse.
        mat2: (k, n), dense.

    Returns:
        (m, n), sparse: all items of the rows that have items in `input`.

    Raises:
        RuntimeError: input is not sparse, or mat2 is, or the shapes do not fit.

    >>> torch.smm(torch.tensor([[0.0, 0.0], [0.0, 2.0]]).to_sparse(), torch.ones(2, 1))
    tensor(indices=tensor([[1],
                           [0]]),
           values=tensor([2.]),
           size=(2, 1), nnz=1, layout=lamina.sparse_coo)
    """
    rows = functions.unique(_factors("smm", input, mat2).coordinates[0])
    product, width = functions.mm(input, mat2), mat2.shape[1]
    places = functions.stack([functions.repeat_interleave(rows, width), functions.arange(width, device=rows.device).repeat(rows.shape[0])])
    return SparseTensor(places, functions.index_select(product, 0, rows).flatten(), tuple(product.shape))


@torch_function
def sspaddmm(
    input: Tensor, mat1: Tensor, mat2: Tensor, *, beta: float = 1, alpha: float = 1, out: Tensor | None = None
) -> Tensor:
    """Add a sparse matrix to the product of a sparse one and a dense one; the result is sparse.

    Args:
        input: (m, n), sparse.
        mat1: (m, k), sparse.
        mat2: (k, n), dense.
        beta: the factor of `input`.
        alpha: the factor of the product.
        out: a sparse tensor that becomes the result.

    Returns:
        beta * input + alpha * (mat1 @ mat2), sparse and not coalesced.

    Raises:
        RuntimeError: input or mat1 is not sparse, or mat2 is, or the shapes do not fit.

    >>> eye = torch.eye(2).to_sparse()
    >>> torch.sspaddmm(eye, eye, torch.ones(2, 2), alpha=2).to_dense()
    tensor([[3., 2.],
            [2., 3.]])
    """
    product = smm(mat1, mat2)
    if not isinstance(input, SparseTensor) or not isinstance(product, SparseTensor):
        raise UsageError(f"sspaddmm: expected 'input' to be sparse, got layout {input.layout}")
    if input.lengths != product.lengths or input.coordinates.shape[0] != 2:
        raise ShapeError(f"sspaddmm: input is {list(input.shape)}, but the product {list(product.shape)}")
    places = functions.cat([input.coordinates, product.coordinates], 1)
    entries = functions.cat([input.entries * beta, product.entries * alpha])
    return _written("sspaddmm", out, SparseTensor(places, entries, product.lengths))


@torch_function
def saddmm(
    input: Tensor, mat1: Tensor, mat2: Tensor, *, beta: float = 1, alpha: float = 1, out: Tensor | None = None
) -> Tensor:
    """Add a sparse matrix to the product of a sparse one and a dense one; another name of `sspaddmm`.

    Args:
        input: (m, n), sparse.
        mat1: (m, k), sparse.
        mat2: (k, n), dense.
        beta: the factor of `input`.
        alpha: the factor of the product.
        out: a sparse tensor that becomes the result.

    Returns:
        beta * input + alpha * (mat1 @ mat2), sparse and not coalesced.

    Raises:
        RuntimeError: input or mat1 is not sparse, or mat2 is, or the shapes do not fit.

    >>> eye = torch.eye(2).to_sparse()
    >>> torch.saddmm(eye, eye, torch.ones(2, 2)).to_dense()
    tensor([[2., 1.],
            [1., 2.]])
    """
    return sspaddmm(input, mat1, mat2, beta=beta, alpha=alpha, out=out)
