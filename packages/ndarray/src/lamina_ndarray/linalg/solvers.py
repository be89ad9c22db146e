"""Linear systems with one solution: that, and inverses, from a matrix or from its factors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from lamina_flatarray import DTypeError, ShapeError, UsageError
from lamina_flatarray import dtypes as dt

from ..array_fields import view_of
from ..dispatch.namespace import Array, generic, namespace
from ..dispatch.operands import same_device
from ..dispatch.results import InverseResult, SolveResult
from .stacks import (
    adjoint,
    alike,
    check_factorable,
    check_square,
    check_success,
    common_lead,
    factored,
    with_lead,
)

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = [
    "cholesky_inverse",
    "cholesky_solve",
    "inv",
    "inv_ex",
    "ldl_solve",
    "lu_solve",
    "solve",
    "solve_ex",
    "solve_triangular",
    "tensorinv",
    "tensorsolve",
]

_SINGULAR = "The solver failed because the input matrix is singular."


def _check_system(op: str, a: Array, b: Array, left: bool) -> None:
    check_square(op, a)
    if b.ndim < 2:
        raise ShapeError(f"{op}: The input tensor B must have at least 2 dimensions; got shape {tuple(b.shape)}")
    axis = -2 if left else -1
    if a.shape[-1] != b.shape[axis]:
        raise ShapeError(
            f"{op}: Incompatible shapes of A and B for the equation {'AX = B' if left else 'XA = B'} "
            f"({tuple(a.shape)} and {tuple(b.shape)})"
        )
    if a.dtype is not b.dtype:
        raise DTypeError(f"{op}: Expected A and B to have the same dtype, but got {a.dtype.name} and {b.dtype.name}")


# -- from the matrix ----------------------------------------------------------------------------------------------------


def solve_ex(a: NDArray, b: NDArray, /, *, left: bool = True, check_errors: bool = False) -> SolveResult[NDArray]:
    """Solve linear systems, and report singular matrices in `info`.

    Args:
        a: (..., n, n), floating-point or complex.
        b: (..., n, k), or (n,), of the same dtype; leading axes broadcast.
        left: whether to solve `a @ x = b`, instead of `x @ a = b`, for which b is (..., k, n) or (n,).
        check_errors: whether to raise where a matrix is singular, which waits for the device.

    Returns:
        `result`, of b's shape, NaN where a is singular; and int32 `info` (...): 0, or which pivot is 0.

    Raises:
        ShapeError: a is not square, or the shapes do not fit.
        DTypeError: the dtypes differ, or are of integers or of 16 bits.
        LinAlgError: with `check_errors`, a matrix is singular.

    >>> nd.linalg.solve_ex(nd.asarray([[2.0, 0.0], [0.0, 4.0]]), nd.asarray([2.0, 4.0])).result
    NDArray([1., 1.])
    """
    xp, vector = namespace(a), b.ndim == 1
    right = (xp.unsqueeze(b, 1) if left else xp.unsqueeze(b, 0)) if vector else b
    _check_system("linalg.solve", a, right, left)
    a, right = alike("linalg.solve", xp, a, right)
    if not left:
        a, right = xp.transpose(a, -2, -1), xp.transpose(right, -2, -1)
    x, info = factored("solve_ex", [a, right], [(right.shape, "compute"), (right.shape[:-2], "int32")])
    if not left:
        x = view_of(x, x.layout.transpose(-2, -1))
    if vector:
        x = xp.squeeze(x, -1 if left else -2)
    if check_errors:
        check_success("torch.linalg.solve", info, _SINGULAR)
    return SolveResult(x, info)


@generic
def solve(a: Array, b: Array, /, *, left: bool = True) -> Array:
    """Solve linear systems: find the x of `a @ x = b`.

    Args:
        a: (..., n, n), floating-point or complex.
        b: (..., n, k), or (n,); leading axes broadcast.
        left: whether to solve `a @ x = b`, instead of `x @ a = b`, for which b is (..., k, n) or (n,).

    Returns:
        x, of b's shape, in the dtype of both together.

    Raises:
        ShapeError: a is not square, or the shapes do not fit.
        DTypeError: they are integers, or of 16 bits.
        LinAlgError: a matrix is singular.

    >>> nd.linalg.solve(nd.asarray([[2.0, 0.0], [0.0, 4.0]]), nd.asarray([2.0, 4.0]))
    NDArray([1., 1.])
    """
    xp = namespace(a, b)
    if a.dtype is not b.dtype:
        dtype = xp.result_type(a.dtype, b.dtype)
        a, b = xp.astype(a, dtype), xp.astype(b, dtype)
    return xp.linalg.solve_ex(a, b, left=left, check_errors=True)[0]


def inv_ex(x: NDArray, /, *, check_errors: bool = False) -> InverseResult[NDArray]:
    """Compute the inverses of square matrices, and report singular ones in `info`.

    Args:
        x: (..., n, n), floating-point or complex.
        check_errors: whether to raise where a matrix is singular, which waits for the device.

    Returns:
        `inverse` (..., n, n), NaN where there is none; and int32 `info` (...): 0, or which pivot is 0.

    Raises:
        ShapeError: the matrices are not square.
        DTypeError: they are integers, or of 16 bits.
        LinAlgError: with `check_errors`, one is singular.

    >>> nd.linalg.inv_ex(nd.asarray([[2.0, 0.0], [0.0, 4.0]])).inverse
    NDArray([[0.5000, 0.0000],
             [0.0000, 0.2500]])
    """
    check_square("linalg.inv", x)
    result: InverseResult[NDArray] = InverseResult._make(factored("inv_ex", [x], [(x.shape, "compute"), (x.shape[:-2], "int32")]))
    if check_errors:
        check_success("linalg.inv", result.info, _NO_INVERSE)
    return result


_NO_INVERSE = (
    "The diagonal element {info} is zero, the inversion could not be completed because the input matrix is singular."
)


@generic
def inv(x: Array, /) -> Array:
    """Compute the inverses of square matrices.

    Args:
        x: (..., n, n), floating-point or complex.

    Returns:
        (..., n, n) of x's dtype.

    Raises:
        ShapeError: the matrices are not square.
        DTypeError: they are integers, or of 16 bits.
        LinAlgError: one is singular.

    >>> nd.linalg.inv(nd.asarray([[2.0, 0.0], [0.0, 4.0]]))
    NDArray([[0.5000, 0.0000],
             [0.0000, 0.2500]])
    """
    return namespace(x).linalg.inv_ex(x, check_errors=True)[0]


def solve_triangular(a: NDArray, b: NDArray, /, *, upper: bool, left: bool = True, unitriangular: bool = False) -> NDArray:
    """Solve linear systems of triangular matrices, of which only one triangle is read.

    Args:
        a: (..., n, n), floating-point or complex.
        b: (..., n, k) of the same dtype; leading axes broadcast.
        upper: whether the upper triangle is read, instead of the lower.
        left: whether to solve `a @ x = b`, instead of `x @ a = b`, for which b is (..., k, n).
        unitriangular: whether the diagonal counts as ones, and is not read.

    Returns:
        x, of b's shape; a zero on the diagonal gives infinities and NaN.

    Raises:
        ShapeError: a is not square, or the shapes do not fit.
        DTypeError: the dtypes differ, or are of integers or of 16 bits.

    >>> nd.linalg.solve_triangular(nd.asarray([[1.0, 2.0], [0.0, 1.0]]), nd.asarray([[5.0], [2.0]]), upper=True)
    NDArray([[1.],
             [2.]])
    """
    op, xp = "linalg.solve_triangular", namespace(a, b)
    _check_system(op, a, b, left)
    a, b = alike(op, xp, a, b)
    if not left:
        a, b, upper = xp.transpose(a, -2, -1), xp.transpose(b, -2, -1), not upper
    x = factored(
        "solve_triangular", [a, b], [(b.shape, "compute")], by_rows=not left, upper=bool(upper), unitriangular=bool(unitriangular)
    )[0]
    return x if left else view_of(x, x.layout.transpose(-2, -1))


# -- from factors -------------------------------------------------------------------------------------------------------


@generic
def lu_solve(factors: Array, pivots: Array, b: Array, /, *, left: bool = True, adjoint: bool = False) -> Array:
    """Solve linear systems from the LU factors of their matrices.

    Args:
        factors: (..., n, n), the `LU` of `lu_factor(a)`.
        pivots: int32 (..., n), its `pivots`.
        b: (..., n, k) of the same dtype; leading axes broadcast.
        left: whether to solve `a @ x = b`, instead of `x @ a = b`, for which b is (..., k, n).
        adjoint: whether a stands for its conjugate transpose.

    Returns:
        x, of b's shape.

    Raises:
        ShapeError: the shapes do not fit.
        DTypeError: the dtypes differ, or the pivots are not int32.

    >>> factors, pivots = nd.linalg.lu_factor(nd.asarray([[0.0, 2.0], [1.0, 0.0]]))
    >>> nd.linalg.lu_solve(factors, pivots, nd.asarray([[4.0], [3.0]]))
    NDArray([[3.],
             [2.]])
    """
    op, xp = "linalg.lu_solve", namespace(factors, b)
    _check_system(op, factors, b, left)
    check_factorable(op, factors)
    same_device(op, factors, pivots, b)
    if tuple(pivots.shape) != tuple(factors.shape[:-1]):
        raise ShapeError(
            f"{op}: Number of pivots per batch should be same as the dimension of the matrix: {tuple(pivots.shape)} "
            f"for {tuple(factors.shape)}"
        )
    if not left:  # (x @ a)^H = a^H @ x^H
        return _adjoint(xp, xp.linalg.lu_solve(factors, pivots, _adjoint(xp, b), adjoint=not adjoint))
    triangular = xp.linalg.solve_triangular
    lead = common_lead(op, factors, b)
    b = with_lead(xp, b, lead)
    order = with_lead(xp, xp.linalg.pivots_to_permutation(pivots, pivots.shape[-1]), lead, 1)
    if adjoint:
        mirrored = _adjoint(xp, factors)
        b = triangular(mirrored, b, upper=False)
        b = triangular(mirrored, b, upper=True, unitriangular=True)
        order = xp.argsort(order, -1)
    turned = xp.transpose(b, -2, -1)  # so that what is picked lies column by column
    rows = xp.broadcast_to(xp.unsqueeze(order, -2), turned.shape)
    b = xp.transpose(xp.gather(turned, rows, b.ndim - 1), -2, -1)
    if adjoint:
        return b
    b = triangular(factors, b, upper=False, unitriangular=True)
    return triangular(factors, b, upper=True)


_adjoint = adjoint  # by a name that lu_solve's parameter does not hide


def ldl_solve(factors: NDArray, pivots: NDArray, b: NDArray, /, *, hermitian: bool = False) -> NDArray:
    """Solve linear systems from the LDL factors of their matrices.

    Args:
        factors: (..., n, n), the `LD` of `ldl_factor(a, hermitian=hermitian)`.
        pivots: int32 (..., n), its `pivots`.
        b: (..., n, k) of the same dtype; leading axes broadcast.
        hermitian: as for `ldl_factor`.

    Returns:
        x of `a @ x = b`, of b's shape.

    Raises:
        ShapeError: the shapes do not fit.
        DTypeError: the dtypes differ, or the pivots are not int32.

    >>> factors, pivots = nd.linalg.ldl_factor(nd.asarray([[4.0, 0.0], [0.0, 2.0]]))
    >>> nd.linalg.ldl_solve(factors, pivots, nd.asarray([[4.0], [6.0]]))
    NDArray([[1.],
             [3.]])
    """
    op, xp = "torch.linalg.ldl_solve", namespace(factors, b)
    _check_system(op, factors, b, True)
    if pivots.dtype is not dt.int32:
        raise DTypeError(f"{op}: Expected pivots to be int32, but they are {pivots.dtype.name}")
    if tuple(pivots.shape) != tuple(factors.shape[:-1]):
        raise ShapeError(f"{op}: pivots {pivots.shape} do not fit factors {factors.shape}")
    factors, b = alike(op, xp, factors, b)
    pivots = with_lead(xp, pivots, b.shape[:-2], 1)
    return factored("ldl_solve", [factors, pivots, b], [(b.shape, "compute")], hermitian=bool(hermitian))[0]


def cholesky_solve(b: NDArray, factor: NDArray, upper: bool = False) -> NDArray:
    """Solve linear systems from the Cholesky factors of their matrices.

    Args:
        b: (..., n, k), the right sides.
        factor: (..., n, n) of the same dtype; leading axes broadcast.
        upper: whether the factor is the upper one, U of `a = U^H @ U`.

    Returns:
        x of `a @ x = b`, of b's shape.

    Raises:
        ShapeError: the shapes do not fit.
        DTypeError: the dtypes differ, or are of integers or of 16 bits.

    >>> factor = nd.linalg.cholesky(nd.asarray([[4.0, 0.0], [0.0, 1.0]]))
    >>> nd.linalg.cholesky_solve(nd.asarray([[4.0], [3.0]]), factor)
    NDArray([[1.],
             [3.]])
    """
    xp = namespace(factor, b)
    _check_system("cholesky_solve", factor, b, True)
    check_factorable("cholesky_solve", factor)
    lower, higher = (adjoint(xp, factor), factor) if upper else (factor, adjoint(xp, factor))
    y = xp.linalg.solve_triangular(lower, b, upper=False)
    return xp.linalg.solve_triangular(higher, y, upper=True)


def cholesky_inverse(factor: NDArray, upper: bool = False) -> NDArray:
    """Compute the inverses of matrices from their Cholesky factors.

    Args:
        factor: (..., n, n), floating-point or complex.
        upper: whether the factor is the upper one, U of `a = U^H @ U`.

    Returns:
        (..., n, n) of the factor's dtype.

    Raises:
        ShapeError: the factor is not square.
        DTypeError: it is of integers, or of 16 bits.

    >>> nd.linalg.cholesky_inverse(nd.asarray([[2.0, 0.0], [0.0, 1.0]]))
    NDArray([[0.2500, 0.0000],
             [0.0000, 1.0000]])
    """
    xp = namespace(factor)
    check_square("cholesky_inverse", factor)
    check_factorable("cholesky_inverse", factor)
    identity = xp.eye(factor.shape[-1], dtype=factor.dtype, device=factor.device)
    return xp.linalg.cholesky_solve(identity, factor, upper)


# -- of tensors ---------------------------------------------------------------------------------------------------------


@generic
def tensorinv(x: Array, /, ind: int = 2) -> Array:
    """Compute the inverse of the linear map from arrays of shape `x.shape[ind:]` to ones of shape `x.shape[:ind]`.

    Args:
        x: a floating-point or complex array; both shapes have the same number of items.
        ind: how many axes are those of the map's results, 1 or more.

    Returns:
        An array of shape `(*x.shape[ind:], *x.shape[:ind])`.

    Raises:
        UsageError: ind is not positive.
        ShapeError: the two shapes have different numbers of items.
        DTypeError: x is of integers, or of 16 bits.
        LinAlgError: the map is singular.

    >>> nd.linalg.tensorinv(nd.reshape(nd.eye(4), (2, 2, 4))).shape
    (4, 2, 2)
    """
    xp = namespace(x)
    if ind <= 0:
        raise UsageError(f"linalg.tensorinv: Expected a strictly positive integer for 'ind'; got {ind}")
    check_factorable("linalg.tensorinv", x)
    row_dims, column_dims = tuple(x.shape[:ind]), tuple(x.shape[ind:])
    if math.prod(row_dims) != math.prod(column_dims):
        raise ShapeError(
            f"linalg.tensorinv: Expected self to satisfy the requirement prod(self.shape[ind:]) == prod(self.shape[:ind]), "
            f"but got {math.prod(column_dims)} != {math.prod(row_dims)} for shape {tuple(x.shape)}"
        )
    return xp.reshape(xp.linalg.inv(xp.reshape(x, (math.prod(row_dims), math.prod(column_dims)))), (*column_dims, *row_dims))


@generic
def tensorsolve(a: Array, b: Array, /, axes: Sequence[int] | None = None) -> Array:
    """Solve `tensordot(a, x, x.ndim) = b` for x.

    Args:
        a: a floating-point or complex array, of b's shape followed by x's.
        b: an array of as many items as x has.
        axes: axes of a that are moved to its end first, or None.

    Returns:
        x, of shape `a.shape[b.ndim:]`.

    Raises:
        ShapeError: the numbers of items do not fit.
        DTypeError: a is of integers, or of 16 bits.
        LinAlgError: a is singular.

    >>> nd.linalg.tensorsolve(nd.reshape(nd.eye(4), (2, 2, 4)), nd.asarray([[1.0, 2.0], [3.0, 4.0]]))
    NDArray([1., 2., 3., 4.])
    """
    xp = namespace(a, b)
    check_factorable("linalg.tensorsolve", a)
    if axes is not None:
        moved = [axis % a.ndim for axis in axes]
        a = xp.permute(a, [i for i in range(a.ndim) if i not in moved] + moved)
    shape = tuple(a.shape[b.ndim :])
    if math.prod(shape) != math.prod(b.shape):
        raise ShapeError(
            f"linalg.tensorsolve: Expected self to satisfy the requirement prod(self.shape[other.ndim:]) == "
            f"prod(self.shape[:other.ndim]), but got {math.prod(shape)} != {math.prod(b.shape)} for shapes {tuple(a.shape)} and "
            f"{tuple(b.shape)}"
        )
    n = math.prod(shape)
    return xp.reshape(xp.linalg.solve(xp.reshape(a, (n, n)), xp.reshape(b, (n,))), shape)
