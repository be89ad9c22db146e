"""PyTorch's older factorizations of matrices, which `torch.linalg` has under other signatures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, overload

from lamina_flatarray import DTypeError, ShapeError

from ...dispatch import return_types
from ...dispatch.out import written
from ...dispatch.tensor_functions import af
from ...dispatch.torch_function import torch_function

if TYPE_CHECKING:
    from ...tensor_class import Tensor

    Pair = tuple[Tensor, Tensor]
    Triple = tuple[Tensor, Tensor, Tensor]

__all__ = ["cholesky", "geqrf", "lu", "lu_unpack", "orgqr", "ormqr", "qr", "svd"]


def adjoint_of(x: Tensor) -> Tensor:
    """The conjugate transpose of matrices."""
    return af.conj(af.transpose(x, -2, -1))


@torch_function(autocast="float32")
def cholesky(input: Tensor, upper: bool = False, *, out: Tensor | None = None) -> Tensor:
    """Compute the Cholesky factor of Hermitian positive-definite matrices; see `linalg.cholesky`.

    Args:
        input: matrices (..., n, n).
        upper: whether to return U of `input = U.mH @ U` instead of L of `input = L @ L.mH`.
        out: where to write the result.

    Returns:
        The triangular factors (..., n, n).

    Raises:
        ShapeError: the matrices are not square.
        LinAlgError: a matrix is not positive-definite.

    >>> torch.cholesky(torch.tensor([[4.0, 2.0], [2.0, 5.0]]))
    tensor([[2., 0.],
            [1., 2.]])
    """
    result: Tensor = af.linalg.cholesky(input, upper=upper)
    return result if out is None else written("cholesky", out, result, row_major=True, casts=True)


@torch_function(autocast="float32")
def geqrf(input: Tensor, *, out: Pair | None = None) -> return_types.geqrf:
    """Compute the QR factorization of matrices in LAPACK's packed form.

    Args:
        input: matrices (..., m, n).
        out: where to write a and tau.

    Returns:
        a (..., m, n), with R on and above the diagonal and the Householder vectors below it; and tau (..., min(m, n)),
        the scales of the reflections.

    Raises:
        ShapeError: there are fewer than two dims.

    >>> torch.geqrf(torch.eye(2))
    lamina.return_types.geqrf(
    a=tensor([[1., 0.],
            [0., 1.]]),
    tau=tensor([0., 0.]))
    """
    result = return_types.geqrf(*af.linalg.geqrf(input))
    return result if out is None else written("geqrf", out, result, casts=True)


@torch_function(autocast="float32")
def orgqr(input: Tensor, input2: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute the first columns of Q from what `geqrf` returned; see `linalg.householder_product`.

    Args:
        input: a of `geqrf` (..., m, n), n <= m.
        input2: tau of `geqrf` (..., k), k <= n.
        out: where to write the result.

    Returns:
        The columns (..., m, n).

    Raises:
        ShapeError: the shapes do not fit.

    >>> torch.orgqr(*torch.geqrf(torch.eye(2)))
    tensor([[1., 0.],
            [0., 1.]])
    """
    result: Tensor = af.linalg.householder_product(input, input2)
    return result if out is None else written("orgqr", out, result, casts=True)


@torch_function(autocast="float32")
def ormqr(
    input: Tensor,
    input2: Tensor,
    input3: Tensor,
    left: bool = True,
    transpose: bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Multiply the square matrix Q, from what `geqrf` returned, and another matrix.

    Args:
        input: a of `geqrf` (..., m, k).
        input2: tau of `geqrf` (..., k).
        input3: the other matrix (..., m, n), or (..., n, m) if not `left`.
        left: whether Q stands on the left.
        transpose: whether to take `Q.mH` for Q.
        out: where to write the result.

    Returns:
        The product, of `input3`'s shape.

    Raises:
        ShapeError: the shapes do not fit.
        DTypeError: the dtypes differ.

    >>> a, tau = torch.geqrf(torch.eye(2))
    >>> torch.ormqr(a, tau, torch.tensor([[1.0], [2.0]]))
    tensor([[1.],
            [2.]])
    """
    tau, other = input2, input3
    if input.ndim < 2 or other.ndim < 2:
        raise ShapeError(
            f"torch.ormqr: input and other must have at least 2 dimensions; got {input.shape}, {other.shape}"
        )
    m, k = other.shape[-2 if left else -1], tau.shape[-1] if tau.ndim else -1
    if not 0 <= k <= m or m != input.shape[-2]:
        raise ShapeError(
            f"torch.ormqr: other.shape[{-2 if left else -1}] must be greater than or equal to tau.shape[-1] and equal to "
            f"input.shape[-2]; got {input.shape}, {tau.shape}, {other.shape}"
        )
    if k > input.shape[-1] or tau.shape[:-1] != input.shape[:-2] or other.shape[:-2] != input.shape[:-2]:
        raise ShapeError(f"torch.ormqr: shapes {input.shape}, {tau.shape} and {other.shape} do not fit")
    if tau.dtype is not input.dtype or other.dtype is not input.dtype:
        raise DTypeError(
            f"torch.ormqr: Expected input, tau and other to have the same dtype, but got {input.dtype.name}, "
            f"{tau.dtype.name} and {other.dtype.name}"
        )
    width = input.shape[-1]
    if width >= m:
        square = input[..., :m]
    else:
        square = af.concat([input, af.new_zeros(input, (*input.shape[:-1], m - width))], -1)
    q = af.linalg.householder_product(square, tau)
    q = adjoint_of(q) if transpose else q
    first, second = (q, other) if left else (other, q)
    turned = af.transpose(second, -2, -1) @ af.transpose(first, -2, -1)
    result: Tensor = af.transpose(turned, -2, -1)  # column by column in memory, as all results of LAPACK
    return result if out is None else written("ormqr", out, result)


@torch_function(autocast="float32")
def qr(input: Tensor, some: bool = True, *, out: Pair | None = None) -> return_types.qr:
    """Factor matrices into orthonormal columns and an upper triangular matrix; see `linalg.qr`.

    Args:
        input: matrices (..., m, n).
        some: whether Q has only min(m, n) columns; otherwise it is square.
        out: where to write Q and R.

    Returns:
        Q and R, with `input = Q @ R`.

    Raises:
        ShapeError: there are fewer than two dims.

    >>> Q, R = torch.qr(torch.ones(3, 2))
    >>> Q.shape, R.shape
    (lamina.Size([3, 2]), lamina.Size([2, 2]))
    """
    result = return_types.qr(*af.linalg.qr(input, mode="reduced" if some else "complete"))
    return result if out is None else written("qr", out, result)


@torch_function(autocast="float32")
def svd(input: Tensor, some: bool = True, compute_uv: bool = True, *, out: Triple | None = None) -> return_types.svd:
    """Compute the singular value decomposition of matrices: `input = U @ diag(S) @ V.mH`; see `linalg.svd`.

    Args:
        input: matrices (..., m, n).
        some: whether U and V have only min(m, n) columns; otherwise they are square.
        compute_uv: whether to compute U and V; otherwise they are square and zero.
        out: where to write U, S and V.

    Returns:
        U, S and V, not its adjoint.

    Raises:
        ShapeError: there are fewer than two dims.
        LinAlgError: it did not converge: a matrix is not finite.

    >>> torch.svd(torch.tensor([[3.0, 0.0], [0.0, -4.0]])).S
    tensor([4., 3.])
    """
    if compute_uv:
        u, s, vh = af.linalg.svd(input, full_matrices=not some)
        result = return_types.svd(u, s, adjoint_of(vh))
    else:
        *lead, m, n = input.shape
        u, v = af.new_zeros(input, (*lead, m, m)), af.new_zeros(input, (*lead, n, n))
        result = return_types.svd(u, af.linalg.svdvals(input), v)
    return result if out is None else written("svd", out, result)


@overload
def lu(A: Tensor, pivot: bool = True, get_infos: Literal[False] = False, out: Pair | None = None) -> Pair: ...
@overload
def lu(
    A: Tensor, pivot: bool, get_infos: Literal[True], out: Triple | None = None
) -> return_types.linalg_lu_factor_ex: ...
@overload
def lu(
    A: Tensor, pivot: bool = True, *, get_infos: Literal[True], out: Triple | None = None
) -> return_types.linalg_lu_factor_ex: ...
@torch_function
def lu(
    A: Tensor, pivot: bool = True, get_infos: bool = False, out: Pair | Triple | None = None
) -> Pair | return_types.linalg_lu_factor_ex:
    """Factor matrices into L and U, in one matrix; see `linalg.lu_factor`.

    Args:
        A: matrices (..., m, n).
        pivot: whether to exchange rows (partial pivoting).
        get_infos: whether to return info, too.
        out: where to write the results.

    Returns:
        LU (..., m, n), pivots (..., min(m, n)) in int32, and with `get_infos` info (...) in int32: which pivot, counted
        from 1, is 0, or 0 if none is.

    Raises:
        ShapeError: there are fewer than two dims.

    >>> LU, pivots = torch.lu(torch.tensor([[1.0, 2.0], [4.0, 4.0]]))
    >>> LU
    tensor([[4.0000, 4.0000],
            [0.2500, 1.0000]])
    """
    factors, pivots, info = af.linalg.lu_factor_ex(A, pivot=pivot)
    if get_infos:
        result = return_types.linalg_lu_factor_ex(factors, pivots, info)
        return result if out is None else written("lu", out, result, row_major=True, casts=True)
    if out is not None:
        factors, pivots = written("lu", out, return_types.linalg_lu_factor(factors, pivots), row_major=True, casts=True)
    return factors, pivots


@torch_function
def lu_unpack(
    LU_data: Tensor,
    LU_pivots: Tensor,
    unpack_data: bool = True,
    unpack_pivots: bool = True,
    *,
    out: Triple | None = None,
) -> return_types.lu_unpack:
    """Unpack P, L and U from what `lu_factor` or `lu` returned.

    Args:
        LU_data: the factors (..., m, n).
        LU_pivots: the pivots (..., min(m, n)), in int32.
        unpack_data: whether to return L and U; otherwise they are empty.
        unpack_pivots: whether to return P; otherwise it is empty.
        out: where to write P, L and U.

    Returns:
        P (..., m, m), L (..., m, k) and U (..., k, n), with k = min(m, n).

    Raises:
        DTypeError: the pivots are not int32.
        ShapeError: there are fewer than two dims.

    >>> P, L, U = torch.lu_unpack(*torch.linalg.lu_factor(torch.tensor([[1.0, 2.0], [4.0, 4.0]])))
    >>> P @ L @ U
    tensor([[1., 2.],
            [4., 4.]])
    """
    result = return_types.lu_unpack(*af.linalg.lu_unpack(LU_data, LU_pivots, unpack_data, unpack_pivots))
    return result if out is None else written("lu_unpack", out, result)
