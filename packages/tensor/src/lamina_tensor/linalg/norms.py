"""Norms of vectors and matrices, and what follows from them: condition numbers and ranks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..dispatch.out import written
from ..dispatch.tensor_functions import af
from ..dispatch.torch_function import torch_function

if TYPE_CHECKING:
    from lamina_flatarray import DType

    from ..tensor_class import Tensor

__all__ = ["cond", "matrix_norm", "matrix_rank", "norm", "vector_norm"]


@torch_function
def norm(
    input: Tensor,
    ord: float | str | None = None,
    dim: int | Sequence[int] | None = None,
    keepdim: bool = False,
    *,
    out: Tensor | None = None,
    dtype: DType | None = None,
) -> Tensor:
    """Compute a norm of vectors, along one dim, or of matrices, along two.

    Args:
        input: a tensor of floating-point or complex numbers.
        ord: the order of `vector_norm` or `matrix_norm`; None for the root of the sum of squares over any dims.
        dim: the dim of the vectors or the two of the matrices; None for the whole vector, matrix or, without `ord`,
            tensor.
        keepdim: whether to keep the dims, with length 1.
        out: where to write the result.
        dtype: what to compute in.

    Returns:
        The norms, real: `input`'s shape without the dims.

    Raises:
        DTypeError: `input` is boolean or integer, or `dtype` narrows it.
        ShapeError: an order, but neither one nor two dims.

    >>> torch.linalg.norm(torch.tensor([[3.0, 0.0], [0.0, 4.0]]))
    tensor(5.)
    """
    result: Tensor = af.linalg.norm(input, ord, dim, keepdim, dtype=dtype)
    return result if out is None else written("linalg.norm", out, result)


@torch_function
def vector_norm(
    input: Tensor,
    ord: float = 2,
    dim: int | Sequence[int] | None = None,
    keepdim: bool = False,
    *,
    dtype: DType | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Compute `(abs(input) ** ord).sum(dim) ** (1 / ord)`, the norm of vectors along any dims.

    Args:
        input: a tensor of floating-point or complex numbers.
        ord: the order; inf for the greatest absolute value, -inf for the least, 0 for the number of nonzeros.
        dim: the dims; None, or none, for all.
        keepdim: whether to keep the dims, with length 1.
        dtype: what to compute in.
        out: where to write the result.

    Returns:
        The norms, real: `input`'s shape without the dims. The gradient at zero is zero.

    Raises:
        DTypeError: `input` is boolean or integer, or `dtype` narrows it.
        ShapeError: a negative or infinite order of no items.

    >>> torch.linalg.vector_norm(torch.tensor([[3.0, 4.0], [6.0, 8.0]]), dim=1)
    tensor([ 5., 10.])
    """
    axes = None if dim in ((), []) else dim
    result: Tensor = af.linalg.vector_norm(input, ord, axes, keepdim, dtype=dtype)
    return result if out is None else written("linalg.vector_norm", out, result)


@torch_function
def matrix_norm(
    input: Tensor,
    ord: float | str = "fro",
    dim: Sequence[int] = (-2, -1),
    keepdim: bool = False,
    *,
    dtype: DType | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Compute a norm of matrices along two dims.

    Args:
        input: a tensor of floating-point or complex numbers.
        ord: "fro", the root of the sum of squares; "nuc", the sum of the singular values; 2 or -2, the greatest or the
            least singular value; 1 or -1, the greatest or the least sum of absolute values of a column; inf or -inf, of
            a row.
        dim: the dims of the rows and of the columns.
        keepdim: whether to keep the dims, with length 1.
        dtype: what to compute in.
        out: where to write the result.

    Returns:
        The norms, real: `input`'s shape without the two dims.

    Raises:
        DTypeError: `input` is boolean or integer, or `dtype` narrows it.
        ShapeError: there is no such order, or not two different dims.

    >>> torch.linalg.matrix_norm(torch.tensor([[1.0, -2.0], [3.0, 4.0]]), ord=1)
    tensor(6.)
    """
    result: Tensor = af.linalg.matrix_norm(input, ord, dim, keepdim, dtype=dtype)
    return result if out is None else written("linalg.matrix_norm", out, result)


@torch_function(autocast="float32")
def cond(input: Tensor, p: float | str | None = None, *, out: Tensor | None = None) -> Tensor:
    """Compute the condition numbers of matrices: how much they magnify relative errors.

    Args:
        input: matrices (..., m, n).
        p: the order of `matrix_norm`; None for 2, the greatest over the least singular value.
        out: where to write the result.

    Returns:
        The condition numbers (...), real: `matrix_norm(input, p) * matrix_norm(inv(input), p)`, infinite where there is
        no inverse.

    Raises:
        ShapeError: the matrices are not square though p needs their inverse, or there is no such order.

    >>> torch.linalg.cond(torch.tensor([[2.0, 0.0], [0.0, 1.0]]))
    tensor(2.)
    """
    result: Tensor = af.linalg.cond(input, p)
    return result if out is None else written("linalg.cond", out, result, casts=True)


@torch_function(autocast="float32")
def matrix_rank(
    input: Tensor,
    tol: float | Tensor | None = None,
    hermitian: bool = False,
    *,
    atol: float | Tensor | None = None,
    rtol: float | Tensor | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Compute the ranks of matrices: how many singular values do not count as 0.

    Args:
        input: matrices (..., m, n).
        tol: the older name of `atol`, with `rtol` 0.
        hermitian: whether the matrices are Hermitian, so that eigenvalues serve instead of singular values.
        atol: singular values up to this count as 0; 0 by default.
        rtol: so do those up to this times the greatest; by default the dtype's eps times max(m, n), or 0 if `atol` is
            given.
        out: where to write the result.

    Returns:
        The ranks (...), in int64.

    Raises:
        ShapeError: there are fewer than two dims, or Hermitian matrices that are not square.

    >>> torch.linalg.matrix_rank(torch.ones(3, 3))
    tensor(1)
    """
    result: Tensor = af.linalg.matrix_rank(input, tol, hermitian, atol=atol, rtol=rtol)
    return result if out is None else written("linalg.matrix_rank", out, result)
