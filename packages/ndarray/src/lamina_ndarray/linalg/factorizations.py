"""Matrices as products: Cholesky, LU, LDL, QR, singular values and eigenvalues, over stacks of matrices.

Names with `_ex` report failure in `info` and never look at it; the others look, and raise.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from lamina_flatarray import DTypeError, IndexOutOfRange, ShapeError, UsageError
from lamina_flatarray import dtypes as dt

from ..batching import on_all_slices
from ..creation.constructors import asarray
from ..creation.conversion import numpy, to_device
from ..dispatch.namespace import composite, namespace
from ..dispatch.results import (
    CholeskyResult,
    EighResult,
    EigResult,
    GeqrfResult,
    LDLFactorExResult,
    LDLFactorResult,
    LUFactorExResult,
    LUFactorResult,
    LUResult,
    QRResult,
    SVDResult,
)
from ..shapes.views import reshape
from .stacks import check_matrices, check_square, check_success, factored

__all__ = [
    "cholesky",
    "cholesky_ex",
    "eig",
    "eigh",
    "eigvals",
    "eigvalsh",
    "geqrf",
    "householder_product",
    "ldl_factor",
    "ldl_factor_ex",
    "lu",
    "lu_factor",
    "lu_factor_ex",
    "lu_unpack",
    "pivots_to_permutation",
    "qr",
    "svd",
    "svdvals",
]


# -- Cholesky -----------------------------------------------------------------------------------------------------------


def cholesky_ex(x: Any, /, *, upper: bool = False, check_errors: bool = False) -> CholeskyResult:
    """The Cholesky factor of (..., n, n) Hermitian positive-definite matrices, of which one triangle is read: L of
    `x = L @ L^H`, or U of `x = U^H @ U`. A factor that does not exist is NaN.

    Returns:
        The factor, and int32 `info` (...): 0, or the order of the first leading minor that is not positive.

    Raises:
        ShapeError: the matrices are not square.
        LinAlgError: with `check_errors`, a matrix is not positive-definite.
    """
    check_square("linalg.cholesky", x)
    found = CholeskyResult(
        *factored("cholesky_ex", [x], [(x.shape, "compute"), (x.shape[:-2], "int32")], upper=bool(upper))
    )
    if check_errors:
        check_success("linalg.cholesky", found.info, _NOT_POSITIVE)
    return found


@composite
def cholesky(x: Any, /, *, upper: bool = False) -> Any:
    """The Cholesky factor of (..., n, n) Hermitian positive-definite matrices: L of `x = L @ L^H`, or U of
    `x = U^H @ U`.

    Raises:
        ShapeError: the matrices are not square.
        LinAlgError: one is not positive-definite.
    """
    return namespace(x).linalg.cholesky_ex(x, upper=upper, check_errors=True)[0]


_NOT_POSITIVE = (
    "The factorization could not be completed because the input is not positive-definite "
    "(the leading minor of order {info} is not positive-definite)."
)


# -- LU -----------------------------------------------------------------------------------------------------------------


def lu_factor_ex(x: Any, /, *, pivot: bool = True, check_errors: bool = False) -> LUFactorExResult:
    """LU with partial pivoting of (..., m, n) matrices, packed: U on and above the diagonal, L without its ones below.

    Returns:
        The factors, int32 pivots (..., min(m, n)), the row (from 1) that each row was exchanged with, and int32
        `info` (...): 0, or which pivot is 0.

    Raises:
        ShapeError: there are fewer than two axes.
        LinAlgError: with `check_errors`, a pivot is 0.
    """
    check_matrices("linalg.lu_factor", x)
    lead, k = x.shape[:-2], min(x.shape[-2:])
    outs = [(x.shape, "compute"), ((*lead, k), "int32"), (lead, "int32")]
    found = LUFactorExResult(*factored("lu_factor_ex", [x], outs, pivot=bool(pivot)))
    if check_errors:
        check_success("torch.linalg.lu_factor", found.info, _ZERO_PIVOT)
    return found


_ZERO_PIVOT = (
    "U[{info},{info}] is zero and using it on lu_solve would result in a division by zero. If you still want to perform "
    "the factorization, consider calling linalg.lu(A, pivot) or linalg.lu_factor_ex(A, pivot)"
)


@composite
def lu_factor(x: Any, /, *, pivot: bool = True) -> LUFactorResult:
    """As `lu_factor_ex`, without `info`.

    Raises:
        LinAlgError: a pivot is 0.
    """
    return LUFactorResult(*namespace(x).linalg.lu_factor_ex(x, pivot=pivot, check_errors=True)[:2])


@composite
def lu(x: Any, /, *, pivot: bool = True) -> LUResult:
    """`x = P @ L @ U` of (..., m, n) matrices: with k = min(m, n), P is (..., m, m), L (..., m, k) with ones on its
    diagonal, U (..., k, n). Without pivoting, P is empty.
    """
    xp = namespace(x)
    factors, pivots, _ = xp.linalg.lu_factor_ex(x, pivot=pivot)
    found = xp.linalg.lu_unpack(factors, pivots, unpack_pivots=bool(pivot))
    return LUResult(*found)


@composite
def lu_unpack(factors: Any, pivots: Any, unpack_data: bool = True, unpack_pivots: bool = True) -> LUResult:
    """P, L and U out of what `lu_factor` packed; what is not asked for is empty.

    Raises:
        DTypeError: the pivots are not int32.
        ShapeError: there are fewer than two axes.
    """
    xp = namespace(factors)
    check_matrices("lu_unpack", factors)
    m, n = factors.shape[-2:]
    k = min(m, n)
    nothing = xp.zeros((0,), dtype=factors.dtype, device=factors.device)
    lower = upper = permutation = nothing
    if unpack_data:
        ones = xp.eye(m, k, dtype=factors.dtype, device=factors.device)
        lower = xp.tril(factors if k == n else factors[..., :k], -1) + ones
        upper = xp.triu(factors if k == m else factors[..., :k, :])
    if unpack_pivots:
        rows = xp.unsqueeze(xp.linalg.pivots_to_permutation(pivots, m), -2)
        places = xp.reshape(xp.arange(m, device=factors.device), (-1, 1))
        permutation = xp.astype(rows == places, factors.dtype)
    return LUResult(permutation, lower, upper)


def pivots_to_permutation(pivots: Any, m: int) -> Any:
    """The int64 order (..., m) in which LU's exchanges (..., k) leave m rows: row i of `L @ U` is row `order[i]` of
    the matrix. Read on the host.

    Raises:
        DTypeError: the pivots are not int32.
        IndexOutOfRange: one is not in 1 .. m.
    """
    if pivots.dtype is not dt.int32:
        raise DTypeError(f"lu_unpack: torch.int32 dtype expected for pivots, but they are {pivots.dtype.name}")
    return on_all_slices(lambda every: _permutations(every, m), pivots)


def _permutations(pivots: Any, m: int) -> Any:
    *lead, k = pivots.shape
    exchanges = numpy(to_device(pivots, "cpu")).reshape(math.prod(lead), k)
    if exchanges.size and not (exchanges.min() > 0 and exchanges.max() <= m):
        raise IndexOutOfRange(f"lu_unpack: pivots must be between 1 and {m}, but they reach {exchanges.max()}")
    if len(exchanges) == 1:  # items of a list change places many times as fast as those of an array
        row = list(range(m))
        for step, other in enumerate(exchanges[0].tolist()):
            row[step], row[other - 1] = row[other - 1], row[step]
        return reshape(asarray(row, dtype=dt.int64, device=pivots.device), (*lead, m))
    order = np.tile(np.arange(m), (len(exchanges), 1))
    every = np.arange(len(exchanges))
    for step in range(k):
        other = exchanges[:, step] - 1
        order[every, step], order[every, other] = order[every, other], order[every, step]
    return asarray(order.reshape(*lead, m), device=pivots.device)


# -- LDL ----------------------------------------------------------------------------------------------------------------


def ldl_factor_ex(x: Any, /, *, hermitian: bool = False, check_errors: bool = False) -> LDLFactorExResult:
    """LDL of (..., n, n) symmetric (or Hermitian) matrices, of which the lower triangle is read, by Bunch and
    Kaufman's pivoting; L and D are packed as LAPACK's sytrf does.

    Returns:
        The factors, int32 pivots (..., n), and int32 `info` (...): 0, or which block of D is 0.

    Raises:
        ShapeError: the matrices are not square.
        LinAlgError: with `check_errors`, a block of D is 0.
    """
    check_square("torch.linalg.ldl_factor_ex", x)
    outs = [(x.shape, "compute"), (x.shape[:-1], "int32"), (x.shape[:-2], "int32")]
    found = LDLFactorExResult(*factored("ldl_factor_ex", [x], outs, hermitian=bool(hermitian)))
    if check_errors:
        check_success("torch.linalg.ldl_factor", found.info, _ZERO_BLOCK)
    return found


_ZERO_BLOCK = "The diagonal block {info} of D is zero; the factorization cannot be used to solve a system."


@composite
def ldl_factor(x: Any, /, *, hermitian: bool = False) -> LDLFactorResult:
    """As `ldl_factor_ex`, without `info`.

    Raises:
        LinAlgError: a block of D is 0.
    """
    return LDLFactorResult(*namespace(x).linalg.ldl_factor_ex(x, hermitian=hermitian, check_errors=True)[:2])


# -- QR -----------------------------------------------------------------------------------------------------------------


def qr(x: Any, /, mode: str = "reduced") -> QRResult:
    """`x = Q @ R` of (..., m, n) matrices with orthonormal columns in Q.

    Args:
        x: the matrices.
        mode: "reduced": Q is (..., m, k) and R (..., k, n) for k = min(m, n); "complete": Q is (..., m, m) and R
            (..., m, n); "r": Q is empty.

    Raises:
        ShapeError: there are fewer than two axes, or the mode is unknown.
    """
    check_matrices("linalg.qr", x)
    if mode not in ("reduced", "complete", "r"):
        raise UsageError(f"linalg.qr: received unrecognized mode {mode!r}; it wants 'reduced', 'complete' or 'r'")
    *lead, m, n = x.shape
    height = m if mode == "complete" else min(m, n)
    q = (0,) if mode == "r" else (*lead, m, height)
    return QRResult(*factored("qr", [x], [(q, "compute"), ((*lead, height, n), "compute")], mode=mode))


def geqrf(x: Any, /) -> GeqrfResult:
    """QR of (..., m, n) matrices as LAPACK packs it: R on and above the diagonal, the Householder vectors below;
    and the scales (..., min(m, n)) of the reflections.

    Raises:
        ShapeError: there are fewer than two axes.
    """
    check_matrices("torch.geqrf", x)
    return GeqrfResult(
        *factored("geqrf", [x], [(x.shape, "compute"), ((*x.shape[:-2], min(x.shape[-2:])), "compute")])
    )


def householder_product(x: Any, tau: Any, /) -> Any:
    """The first n columns of the product of k Householder reflections `1 - tau[i] * v_i @ v_i^H`, where v_i is column
    i of x (..., m, n) below the diagonal, 1 on it and 0 above; tau is (..., k), k <= n <= m.

    Raises:
        ShapeError: the shapes do not fit.
    """
    op = "torch.linalg.householder_product"
    if x.ndim < 2:
        raise ShapeError(f"{op}: input must have at least 2 dimensions; got shape {x.shape}")
    m, n = x.shape[-2:]
    if n > m:
        raise ShapeError(f"{op}: input.shape[-2] must be greater than or equal to input.shape[-1]; got {x.shape}")
    if tau.ndim < 1 or tau.shape[:-1] != x.shape[:-2] or tau.shape[-1] > n:
        raise ShapeError(f"{op}: tau {tau.shape} does not fit input {x.shape}; it wants {(*x.shape[:-2], n)} or fewer")
    return factored("householder_product", [x, tau], [(x.shape, "compute")])[0]


# -- singular values and eigenvalues ------------------------------------------------------------------------------------


def svd(x: Any, /, full_matrices: bool = True) -> SVDResult:
    """`x = U @ diag(S) @ Vh` of (..., m, n) matrices: with k = min(m, n), S is (..., k), real and descending; U is
    (..., m, m) and Vh (..., n, n), or without `full_matrices` (..., m, k) and (..., k, n).

    Raises:
        ShapeError: there are fewer than two axes.
        LinAlgError: it did not converge: a matrix is not finite.
    """
    check_matrices("linalg.svd", x)
    (*lead, m, n), k = x.shape, min(x.shape[-2:])
    rows, columns = (m, n) if full_matrices else (k, k)
    outs: Any = [((*lead, m, rows), "compute"), ((*lead, k), "real"), ((*lead, columns, n), "compute")]
    return SVDResult(*factored("svd", [x], outs, full_matrices=bool(full_matrices)))


def svdvals(x: Any, /) -> Any:
    """The singular values (..., min(m, n)) of (..., m, n) matrices, real and descending.

    Raises:
        ShapeError: there are fewer than two axes.
        LinAlgError: it did not converge: a matrix is not finite.
    """
    check_matrices("linalg.svdvals", x)
    return factored("svdvals", [x], [((*x.shape[:-2], min(x.shape[-2:])), "real")])[0]


def _is_upper(op: str, triangle: str) -> bool:
    if str(triangle).upper() not in ("L", "U"):
        raise UsageError(f"{op}: Expected UPLO argument to be 'L' or 'U', but got {triangle!r}")
    return triangle.upper() == "U"


def eigh(x: Any, /, UPLO: str = "L") -> EighResult:
    """Eigenvalues (..., n), real and ascending, and orthonormal eigenvectors (..., n, n) as columns, of Hermitian
    matrices of which the lower ("L") or upper ("U") triangle is read.

    Raises:
        ShapeError: the matrices are not square, or UPLO is neither.
        LinAlgError: it did not converge.
    """
    upper = _is_upper("linalg.eigh", UPLO)
    check_square("linalg.eigh", x)
    return EighResult(*factored("eigh", [x], [(x.shape[:-1], "real"), (x.shape, "compute")], upper=upper))


def eigvalsh(x: Any, /, UPLO: str = "L") -> Any:
    """As `eigh`, the eigenvalues alone.

    Raises:
        ShapeError: the matrices are not square, or UPLO is neither.
        LinAlgError: it did not converge.
    """
    upper = _is_upper("linalg.eigvalsh", UPLO)
    check_square("linalg.eigvalsh", x)
    return factored("eigvalsh", [x], [(x.shape[:-1], "real")], upper=upper)[0]


def eig(x: Any, /) -> EigResult:
    """Complex eigenvalues (..., n) and eigenvectors (..., n, n) as columns, in no order.

    Raises:
        ShapeError: the matrices are not square.
        LinAlgError: it did not converge, or a matrix is not finite.
    """
    check_square("linalg.eig", x)
    return EigResult(*factored("eig", [x], [(x.shape[:-1], "complex"), (x.shape, "complex")]))


def eigvals(x: Any, /) -> Any:
    """As `eig`, the eigenvalues alone.

    Raises:
        ShapeError: the matrices are not square.
        LinAlgError: it did not converge, or a matrix is not finite.
    """
    check_square("linalg.eigvals", x)
    return factored("eigvals", [x], [(x.shape[:-1], "complex")])[0]
