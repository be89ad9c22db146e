"""Factorizations that NumPy's LAPACK has: Cholesky, QR, singular values, eigenvalues, linear systems, inverses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from ...contract import Kernel
from ...errors import LinAlgError
from ..quiet import quiet
from ..view import view
from .lu import first_zero_pivot

__all__ = ["KERNELS"]

Array = np.ndarray[Any, Any]


def cholesky_ex(out: Any, x: Any, upper: bool) -> None:
    """NumPy reads the lower triangle; the upper one is the lower one of the adjoint."""
    target, info, source = view(out[0]), view(out[1]), view(x)
    lower = _adjoint(source) if upper else source
    try:
        factor = np.linalg.cholesky(lower)
        info[...] = 0
    except np.linalg.LinAlgError:
        factor = np.full(lower.shape, np.nan, lower.dtype)
        for at in np.ndindex(*lower.shape[:-2]):
            try:
                factor[at], info[at] = np.linalg.cholesky(lower[at]), 0
            except np.linalg.LinAlgError:
                info[at] = _first_bad_minor(lower[at])
    target[...] = _adjoint(factor) if upper else factor


def _adjoint(a: Array) -> Array:
    return np.swapaxes(a, -1, -2).conj()


def _first_bad_minor(a: Array) -> int:
    """The order of the first leading minor that is not positive, by Cholesky's method row by row."""
    n = len(a)
    factor = np.zeros_like(a)
    for i in range(n):
        for j in range(i):
            factor[i, j] = (a[i, j] - factor[i, :j] @ factor[j, :j].conj()) / factor[j, j]
        pivot = a[i, i].real - (np.abs(factor[i, :i]) ** 2).sum()
        if not pivot > 0:
            return i + 1
        factor[i, i] = np.sqrt(pivot)
    return n  # LAPACK's rounding found it, ours just did not


def qr(out: Any, x: Any, mode: Any) -> None:
    """q and r; mode `r` leaves q, which has no items then, alone."""
    source = view(x)
    if mode == "r":
        view(out[1])[...] = np.linalg.qr(source, "r")
    else:
        view(out[0])[...], view(out[1])[...] = np.linalg.qr(source, mode)


def svd(out: Any, x: Any, full_matrices: bool) -> None:
    """u, s and vh."""
    factors = _decomposed("svd", view(x), full_matrices=full_matrices)
    for target, result in zip(out, factors, strict=True):
        view(target)[...] = result


def svdvals(out: Any, x: Any) -> None:
    """Singular values alone."""
    view(out)[...] = _decomposed("svdvals", view(x), compute_uv=False)


def _decomposed(op: str, a: Array, **wanted: Any) -> Any:
    """NumPy's `svd` of finite matrices; of others LAPACK may never come back.

    Raises:
        LinAlgError: one is not finite, or it fails for one; the first such one is named.
    """
    finite = np.isfinite(a).all((-2, -1))
    if not finite.all():
        raise _failure(op, _NOT_FINITE_SVD, a, np.unravel_index(int(np.argmin(finite)), finite.shape))
    return _converging(op, _NOT_FINITE_SVD, lambda matrices: np.linalg.svd(matrices, **wanted), a)


def eigh(out: Any, x: Any, upper: bool) -> None:
    """Eigenvalues and eigenvectors from one triangle."""
    values_and_vectors = _converging("eigh", _NO_CONVERGENCE, lambda a: np.linalg.eigh(a, "U" if upper else "L"), view(x))
    view(out[0])[...], view(out[1])[...] = values_and_vectors


def eigvalsh(out: Any, x: Any, upper: bool) -> None:
    """Eigenvalues from one triangle."""
    view(out)[...] = _converging(
        "eigvalsh", _NO_CONVERGENCE, lambda a: np.linalg.eigvalsh(a, "U" if upper else "L"), view(x)
    )


def eig(out: Any, x: Any) -> None:
    """Complex eigenvalues and eigenvectors."""
    values_and_vectors = _converging("eig", _NOT_FINITE_EIG, np.linalg.eig, view(x))
    view(out[0])[...], view(out[1])[...] = values_and_vectors


def eigvals(out: Any, x: Any) -> None:
    """Complex eigenvalues."""
    view(out)[...] = _converging("eigvals", _NOT_FINITE_EIG, np.linalg.eigvals, view(x))


_NO_CONVERGENCE: Final = (
    "The algorithm failed to converge because the input matrix is ill-conditioned or has too many repeated eigenvalues"
)
_NOT_FINITE_SVD: Final = "The algorithm failed to converge because the input matrix contained non-finite values"
_NOT_FINITE_EIG: Final = "The algorithm failed to converge, or the input matrix contained infs or NaNs"


def _converging(op: str, problem: str, function: Callable[[Array], Any], a: Array) -> Any:
    """`function` of a stack.

    Raises:
        LinAlgError: it fails for a matrix; the first such one is named.
    """
    try:
        return function(a)
    except np.linalg.LinAlgError:
        for at in np.ndindex(*a.shape[:-2]):
            try:
                function(a[at])
            except np.linalg.LinAlgError:
                raise _failure(op, problem, a, at) from None
        raise


def _failure(op: str, problem: str, a: Array, at: tuple[Any, ...]) -> LinAlgError:
    """What to raise about the matrix at a place of the stack."""
    batch_element = f"(Batch element {int(np.ravel_multi_index(at, a.shape[:-2]))}): " if at else ""
    return LinAlgError(f"linalg.{op}: {batch_element}{problem}.")


def solve_ex(out: Any, a: Any, b: Any) -> None:
    """By LU with partial pivoting; NaN where a matrix is singular."""
    matrices, right = view(a), view(b)
    _where_regular(view(out[0]), view(out[1]), matrices, lambda at: np.linalg.solve(matrices[at], right[at]))


def inv_ex(out: Any, x: Any) -> None:
    """By LU with partial pivoting; NaN where a matrix is singular."""
    matrices = view(x)
    _where_regular(view(out[0]), view(out[1]), matrices, lambda at: np.linalg.inv(matrices[at]))


def _where_regular(target: Array, info: Array, matrices: Array, function: Callable[[Any], Array]) -> None:
    """`function(index)` for the whole stack at once; matrix by matrix if one of them is singular."""
    try:
        target[...] = function(...)
        info[...] = 0
    except np.linalg.LinAlgError:
        for at in np.ndindex(*matrices.shape[:-2]):
            try:
                target[at] = function(at)
                info[at] = 0
            except np.linalg.LinAlgError:
                target[at] = np.nan
                info[at] = first_zero_pivot(matrices[at])


KERNELS: Final[dict[str, Kernel]] = {
    function.__name__: quiet(function)
    for function in (cholesky_ex, qr, svd, svdvals, eigh, eigvalsh, eig, eigvals, solve_ex, inv_ex)
}
