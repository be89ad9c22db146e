"""Matrices as products: Cholesky, LU, LDL, QR, singular values and eigenvalues, over stacks of matrices.

Names with `_ex` report failure in `info` and never look at it; the others look, and raise.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from lamina_flatarray import DTypeError, ShapeError, UsageError
from lamina_flatarray import dtypes as dt
from lamina_flatarray.errors import PositionOutOfRange

from ..array_fields import empty_of
from ..batching import on_all_slices
from ..creation.array_likes import asarray
from ..creation.conversion import numpy, to_device
from ..dispatch.namespace import Array, generic, namespace
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
from ..layouts.layout import Layout
from .stacks import check_matrices, check_square, check_success, factored

if TYPE_CHECKING:
    from ..array import NDArray

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


def cholesky_ex(x: NDArray, /, *, upper: bool = False, check_errors: bool = False) -> CholeskyResult[NDArray]:
    """Compute the Cholesky factors of Hermitian positive-definite matrices, and report failure in `info`.

    Args:
        x: (..., n, n), floating-point or complex; one triangle is read.
        upper: whether to read the upper triangle and give U of `x = U^H @ U`, instead of L of `x = L @ L^H`.
        check_errors: whether to raise where a factor does not exist, which waits for the device.

    Returns:
        `L`, the factors (..., n, n), NaN where there is none; and int32 `info` (...): 0, or the order of the first
        leading minor that is not positive.

    Raises:
        ShapeError: the matrices are not square.
        DTypeError: they are integers, or of 16 bits.
        LinAlgError: with `check_errors`, a matrix is not positive-definite.

    >>> nd.linalg.cholesky_ex(nd.asarray([[4.0, 2.0], [2.0, 5.0]])).L
    NDArray([[2., 0.],
             [1., 2.]])
    """
    check_square("linalg.cholesky", x)
    result: CholeskyResult[NDArray] = CholeskyResult._make(
        factored("cholesky_ex", [x], [(x.shape, "compute"), (x.shape[:-2], "int32")], upper=bool(upper))
    )
    if check_errors:
        check_success("linalg.cholesky", result.info, _NOT_POSITIVE)
    return result


@generic
def cholesky(x: Array, /, *, upper: bool = False) -> Array:
    """Compute the Cholesky factors of Hermitian positive-definite matrices.

    Args:
        x: (..., n, n), floating-point or complex; one triangle is read.
        upper: whether to read the upper triangle and give U of `x = U^H @ U`, instead of L of `x = L @ L^H`.

    Returns:
        The factors (..., n, n).

    Raises:
        ShapeError: the matrices are not square.
        DTypeError: they are integers, or of 16 bits.
        LinAlgError: one is not positive-definite.

    >>> nd.linalg.cholesky(nd.asarray([[4.0, 2.0], [2.0, 5.0]]))
    NDArray([[2., 0.],
             [1., 2.]])
    """
    return namespace(x).linalg.cholesky_ex(x, upper=upper, check_errors=True)[0]


_NOT_POSITIVE = (
    "The factorization could not be completed because the input is not positive-definite "
    "(the leading minor of order {info} is not positive-definite)."
)


# -- LU -----------------------------------------------------------------------------------------------------------------


def lu_factor_ex(x: NDArray, /, *, pivot: bool = True, check_errors: bool = False) -> LUFactorExResult[NDArray]:
    """Compute the LU factorization of matrices with partial pivoting, packed, and report zero pivots in `info`.

    Args:
        x: (..., m, n), floating-point or complex.
        pivot: whether rows are exchanged.
        check_errors: whether to raise where a pivot is 0, which waits for the device.

    Returns:
        `LU` (..., m, n), U on and above the diagonal and L without its ones below; int32 `pivots` (..., min(m, n)), the
        row
        (from 1) that each row was exchanged with; and int32 `info` (...): 0, or which pivot is 0.

    Raises:
        ShapeError: there are fewer than two axes.
        DTypeError: x is of integers, or of 16 bits.
        LinAlgError: with `check_errors`, a pivot is 0.

    >>> nd.linalg.lu_factor_ex(nd.asarray([[0.0, 1.0], [2.0, 3.0]])).pivots
    NDArray([2, 2], dtype=lamina.int32)
    """
    check_matrices("linalg.lu_factor", x)
    lead, k = x.shape[:-2], min(x.shape[-2:])
    outs = [(x.shape, "compute"), ((*lead, k), "int32"), (lead, "int32")]
    result: LUFactorExResult[NDArray] = LUFactorExResult._make(factored("lu_factor_ex", [x], outs, pivot=bool(pivot)))
    if check_errors:
        check_success("torch.linalg.lu_factor", result.info, _ZERO_PIVOT)
    return result


_ZERO_PIVOT = (
    "U[{info},{info}] is zero and using it on lu_solve would result in a division by zero. If you still want to perform "
    "the factorization, consider calling linalg.lu(A, pivot) or linalg.lu_factor_ex(A, pivot)"
)


@generic
def lu_factor(x: Array, /, *, pivot: bool = True) -> LUFactorResult[Array]:
    """Compute the LU factorization of matrices with partial pivoting, packed.

    Args:
        x: (..., m, n), floating-point or complex.
        pivot: whether rows are exchanged.

    Returns:
        `LU` (..., m, n), U on and above the diagonal and L without its ones below; and int32 `pivots` (..., min(m, n)),
        the
        row (from 1) that each row was exchanged with.

    Raises:
        ShapeError: there are fewer than two axes.
        DTypeError: x is of integers, or of 16 bits.
        LinAlgError: a pivot is 0.

    >>> nd.linalg.lu_factor(nd.asarray([[4.0, 3.0], [2.0, 3.0]])).LU
    NDArray([[4.0000, 3.0000],
             [0.5000, 1.5000]])
    """
    return LUFactorResult._make(namespace(x).linalg.lu_factor_ex(x, pivot=pivot, check_errors=True)[:2])


@generic
def lu(x: Array, /, *, pivot: bool = True) -> LUResult[Array]:
    """Compute the LU factorization `x = P @ L @ U` of matrices.

    Args:
        x: (..., m, n), floating-point or complex.
        pivot: whether rows are exchanged; else P is empty.

    Returns:
        `P` (..., m, m), a permutation; `L` (..., m, k) with ones on its diagonal; `U` (..., k, n), for k = min(m, n).

    Raises:
        ShapeError: there are fewer than two axes.
        DTypeError: x is of integers, or of 16 bits.

    >>> p, l, u = nd.linalg.lu(nd.asarray([[2.0, 3.0], [4.0, 3.0]]))
    >>> u
    NDArray([[4.0000, 3.0000],
             [0.0000, 1.5000]])
    """
    xp = namespace(x)
    factors, pivots, _ = xp.linalg.lu_factor_ex(x, pivot=pivot)
    parts = xp.linalg.lu_unpack(factors, pivots, unpack_pivots=bool(pivot))
    return LUResult._make(parts)


@generic
def lu_unpack(factors: Array, pivots: Array, unpack_data: bool = True, unpack_pivots: bool = True) -> LUResult[Array]:
    """Unpack what `lu_factor` gave into P, L and U.

    Args:
        factors: (..., m, n), its `LU`.
        pivots: (..., min(m, n)), its int32 `pivots`.
        unpack_data: whether L and U are wanted; else they are empty.
        unpack_pivots: whether P is wanted; else it is empty.

    Returns:
        `P` (..., m, m), `L` (..., m, k) and `U` (..., k, n), for k = min(m, n).

    Raises:
        ShapeError: there are fewer than two axes.
        DTypeError: the pivots are not int32.
        IndexOutOfRange: a pivot is not in 1 .. m.

    >>> factors, pivots = nd.linalg.lu_factor(nd.asarray([[4.0, 3.0], [2.0, 3.0]]))
    >>> nd.linalg.lu_unpack(factors, pivots).L
    NDArray([[1.0000, 0.0000],
             [0.5000, 1.0000]])
    """
    xp = namespace(factors)
    check_matrices("lu_unpack", factors)
    m, n = factors.shape[-2:]
    k = min(m, n)
    if not (unpack_data and unpack_pivots):
        lower = upper = permutation = xp.zeros((0,), dtype=factors.dtype, device=factors.device)
    if unpack_data:
        identity = xp.eye(m, k, dtype=factors.dtype, device=factors.device)
        lower = xp.tril(factors if k == n else xp.narrow(factors, -1, 0, k), -1) + identity
        upper = xp.triu(factors if k == m else xp.narrow(factors, -2, 0, k))
    if unpack_pivots:
        rows = xp.unsqueeze(xp.linalg.pivots_to_permutation(pivots, m), -2)
        places = xp.reshape(xp.arange(m, device=factors.device), (-1, 1))
        permutation = xp.astype(rows == places, factors.dtype)
    return LUResult(permutation, lower, upper)


def pivots_to_permutation(pivots: NDArray, m: int) -> NDArray:
    """Turn the row exchanges of an LU factorization into the order in which they leave the rows; on the host.

    Args:
        pivots: int32 (..., k), the row (from 1) that each row is exchanged with, one after another.
        m: how many rows there are.

    Returns:
        int64 (..., m): row i of `L @ U` is row `order[i]` of the matrix.

    Raises:
        DTypeError: the pivots are not int32.
        ShapeError: they have no axes, are more than m, or there is no memory for m rows.
        IndexOutOfRange: one is not in 1 .. m.

    >>> nd.linalg.pivots_to_permutation(nd.asarray([2, 2], dtype=nd.int32), 3)
    NDArray([1, 0, 2])
    """
    if pivots.dtype is not dt.int32:
        raise DTypeError(f"lu_unpack: torch.int32 dtype expected for pivots, but they are {pivots.dtype.name}")
    if not pivots.layout.ndim:
        raise ShapeError("lu_unpack: pivots must have at least 1 dim, but they have none")
    return on_all_slices(lambda every: _permutations(every, m), pivots)


def _permutations(pivots: Any, m: int) -> Any:
    *lead, k = pivots.shape
    if not pivots.flat.backend.holds_items:
        return empty_of(pivots.flat.kernels.sibling(dt.int64), Layout.dense((*lead, m)))
    exchanges: Any = to_device(pivots, "cpu").tolist() if not lead else numpy(to_device(pivots, "cpu")).reshape(math.prod(lead), k)
    if pivots.layout.size:
        least, greatest = (exchanges.min(), exchanges.max()) if lead else (min(exchanges), max(exchanges))
        if least <= 0 or greatest > m:
            raise PositionOutOfRange(f"lu_unpack: pivots must be between 1 and {m}, but one is {least if least <= 0 else greatest}")
    if k > m:
        raise ShapeError(f"lu_unpack: pivots given: {k}, rows: {m}")
    if m >= 1 << 60:
        raise ShapeError(f"lu_unpack: {m} rows are more than memory has room for")
    if not lead:  # items of a list change places many times as fast as those of an array
        row = list(range(m))
        for step, other in enumerate(exchanges):
            row[step], row[other - 1] = row[other - 1], row[step]
        return asarray(row, dtype=dt.int64, device=pivots.device)
    order = np.tile(np.arange(m), (len(exchanges), 1))
    matrices = np.arange(len(exchanges))
    for step in range(k):
        other = exchanges[:, step] - 1
        order[matrices, step], order[matrices, other] = order[matrices, other], order[matrices, step]
    return asarray(order.reshape(*lead, m), device=pivots.device)


# -- LDL ----------------------------------------------------------------------------------------------------------------


def ldl_factor_ex(x: NDArray, /, *, hermitian: bool = False, check_errors: bool = False) -> LDLFactorExResult[NDArray]:
    """Compute the LDL factorization of symmetric or Hermitian matrices by Bunch and Kaufman's pivoting; failure goes to
    `info`.

    Args:
        x: (..., n, n), floating-point or complex; the lower triangle is read.
        hermitian: whether complex matrices are Hermitian, instead of symmetric.
        check_errors: whether to raise where a block of D is 0, which waits for the device.

    Returns:
        `LD` (..., n, n), L and D packed as LAPACK's sytrf does; int32 `pivots` (..., n); and int32 `info` (...): 0, or
        which
        block of D is 0.

    Raises:
        ShapeError: the matrices are not square.
        DTypeError: they are integers, or of 16 bits.
        LinAlgError: with `check_errors`, a block of D is 0.

    >>> nd.linalg.ldl_factor_ex(nd.asarray([[4.0, 2.0], [2.0, 5.0]])).info
    NDArray(0, dtype=lamina.int32)
    """
    check_square("torch.linalg.ldl_factor_ex", x)
    outs = [(x.shape, "compute"), (x.shape[:-1], "int32"), (x.shape[:-2], "int32")]
    result: LDLFactorExResult[NDArray] = LDLFactorExResult._make(factored("ldl_factor_ex", [x], outs, hermitian=bool(hermitian)))
    if check_errors:
        check_success("torch.linalg.ldl_factor", result.info, _ZERO_BLOCK)
    return result


_ZERO_BLOCK = "The diagonal block {info} of D is zero; the factorization cannot be used to solve a system."


@generic
def ldl_factor(x: Array, /, *, hermitian: bool = False) -> LDLFactorResult[Array]:
    """Compute the LDL factorization of symmetric or Hermitian matrices by Bunch and Kaufman's pivoting.

    Args:
        x: (..., n, n), floating-point or complex; the lower triangle is read.
        hermitian: whether complex matrices are Hermitian, instead of symmetric.

    Returns:
        `LD` (..., n, n), L and D packed as LAPACK's sytrf does; and int32 `pivots` (..., n).

    Raises:
        ShapeError: the matrices are not square.
        DTypeError: they are integers, or of 16 bits.
        LinAlgError: a block of D is 0.

    >>> factors, pivots = nd.linalg.ldl_factor(nd.asarray([[4.0, 2.0], [2.0, 5.0]]))
    >>> nd.linalg.ldl_solve(factors, pivots, nd.asarray([[6.0], [7.0]]))
    NDArray([[1.],
             [1.]])
    """
    return LDLFactorResult._make(namespace(x).linalg.ldl_factor_ex(x, hermitian=hermitian, check_errors=True)[:2])


# -- QR -----------------------------------------------------------------------------------------------------------------


def qr(x: NDArray, /, mode: str = "reduced") -> QRResult[NDArray]:
    """Compute the QR factorization `x = Q @ R` of matrices, with orthonormal columns in Q and an upper triangle R.

    Args:
        x: (..., m, n), floating-point or complex.
        mode: "reduced": Q is (..., m, k) and R (..., k, n), for k = min(m, n); "complete": Q is (..., m, m) and R (...,
            m, n);
            "r": as "reduced", with an empty Q.

    Returns:
        `Q` and `R`.

    Raises:
        ShapeError: there are fewer than two axes.
        UsageError: the mode is unknown.
        DTypeError: x is of integers, or of 16 bits.

    >>> q, r = nd.linalg.qr(nd.asarray([[3.0, 0.0], [4.0, 5.0], [0.0, 0.0]]))
    >>> q.shape, r.shape
    ((3, 2), (2, 2))
    """
    check_matrices("linalg.qr", x)
    if mode not in ("reduced", "complete", "r"):
        raise UsageError(f"linalg.qr: received unrecognized mode {mode!r}; it wants 'reduced', 'complete' or 'r'")
    *lead, m, n = x.shape
    height = m if mode == "complete" else min(m, n)
    q = (0,) if mode == "r" else (*lead, m, height)
    return QRResult._make(factored("qr", [x], [(q, "compute"), ((*lead, height, n), "compute")], mode=mode))


def geqrf(x: NDArray, /) -> GeqrfResult[NDArray]:
    """Compute the QR factorization of matrices as LAPACK's geqrf packs it.

    Args:
        x: (..., m, n), floating-point or complex.

    Returns:
        `a` (..., m, n), R on and above the diagonal and the Householder vectors below; and `tau` (..., min(m, n)), the
        scales
        of the reflections.

    Raises:
        ShapeError: there are fewer than two axes.
        DTypeError: x is of integers, or of 16 bits.

    >>> a, tau = nd.linalg.geqrf(nd.asarray([[3.0, 0.0], [4.0, 5.0]]))
    >>> nd.linalg.householder_product(a, tau).shape
    (2, 2)
    """
    check_matrices("torch.geqrf", x)
    tau = *x.shape[:-2], min(x.shape[-2:])
    return GeqrfResult._make(factored("geqrf", [x], [(x.shape, "compute"), (tau, "compute")]))


def householder_product(x: NDArray, tau: NDArray, /) -> NDArray:
    """Compute the first n columns of a product of Householder reflections.

    Args:
        x: (..., m, n), n <= m; the vector of reflection i is its column i below the diagonal, 1 on it and 0 above.
        tau: (..., k), k <= n; reflection i is `1 - tau[i] * v_i @ v_i^H`.

    Returns:
        (..., m, n) of x's dtype.

    Raises:
        ShapeError: the shapes do not fit.
        DTypeError: x is of integers or of 16 bits, or the dtypes differ.

    >>> nd.linalg.householder_product(nd.asarray([[0.0], [1.0]]), nd.asarray([1.0]))
    NDArray([[ 0.],
             [-1.]])
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


def svd(x: NDArray, /, full_matrices: bool = True) -> SVDResult[NDArray]:
    """Compute the singular value decomposition `x = U @ diag(S) @ Vh` of matrices.

    Args:
        x: (..., m, n), floating-point or complex.
        full_matrices: whether U and Vh are square; else they have k = min(m, n) columns and rows.

    Returns:
        `U` (..., m, m) or (..., m, k); `S` (..., k), real and descending; `Vh` (..., n, n) or (..., k, n).

    Raises:
        ShapeError: there are fewer than two axes.
        DTypeError: x is of integers, or of 16 bits.
        LinAlgError: it did not converge: a matrix is not finite.

    >>> u, s, vh = nd.linalg.svd(nd.asarray([[3.0, 0.0], [0.0, 4.0]]))
    >>> s
    NDArray([4., 3.])
    """
    check_matrices("linalg.svd", x)
    (*lead, m, n), k = x.shape, min(x.shape[-2:])
    rows, columns = (m, n) if full_matrices else (k, k)
    outs: Any = [((*lead, m, rows), "compute"), ((*lead, k), "real"), ((*lead, columns, n), "compute")]
    return SVDResult._make(factored("svd", [x], outs, full_matrices=bool(full_matrices)))


def svdvals(x: NDArray, /) -> NDArray:
    """Compute the singular values of matrices.

    Args:
        x: (..., m, n), floating-point or complex.

    Returns:
        (..., min(m, n)), real and descending.

    Raises:
        ShapeError: there are fewer than two axes.
        DTypeError: x is of integers, or of 16 bits.
        LinAlgError: it did not converge: a matrix is not finite.

    >>> nd.linalg.svdvals(nd.asarray([[3.0, 0.0], [0.0, 4.0]]))
    NDArray([4., 3.])
    """
    check_matrices("linalg.svdvals", x)
    return factored("svdvals", [x], [((*x.shape[:-2], min(x.shape[-2:])), "real")])[0]


def _is_upper(op: str, triangle: str) -> bool:
    if str(triangle).upper() not in ("L", "U"):
        raise UsageError(f"{op}: Expected UPLO argument to be 'L' or 'U', but got {triangle!r}")
    return triangle.upper() == "U"


def eigh(x: NDArray, /, UPLO: str = "L") -> EighResult[NDArray]:
    """Compute the eigenvalues and eigenvectors of Hermitian matrices.

    Args:
        x: (..., n, n), floating-point or complex.
        UPLO: which triangle is read: "L", the lower, or "U", the upper.

    Returns:
        `eigenvalues` (..., n), real and ascending, and `eigenvectors` (..., n, n), orthonormal columns.

    Raises:
        ShapeError: the matrices are not square.
        UsageError: UPLO is neither.
        DTypeError: x is of integers, or of 16 bits.
        LinAlgError: it did not converge.

    >>> nd.linalg.eigh(nd.asarray([[2.0, 0.0], [0.0, 1.0]])).eigenvalues
    NDArray([1., 2.])
    """
    upper = _is_upper("linalg.eigh", UPLO)
    check_square("linalg.eigh", x)
    return EighResult._make(factored("eigh", [x], [(x.shape[:-1], "real"), (x.shape, "compute")], upper=upper))


def eigvalsh(x: NDArray, /, UPLO: str = "L") -> NDArray:
    """Compute the eigenvalues of Hermitian matrices.

    Args:
        x: (..., n, n), floating-point or complex.
        UPLO: which triangle is read: "L", the lower, or "U", the upper.

    Returns:
        (..., n), real and ascending.

    Raises:
        ShapeError: the matrices are not square.
        UsageError: UPLO is neither.
        DTypeError: x is of integers, or of 16 bits.
        LinAlgError: it did not converge.

    >>> nd.linalg.eigvalsh(nd.asarray([[2.0, 0.0], [0.0, 1.0]]))
    NDArray([1., 2.])
    """
    upper = _is_upper("linalg.eigvalsh", UPLO)
    check_square("linalg.eigvalsh", x)
    return factored("eigvalsh", [x], [(x.shape[:-1], "real")], upper=upper)[0]


def eig(x: NDArray, /) -> EigResult[NDArray]:
    """Compute the eigenvalues and eigenvectors of square matrices.

    Args:
        x: (..., n, n), floating-point or complex.

    Returns:
        Complex `eigenvalues` (..., n) in no order, and `eigenvectors` (..., n, n), as columns.

    Raises:
        ShapeError: the matrices are not square.
        DTypeError: x is of integers, or of 16 bits.
        LinAlgError: it did not converge, or a matrix is not finite.

    >>> values, vectors = nd.linalg.eig(nd.asarray([[0.0, -1.0], [1.0, 0.0]]))
    >>> nd.abs(values)
    NDArray([1., 1.])
    """
    check_square("linalg.eig", x)
    return EigResult._make(factored("eig", [x], [(x.shape[:-1], "complex"), (x.shape, "complex")]))


def eigvals(x: NDArray, /) -> NDArray:
    """Compute the eigenvalues of square matrices.

    Args:
        x: (..., n, n), floating-point or complex.

    Returns:
        Complex eigenvalues (..., n), in no order.

    Raises:
        ShapeError: the matrices are not square.
        DTypeError: x is of integers, or of 16 bits.
        LinAlgError: it did not converge, or a matrix is not finite.

    >>> nd.linalg.eigvals(nd.asarray([[2.0, 0.0], [0.0, 3.0]]))
    NDArray([2.+0.j, 3.+0.j])
    """
    check_square("linalg.eigvals", x)
    return factored("eigvals", [x], [(x.shape[:-1], "complex")])[0]
