"""Matrices as products of two or three: Cholesky, LDL and QR, over stacks of matrices.

Names with `_ex` report failure in `info` and never look at it; the others look, and raise.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lamina_flatarray import ShapeError, UsageError

from ..dispatch.namespace import Array, generic, namespace
from ..dispatch.results import CholeskyResult, GeqrfResult, LDLFactorExResult, LDLFactorResult, QRResult
from .stacks import check_matrices, check_square, check_success, factored

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = ["cholesky", "cholesky_ex", "geqrf", "householder_product", "ldl_factor", "ldl_factor_ex", "qr"]


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
