"""Factorizations of matrices into triangular and orthogonal ones: Cholesky, LU, LDL and QR.

Functions whose names end in `_ex` report failure in `info` and never look at it; the others look, and raise.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..dispatch import return_types
from ..dispatch.out import written
from ..dispatch.tensor_functions import af
from ..dispatch.torch_function import torch_function

if TYPE_CHECKING:
    from ..tensor_class import Tensor

    Pair = tuple[Tensor, Tensor]
    Triple = tuple[Tensor, Tensor, Tensor]

__all__ = [
    "cholesky",
    "cholesky_ex",
    "householder_product",
    "ldl_factor",
    "ldl_factor_ex",
    "lu",
    "lu_factor",
    "lu_factor_ex",
    "qr",
]


@torch_function(autocast="float32")
def cholesky(input: Tensor, *, upper: bool = False, out: Tensor | None = None) -> Tensor:
    """Compute the Cholesky factor of Hermitian positive-definite matrices.

    Args:
        input: matrices (..., n, n), of which one triangle is read.
        upper: whether to return U of `input = U.mH @ U` instead of L of `input = L @ L.mH`.
        out: where to write the result.

    Returns:
        The triangular factors (..., n, n).

    Raises:
        ShapeError: the matrices are not square.
        LinAlgError: a matrix is not positive-definite.

    >>> torch.linalg.cholesky(torch.tensor([[4.0, 2.0], [2.0, 5.0]]))
    tensor([[2., 0.],
            [1., 2.]])
    """
    result: Tensor = af.linalg.cholesky(input, upper=upper)
    return result if out is None else written("linalg.cholesky", out, result)


@torch_function(autocast="float32")
def cholesky_ex(
    input: Tensor, *, upper: bool = False, check_errors: bool = False, out: Pair | None = None
) -> return_types.linalg_cholesky_ex:
    """Compute the Cholesky factor of Hermitian matrices, and say for which there is none.

    Args:
        input: matrices (..., n, n), of which one triangle is read.
        upper: whether to return U of `input = U.mH @ U` instead of L of `input = L @ L.mH`.
        check_errors: whether to look at `info` and raise.
        out: where to write L and info.

    Returns:
        L, the triangular factors (..., n, n), NaN where there is none; and info (...) in int32: the order of the first
        leading minor that is not positive, or 0.

    Raises:
        ShapeError: the matrices are not square.
        LinAlgError: with `check_errors`, a matrix is not positive-definite.

    >>> torch.linalg.cholesky_ex(torch.tensor([[1.0, 2.0], [2.0, 1.0]])).info
    tensor(2, dtype=lamina.int32)
    """
    result = return_types.linalg_cholesky_ex(*af.linalg.cholesky_ex(input, upper=upper, check_errors=check_errors))
    return result if out is None else written("linalg.cholesky_ex", out, result)


@torch_function
def lu(A: Tensor, *, pivot: bool = True, out: Triple | None = None) -> return_types.linalg_lu:
    """Factor matrices into a permutation, a unit lower and an upper triangular matrix: `A = P @ L @ U`.

    Args:
        A: matrices (..., m, n).
        pivot: whether to exchange rows (partial pivoting); without, P is empty.
        out: where to write P, L and U.

    Returns:
        P (..., m, m), L (..., m, k) and U (..., k, n), with k = min(m, n).

    Raises:
        ShapeError: there are fewer than two dims.

    >>> P, L, U = torch.linalg.lu(torch.tensor([[1.0, 2.0], [4.0, 4.0]]))
    >>> L
    tensor([[1.0000, 0.0000],
            [0.2500, 1.0000]])
    >>> P @ L @ U
    tensor([[1., 2.],
            [4., 4.]])
    """
    result = return_types.linalg_lu(*af.linalg.lu(A, pivot=pivot))
    return result if out is None else written("linalg.lu", out, result)


@torch_function
def lu_factor(A: Tensor, *, pivot: bool = True, out: Pair | None = None) -> return_types.linalg_lu_factor:
    """Factor matrices as `lu` does, with L and U in one matrix.

    Args:
        A: matrices (..., m, n).
        pivot: whether to exchange rows (partial pivoting).
        out: where to write LU and pivots.

    Returns:
        LU (..., m, n), with U on and above the diagonal and L, without its ones, below; and pivots (..., min(m, n)) in
        int32: the row, counted from 1, that each row was exchanged with.

    Raises:
        ShapeError: there are fewer than two dims.
        LinAlgError: a pivot is 0.

    >>> torch.linalg.lu_factor(torch.tensor([[1.0, 2.0], [4.0, 4.0]]))
    lamina.return_types.linalg_lu_factor(
    LU=tensor([[4.0000, 4.0000],
            [0.2500, 1.0000]]),
    pivots=tensor([2, 2], dtype=lamina.int32))
    """
    result = return_types.linalg_lu_factor(*af.linalg.lu_factor(A, pivot=pivot))
    return result if out is None else written("linalg.lu_factor", out, result)


@torch_function
def lu_factor_ex(
    A: Tensor, *, pivot: bool = True, check_errors: bool = False, out: Triple | None = None
) -> return_types.linalg_lu_factor_ex:
    """Factor matrices as `lu_factor` does, and say for which a pivot is 0.

    Args:
        A: matrices (..., m, n).
        pivot: whether to exchange rows (partial pivoting).
        check_errors: whether to look at `info` and raise.
        out: where to write LU, pivots and info.

    Returns:
        LU and pivots as `lu_factor`; and info (...) in int32: which pivot, counted from 1, is 0, or 0 if none is.

    Raises:
        ShapeError: there are fewer than two dims.
        LinAlgError: with `check_errors`, a pivot is 0.

    >>> torch.linalg.lu_factor_ex(torch.ones(2, 2)).info
    tensor(2, dtype=lamina.int32)
    """
    result = return_types.linalg_lu_factor_ex(*af.linalg.lu_factor_ex(A, pivot=pivot, check_errors=check_errors))
    return result if out is None else written("linalg.lu_factor_ex", out, result)


@torch_function
def ldl_factor(input: Tensor, *, hermitian: bool = False, out: Pair | None = None) -> return_types.linalg_ldl_factor:
    """Factor symmetric matrices into `L @ D @ L.mT`, with L and D in one matrix.

    Rows are exchanged as Bunch and Kaufman do (LAPACK's sytrf and hetrf).

    Args:
        input: matrices (..., n, n), of which the lower triangle is read.
        hermitian: whether they are Hermitian, not symmetric, where they are complex.
        out: where to write LD and pivots.

    Returns:
        LD (..., n, n), and pivots (..., n) in int32, as LAPACK writes them.

    Raises:
        ShapeError: the matrices are not square.
        LinAlgError: a block of D is 0.

    >>> torch.linalg.ldl_factor(torch.tensor([[4.0, 2.0], [2.0, 3.0]])).LD
    tensor([[4.0000, 0.0000],
            [0.5000, 2.0000]])
    """
    result = return_types.linalg_ldl_factor(*af.linalg.ldl_factor(input, hermitian=hermitian))
    return result if out is None else written("linalg.ldl_factor", out, result)


@torch_function
def ldl_factor_ex(
    input: Tensor, *, hermitian: bool = False, check_errors: bool = False, out: Triple | None = None
) -> return_types.linalg_ldl_factor_ex:
    """Factor symmetric matrices as `ldl_factor` does, and say for which a block of D is 0.

    Args:
        input: matrices (..., n, n), of which the lower triangle is read.
        hermitian: whether they are Hermitian, not symmetric, where they are complex.
        check_errors: whether to look at `info` and raise.
        out: where to write LD, pivots and info.

    Returns:
        LD and pivots as `ldl_factor`; and info (...) in int32: which block of D, counted from 1, is 0, or 0 if none is.

    Raises:
        ShapeError: the matrices are not square.
        LinAlgError: with `check_errors`, a block of D is 0.

    >>> torch.linalg.ldl_factor_ex(torch.eye(2)).info
    tensor(0, dtype=lamina.int32)
    """
    parts = af.linalg.ldl_factor_ex(input, hermitian=hermitian, check_errors=check_errors)
    result = return_types.linalg_ldl_factor_ex(*parts)
    return result if out is None else written("linalg.ldl_factor_ex", out, result)


@torch_function(autocast="float32")
def qr(A: Tensor, mode: str = "reduced", *, out: Pair | None = None) -> return_types.linalg_qr:
    """Factor matrices into orthonormal columns and an upper triangular matrix: `A = Q @ R`.

    Args:
        A: matrices (..., m, n).
        mode: "reduced" for Q (..., m, k) and R (..., k, n), with k = min(m, n); "complete" for Q (..., m, m) and R
            (..., m, n); "r" for an empty Q.
        out: where to write Q and R.

    Returns:
        Q and R.

    Raises:
        ShapeError: there are fewer than two dims, or the mode is none of these.

    >>> A = torch.tensor([[3.0, 1.0], [4.0, 2.0]])
    >>> Q, R = torch.linalg.qr(A)
    >>> torch.allclose(Q @ R, A)
    True
    """
    result = return_types.linalg_qr(*af.linalg.qr(A, mode))
    return result if out is None else written("linalg.qr", out, result)


@torch_function(autocast="float32")
def householder_product(input: Tensor, tau: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute the first n columns of a product of k Householder reflections, such as Q of what `geqrf` returns.

    Reflection i is `I - tau[i] * v @ v.mH`, where v is column i of `input` below the diagonal, 1 on it and 0 above.

    Args:
        input: the vectors v as columns (..., m, n), n <= m.
        tau: the scales (..., k), k <= n.
        out: where to write the result.

    Returns:
        The columns (..., m, n).

    Raises:
        ShapeError: the shapes do not fit.

    >>> torch.linalg.householder_product(torch.tensor([[1.0], [1.0]]), torch.tensor([1.0]))
    tensor([[ 0.],
            [-1.]])
    """
    result: Tensor = af.linalg.householder_product(input, tau)
    return result if out is None else written("linalg.householder_product", out, result, casts=True)
