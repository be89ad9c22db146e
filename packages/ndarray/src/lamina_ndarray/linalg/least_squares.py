"""Linear systems with no solution or many: pseudoinverses, and what comes nearest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from lamina_flatarray import DTypeError, ShapeError, UsageError
from lamina_flatarray import dtypes as dt

from ..batching import all_slices
from ..dispatch.namespace import Array, namespace
from ..dispatch.results import LeastSquaresResult
from .norms import tolerance
from .stacks import adjoint, alike, check_factorable, check_matrices, check_square

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = ["lstsq", "pinv"]


def pinv(
    x: Array,
    /,
    rcond: Array | float | None = None,
    hermitian: bool = False,
    *,
    atol: Array | float | None = None,
    rtol: Array | float | None = None,
) -> Array:
    """Compute the Moore-Penrose pseudoinverses of matrices, by singular values.

    Args:
        x: (..., m, n), floating-point or complex.
        rcond: PyTorch's older name of `rtol`.
        hermitian: whether the matrices are Hermitian, so that eigenvalues serve.
        atol: a number, or one per matrix: singular values up to it count as 0; None for 0.
        rtol: the same, times the greatest of each matrix; None for max(m, n) * eps, or for 0 where atol is given.

    Returns:
        (..., n, m) of x's dtype.

    Raises:
        ShapeError: there are fewer than two axes, or Hermitian matrices that are not square.
        DTypeError: x is of integers, or of 16 bits.

    >>> nd.linalg.pinv(nd.asarray([[2.0, 0.0], [0.0, 0.0]]))
    NDArray([[0.5000, 0.0000],
             [0.0000, 0.0000]])
    """
    xp = namespace(x)
    check_matrices("linalg.pinv", x)
    check_factorable("linalg.pinv", x)
    rtol = rcond if rtol is None else rtol
    if 0 in x.shape[-2:]:
        return xp.zeros((*x.shape[:-2], x.shape[-1], x.shape[-2]), dtype=x.dtype, device=x.device)
    if hermitian:
        check_square("linalg.pinv", x)
        values, u = xp.linalg.eigh(x)
        size = xp.abs(values)
        vh = adjoint(xp, u)
    else:
        u, values, vh = xp.linalg.svd(x, full_matrices=False)
        size = values
    significant = size > tolerance(x, size, atol, rtol)
    inverse = xp.where(significant, 1 / xp.where(significant, values, xp.ones_like(values)), xp.zeros_like(values))
    return adjoint(xp, vh) * xp.unsqueeze(inverse, -2) @ adjoint(xp, u)


_DRIVERS: Final = ("gels", "gelsy", "gelsd", "gelss")


def lstsq(a: NDArray, b: NDArray, /, rcond: float | None = None, *, driver: str | None = None) -> LeastSquaresResult[NDArray]:
    """Solve linear systems in the sense of least squares: the x of least norm among those for which `a @ x` is nearest
    to b.

    Args:
        a: (..., m, n), floating-point or complex.
        b: (..., m, k) of the same dtype; leading axes broadcast.
        rcond: singular values up to `rcond * the greatest` count as 0; None for eps * max(m, n).
        driver: as LAPACK's: "gels" takes a to have full rank, and goes by QR; "gelsy" (the default) does so too where
            all
            matrices clearly have it; else, as "gelsd" and "gelss", it goes by singular values. The first two give none,
            the
            first no rank.

    Returns:
        `solution` (..., n, k); `residuals` (..., k), squared, if m > n and all matrices have full rank (never from
        "gelsy",
        as in PyTorch), else empty; int64 `rank` (...) and `singular_values` (..., min(m, n)), or empty.

    Raises:
        ShapeError: the shapes do not fit.
        UsageError: there is no such driver.
        DTypeError: the dtypes differ, or are of integers or of 16 bits.

    >>> nd.linalg.lstsq(nd.asarray([[1.0], [1.0]]), nd.asarray([[1.0], [3.0]])).solution
    NDArray([[2.]])
    """
    op, xp = "torch.linalg.lstsq", namespace(a, b)
    driver = driver or "gelsy"
    if driver not in _DRIVERS:
        raise UsageError(f"{op}: parameter `driver` should be one of {_DRIVERS}, got {driver!r}")
    check_matrices(op, a)
    if b.ndim < 2:
        raise ShapeError(f"{op}: other must have at least 2 dimensions; got shape {tuple(b.shape)}")
    if a.shape[-2] != b.shape[-2]:
        raise ShapeError(f"{op}: input.size(-2) should match other.size(-2): {tuple(a.shape)} and {tuple(b.shape)}")
    if a.dtype is not b.dtype:
        raise DTypeError(f"{op}: Expected input and other to have the same dtype, but got {a.dtype.name} and {b.dtype.name}")
    check_factorable(op, a)
    a, b = alike(op, xp, a, b)
    lead = a.shape[:-2]
    (m, n), k = a.shape[-2:], min(a.shape[-2:])
    nothing = xp.zeros((0,), dtype=a.dtype.to_real(), device=a.device)
    values = nothing
    if k:
        cut = dt.finfo(a.dtype).eps * max(m, n) if rcond is None else rcond
        solution = _by_qr(xp, a, b, None if driver == "gels" else cut) if driver in ("gels", "gelsy") else None
        if solution is None:
            solution, rank, values = _by_singular_values(xp, a, b, cut)
        else:
            rank = xp.full(lead, k, dtype=xp.int64, device=a.device)
    else:
        solution = adjoint(xp, a) @ b  # nothing, or zeros
        rank, values = xp.zeros(lead, dtype=xp.int64, device=a.device), xp.reshape(nothing, (*lead, 0))
    residuals = nothing
    if m > n and driver != "gelsy" and (driver == "gels" or bool(xp.all(rank == n))):
        size = xp.abs(b - a @ solution)
        residuals = xp.sum(size * size, -2)
    no_rank = xp.zeros((0,), dtype=xp.int64, device=a.device)
    return LeastSquaresResult(
        solution, residuals, no_rank if driver == "gels" else rank, values if driver in ("gelsd", "gelss") else nothing
    )


def _by_qr(xp: Any, a: Any, b: Any, cut: float | None) -> Any:
    """The solutions where all matrices have full rank: `r^-1 q^H b` of tall ones a = q r; of wide ones those of least norm,
    `q r^-H b` with a^H = q r. None unless no singular value is as small as `cut` times the greatest of its matrix, for certain: the
    greatest is at most r's norm, and the least at least one over that of its inverse. With no cut it is taken for granted."""
    tall = a.shape[-2] >= a.shape[-1]
    q, r = xp.linalg.qr(a if tall else adjoint(xp, a))
    if cut is not None:
        identity = xp.broadcast_to(xp.eye(r.shape[-1], dtype=r.dtype, device=r.device), r.shape)
        inverse = xp.linalg.solve_triangular(r, identity, upper=True)
        apart = xp.two_norm(r, (-2, -1)) * xp.two_norm(inverse, (-2, -1))
        if not bool(xp.all(all_slices(apart * cut < 1))):
            return None
    if tall:
        return xp.linalg.solve_triangular(r, adjoint(xp, q) @ b, upper=True)
    return _by_columns(xp, q, xp.linalg.solve_triangular(adjoint(xp, r), b, upper=False))


def _by_columns(xp: Any, a: Any, b: Any) -> Any:
    """`a @ b`, column by column in memory."""
    return xp.transpose(xp.transpose(b, -2, -1) @ xp.transpose(a, -2, -1), -2, -1)


def _by_singular_values(xp: Any, a: Any, b: Any, cut: float) -> tuple[Any, Any, Any]:
    """The solutions, the ranks and the singular values, of which those up to `cut` times the greatest count as 0."""
    u, values, vh = xp.linalg.svd(a, full_matrices=False)
    significant = values > values[..., :1] * cut
    inverse = xp.where(significant, 1 / xp.where(significant, values, xp.ones_like(values)), xp.zeros_like(values))
    scaled = xp.unsqueeze(inverse, -1) * (adjoint(xp, u) @ b)
    return _by_columns(xp, adjoint(xp, vh), scaled), xp.sum(significant, -1), values
