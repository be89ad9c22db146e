"""PyTorch's older functions of matrices, outside of `torch.linalg`: other signatures, other order of results."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from lamina_flatarray import DTypeError, ShapeError
from lamina_ndarray.dispatch.results import LUFactorResult, QRResult, SlogdetResult

from ..dispatch import array_functions as af

if TYPE_CHECKING:
    from ..tensor import Tensor

__all__ = [
    "chain_matmul",
    "cholesky",
    "cholesky_inverse",
    "cholesky_solve",
    "cross",
    "det",
    "geqrf",
    "inverse",
    "logdet",
    "lu",
    "lu_solve",
    "lu_unpack",
    "matrix_exp",
    "matrix_power",
    "orgqr",
    "ormqr",
    "pca_lowrank",
    "pinverse",
    "qr",
    "slogdet",
    "svd",
    "svd_lowrank",
    "trace",
    "triangular_solve",
    "vander",
]


class TriangularSolve(NamedTuple):
    """The solution, and a copy of the matrix."""

    solution: Any
    cloned_coefficient: Any


class SVD(NamedTuple):
    """`input = U @ diag(S) @ V^H`: V, not its adjoint."""

    U: Any
    S: Any
    V: Any


def _adjoint(x: Tensor) -> Tensor:
    return af.conj(af.transpose(x, -2, -1))


# -- factorizations and systems -----------------------------------------------------------------------------------------


def cholesky(input: Tensor, upper: bool = False) -> Tensor:
    """See `linalg.cholesky`."""
    return af.linalg.cholesky(input, upper=upper)


def cholesky_inverse(L: Tensor, upper: bool = False) -> Tensor:
    """The inverse of a matrix, from its Cholesky factor."""
    return af.linalg.cholesky_inverse(L, upper)


def cholesky_solve(B: Tensor, L: Tensor, upper: bool = False) -> Tensor:
    """The solution of a linear system, from its matrix's Cholesky factor."""
    return af.linalg.cholesky_solve(B, L, upper)


def geqrf(input: Tensor) -> Any:
    """QR as LAPACK packs it; see `lamina_ndarray.linalg.geqrf`."""
    return af.linalg.geqrf(input)


def orgqr(input: Tensor, tau: Tensor) -> Tensor:
    """See `linalg.householder_product`."""
    return af.linalg.householder_product(input, tau)


def ormqr(input: Tensor, tau: Tensor, other: Tensor, left: bool = True, transpose: bool = False) -> Tensor:
    """The product of the square matrix Q that `geqrf` packed (or Q^H, with `transpose`) and another, from the left or
    the right.

    Raises:
        ShapeError: the shapes do not fit.
        DTypeError: the dtypes differ.
    """
    if input.ndim < 2 or other.ndim < 2:
        raise ShapeError(f"torch.ormqr: input and other must have at least 2 dimensions; got {input.shape}, {other.shape}")
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
    square = input[..., :m] if width >= m else af.concat([input, af.new_zeros(input, (*input.shape[:-1], m - width))], -1)
    q = af.linalg.householder_product(square, tau)
    q = _adjoint(q) if transpose else q
    return q @ other if left else other @ q


def qr(input: Tensor, some: bool = True) -> QRResult:
    """Q and R, reduced; complete if not `some`."""
    return af.linalg.qr(input, mode="reduced" if some else "complete")


def svd(input: Tensor, some: bool = True, compute_uv: bool = True) -> SVD:
    """U, S and V (not its adjoint), reduced if `some`; U and V are zeros if not `compute_uv`."""
    if compute_uv:
        u, s, vh = af.linalg.svd(input, full_matrices=not some)
        return SVD(u, s, _adjoint(vh))
    *lead, m, n = input.shape
    return SVD(af.new_zeros(input, (*lead, m, m)), af.linalg.svdvals(input), af.new_zeros(input, (*lead, n, n)))


def lu(input: Tensor, pivot: bool = True, get_infos: bool = False, *, out: Any = None) -> Any:
    """The packed factors and the pivots of `lu_factor`; with `get_infos`, also which pivot is 0."""
    factors, pivots, info = af.linalg.lu_factor_ex(input, pivot=pivot)
    return (factors, pivots, info) if get_infos else LUFactorResult(factors, pivots)


def lu_solve(b: Tensor, LU_data: Tensor, LU_pivots: Tensor) -> Tensor:
    """The solution of a linear system, from its matrix's LU factors."""
    return af.linalg.lu_solve(LU_data, LU_pivots, b)


def lu_unpack(LU_data: Tensor, LU_pivots: Tensor, unpack_data: bool = True, unpack_pivots: bool = True) -> Any:
    """P, L and U out of packed factors."""
    return af.linalg.lu_unpack(LU_data, LU_pivots, unpack_data, unpack_pivots)


def triangular_solve(
    b: Tensor, A: Tensor, upper: bool = True, transpose: bool = False, unitriangular: bool = False
) -> TriangularSolve:
    """x of `A @ x = b` (`A^H @ x = b` with `transpose`), reading one triangle of A; and A, broadcast like b."""
    matrix = _adjoint(A) if transpose else A
    x = af.linalg.solve_triangular(matrix, b, upper=upper is not transpose, unitriangular=unitriangular)
    return TriangularSolve(x, af.copy(af.broadcast_to(A, (*x.shape[:-2], *A.shape[-2:]))))


# -- functions of one matrix --------------------------------------------------------------------------------------------


def det(input: Tensor) -> Tensor:
    """See `linalg.det`."""
    return af.linalg.det(input)


def slogdet(input: Tensor) -> SlogdetResult:
    """See `linalg.slogdet`."""
    return af.linalg.slogdet(input)


def logdet(input: Tensor) -> Tensor:
    """The logarithm of the determinant; NaN where that is negative."""
    return af.linalg.logdet(input)


def inverse(input: Tensor) -> Tensor:
    """See `linalg.inv`."""
    return af.linalg.inv(input)


def pinverse(input: Tensor, rcond: float = 1e-15) -> Tensor:
    """See `linalg.pinv`; singular values up to `rcond` times the greatest count as 0."""
    return af.linalg.pinv(input, rcond)


def matrix_exp(input: Tensor) -> Tensor:
    """See `linalg.matrix_exp`."""
    return af.linalg.matrix_exp(input)


def matrix_power(input: Tensor, n: int) -> Tensor:
    """See `linalg.matrix_power`."""
    return af.linalg.matrix_power(input, n)


def trace(input: Tensor) -> Tensor:
    """The sum of a matrix's diagonal; of integers in int64.

    Raises:
        ShapeError: it is no matrix.
    """
    if input.ndim != 2:
        raise ShapeError(f"trace: expected a matrix, but got tensor with dim {input.ndim}")
    return af.FUNCTIONS["sum"](af.diagonal(input))  # type: ignore[no-any-return]


# -- products -----------------------------------------------------------------------------------------------------------


def cross(input: Tensor, other: Tensor, dim: int | None = None) -> Tensor:
    """The vector product along `dim`; by default the first dim of length 3.

    Raises:
        ShapeError: there is no such dim.
    """
    if dim is None:
        dim = next((i for i, n in enumerate(input.shape) if n == 3), None)
        if dim is None:
            raise ShapeError(f"no dimension of size 3 in input: cross of shapes {input.shape} and {other.shape}")
    return af.linalg.cross(input, other, dim)


def chain_matmul(*matrices: Tensor) -> Tensor:
    """The product of matrices in the cheapest order; see `linalg.multi_dot`.

    Raises:
        ShapeError: one is no matrix, there is none, or lengths do not fit.
    """
    parts: Sequence[Tensor] = matrices[0] if len(matrices) == 1 and isinstance(matrices[0], (list, tuple)) else matrices
    for i, x in enumerate(parts):
        if x.ndim != 2:
            raise ShapeError(f"chain_matmul: Tensor dimension is {x.ndim}, expected 2 instead (tensor {i})")
    if not parts:
        raise ShapeError("chain_matmul(): Expected one or more matrices")
    return parts[0] if len(parts) == 1 else af.linalg.multi_dot(parts)


def vander(x: Tensor, N: int | None = None, increasing: bool = False) -> Tensor:
    """The powers N - 1 .. 0 of a vector's items (0 .. N - 1 if `increasing`), a row for each.

    Raises:
        ShapeError: x is no vector, or N is negative.
    """
    if x.ndim != 1:
        raise ShapeError(f"vander: x must be a one-dimensional tensor; got shape {x.shape}")
    count = x.shape[0] if N is None else N
    if count < 0:
        raise ShapeError(f"vander: N must be non-negative; got {count}")
    powers = af.linalg.vander(x, N=max(count, 2))[:, :count]
    return powers if increasing else af.copy(af.flip(powers, (-1,)))


# -- approximately ------------------------------------------------------------------------------------------------------


def _directions(A: Tensor, q: int) -> Tensor:
    """q normal vectors of unit variance, in the order in which PyTorch draws them."""
    shape = (A.shape[-1], q)
    if not A.dtype.is_complex:
        return af.randn(shape, dtype=A.dtype, device=A.device)
    parts = af.randn((*shape, 2), dtype=A.dtype.to_real(), device=A.device) * math.sqrt(0.5)
    return af.make_complex(parts[..., 0], parts[..., 1])


def svd_lowrank(A: Tensor, q: int | None = 6, niter: int | None = 2, M: Tensor | None = None) -> SVD:
    """U (..., m, q), S (..., q) and V (..., n, q) of a matrix (minus M) that has about rank q, by random projection:
    Halko, Martinsson and Tropp, SIAM Review 53 (2011), algorithms 4.4 and 5.1.

    Raises:
        ShapeError: q is not between 0 and the smaller length.
    """
    q, niter = 6 if q is None else q, 2 if niter is None else niter
    *_, m, n = A.shape
    if M is not None:
        A = A - M
    if not 0 <= q <= min(m, n):
        raise ShapeError(f"svd_lowrank: q(={q}) must be non-negative integer and not greater than min(m, n)={min(m, n)}")
    wide = m < n
    if wide:
        A = _adjoint(A)
    basis = af.linalg.qr(A @ _directions(A, q)).Q
    for _ in range(niter):
        basis = af.linalg.qr(_adjoint(A) @ basis).Q
        basis = af.linalg.qr(A @ basis).Q
    u, s, vh = af.linalg.svd(_adjoint(basis) @ A, full_matrices=False)
    u, v = basis @ u, _adjoint(vh)
    return SVD(v, s, u) if wide else SVD(u, s, v)


def pca_lowrank(A: Tensor, q: int | None = None, center: bool = True, niter: int = 2) -> SVD:
    """`svd_lowrank` of a matrix whose columns have been centered, or are taken to be.

    Raises:
        ShapeError: q is not between 0 and the smaller length, or niter is negative.
    """
    q = min(6, *A.shape[-2:]) if q is None else q
    if niter < 0:
        raise ShapeError(f"pca_lowrank: niter(={niter}) must be non-negative integer")
    return svd_lowrank(A - af.FUNCTIONS["mean"](A, -2, True) if center else A, q, niter)
