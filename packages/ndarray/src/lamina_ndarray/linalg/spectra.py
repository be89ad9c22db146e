"""Singular values and eigenvalues, with their vectors or without, over stacks of matrices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lamina_flatarray import UsageError

from ..dispatch.results import EighResult, EigResult, SVDResult
from .stacks import check_matrices, check_square, factored

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = ["eig", "eigh", "eigvals", "eigvalsh", "svd", "svdvals"]


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
