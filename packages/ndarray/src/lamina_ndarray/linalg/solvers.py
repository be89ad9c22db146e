"""Linear systems with one solution: that, and inverses, from a matrix or from its factors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from lamina_flatarray import DTypeError, ShapeError, UsageError
from lamina_flatarray import dtypes as dt

from ..array_fields import view_of
from ..dispatch.namespace import composite, namespace
from ..dispatch.results import InverseResult, SolveResult
from .stacks import (
    adjoint,
    alike,
    check_inexact,
    check_square,
    check_success,
    common_lead,
    factored,
    with_lead,
)

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


def _check_system(op: str, a: Any, b: Any, left: bool) -> None:
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


def solve_ex(a: Any, b: Any, /, *, left: bool = True, check_errors: bool = False) -> SolveResult:
    """x of `a @ x = b` (`x @ a = b` if not `left`) for (..., n, n) matrices a and (..., n, k) or (n,) right sides b;
    leading axes broadcast. Where a is singular, x is NaN.

    Returns:
        x, and int32 `info` (...): 0, or which pivot is 0.

    Raises:
        ShapeError: a is not square, or the shapes do not fit.
        DTypeError: the dtypes differ.
        LinAlgError: with `check_errors`, a matrix is singular.
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


@composite
def solve(a: Any, b: Any, /, *, left: bool = True) -> Any:
    """x of `a @ x = b` (`x @ a = b` if not `left`) for (..., n, n) matrices a and (..., n, k) or (n,) right sides b;
    leading axes broadcast.

    Raises:
        ShapeError: a is not square, or the shapes do not fit.
        DTypeError: they are neither floating-point nor complex.
        LinAlgError: a matrix is singular.
    """
    xp = namespace(a, b)
    if a.dtype is not b.dtype:
        dtype = xp.result_type(a.dtype, b.dtype)
        a, b = xp.astype(a, dtype), xp.astype(b, dtype)
    return xp.linalg.solve_ex(a, b, left=left, check_errors=True)[0]


def inv_ex(x: Any, /, *, check_errors: bool = False) -> InverseResult:
    """The inverses of (..., n, n) matrices, NaN where there is none, and int32 `info` (...): 0, or which pivot is 0.

    Raises:
        ShapeError: the matrices are not square.
        LinAlgError: with `check_errors`, one is singular.
    """
    check_square("linalg.inv", x)
    found = InverseResult(*factored("inv_ex", [x], [(x.shape, "compute"), (x.shape[:-2], "int32")]))
    if check_errors:
        check_success("linalg.inv", found.info, _NO_INVERSE)
    return found


_NO_INVERSE = (
    "The diagonal element {info} is zero, the inversion could not be completed because the input matrix is singular."
)


@composite
def inv(x: Any, /) -> Any:
    """The inverses of (..., n, n) matrices.

    Raises:
        ShapeError: the matrices are not square.
        LinAlgError: one is singular.
    """
    return namespace(x).linalg.inv_ex(x, check_errors=True)[0]


def solve_triangular(a: Any, b: Any, /, *, upper: bool, left: bool = True, unitriangular: bool = False) -> Any:
    """x of `a @ x = b` (`x @ a = b` if not `left`), reading only one triangle of a (..., n, n), with ones on its
    diagonal if `unitriangular`; b is (..., n, k), or (..., k, n). A zero on the diagonal gives infinities.

    Raises:
        ShapeError: a is not square, or the shapes do not fit.
        DTypeError: the dtypes differ.
    """
    op, xp = "linalg.solve_triangular", namespace(a, b)
    _check_system(op, a, b, left)
    a, b = alike(op, xp, a, b)
    if not left:
        a, b, upper = xp.transpose(a, -2, -1), xp.transpose(b, -2, -1), not upper
    x = factored(
        "solve_triangular", [a, b], [(b.shape, "compute")], upper=bool(upper), unitriangular=bool(unitriangular)
    )[0]
    return x if left else view_of(x, x.layout.transpose(-2, -1))


# -- from factors -------------------------------------------------------------------------------------------------------


@composite
def lu_solve(factors: Any, pivots: Any, b: Any, /, *, left: bool = True, adjoint: bool = False) -> Any:
    """x of `a @ x = b`, from what `lu_factor(a)` gave; of `x @ a = b` if not `left`; of `a^H` with `adjoint`.

    Raises:
        ShapeError: the shapes do not fit.
        DTypeError: the dtypes differ, or the pivots are not int32.
    """
    op, xp = "linalg.lu_solve", namespace(factors, b)
    _check_system(op, factors, b, left)
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
        turned = _adjoint(xp, factors)
        b = triangular(turned, b, upper=False)
        b = triangular(turned, b, upper=True, unitriangular=True)
        order = xp.argsort(order, -1)
    rows = xp.broadcast_to(xp.unsqueeze(order, -1), b.shape)
    b = xp.gather(b, rows, b.ndim - 2)
    if adjoint:
        return b
    b = triangular(factors, b, upper=False, unitriangular=True)
    return triangular(factors, b, upper=True)


_adjoint = adjoint  # by a name that lu_solve's parameter does not hide


def ldl_solve(factors: Any, pivots: Any, b: Any, /, *, hermitian: bool = False) -> Any:
    """x of `a @ x = b`, from what `ldl_factor(a, hermitian=hermitian)` gave; leading axes broadcast.

    Raises:
        ShapeError: the shapes do not fit.
        DTypeError: the dtypes differ, or the pivots are not int32.
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


@composite
def cholesky_solve(b: Any, factor: Any, upper: bool = False) -> Any:
    """x of `a @ x = b`, from a's Cholesky factor; leading axes broadcast.

    Raises:
        ShapeError: the shapes do not fit.
        DTypeError: the dtypes differ.
    """
    xp = namespace(factor, b)
    _check_system("cholesky_solve", factor, b, True)
    lower, higher = (adjoint(xp, factor), factor) if upper else (factor, adjoint(xp, factor))
    y = xp.linalg.solve_triangular(lower, b, upper=False)
    return xp.linalg.solve_triangular(higher, y, upper=True)


@composite
def cholesky_inverse(factor: Any, upper: bool = False) -> Any:
    """The inverse of a matrix, from its Cholesky factor (..., n, n).

    Raises:
        ShapeError: the factor is not square.
    """
    xp = namespace(factor)
    check_square("cholesky_inverse", factor)
    check_inexact("cholesky_inverse", factor)
    one = xp.eye(factor.shape[-1], dtype=factor.dtype, device=factor.device)
    return xp.linalg.cholesky_solve(one, factor, upper)


# -- of tensors ---------------------------------------------------------------------------------------------------------


@composite
def tensorinv(x: Any, /, ind: int = 2) -> Any:
    """The inverse of the linear map from tensors of shape `x.shape[ind:]` to ones of shape `x.shape[:ind]`.

    Raises:
        ShapeError: ind is not positive, or the two shapes have different numbers of items.
        LinAlgError: it is singular.
    """
    xp = namespace(x)
    if ind <= 0:
        raise UsageError(f"Expected a strictly positive integer for 'ind'; got {ind}")
    to, of = tuple(x.shape[:ind]), tuple(x.shape[ind:])
    if math.prod(to) != math.prod(of):
        raise ShapeError(
            f"Expected self to satisfy the requirement prod(self.shape[ind:]) == prod(self.shape[:ind]), but got "
            f"{math.prod(of)} != {math.prod(to)} for shape {tuple(x.shape)}"
        )
    return xp.reshape(xp.linalg.inv(xp.reshape(x, (math.prod(to), math.prod(of)))), (*of, *to))


@composite
def tensorsolve(a: Any, b: Any, /, axes: Sequence[int] | None = None) -> Any:
    """x for which the product of a and x over all axes of x is b; `axes` of a are moved to its end first.

    Raises:
        ShapeError: the numbers of items do not fit.
        LinAlgError: a is singular.
    """
    xp = namespace(a, b)
    if axes is not None:
        moved = [axis % a.ndim for axis in axes]
        a = xp.permute(a, [i for i in range(a.ndim) if i not in moved] + moved)
    shape = tuple(a.shape[b.ndim :])
    if math.prod(shape) != math.prod(b.shape):
        raise ShapeError(
            f"Expected self to satisfy the requirement prod(self.shape[other.ndim:]) == prod(self.shape[:other.ndim]), "
            f"but got {math.prod(shape)} != {math.prod(b.shape)} for shapes {tuple(a.shape)} and {tuple(b.shape)}"
        )
    n = math.prod(shape)
    return xp.reshape(xp.linalg.solve(xp.reshape(a, (n, n)), xp.reshape(b, (n,))), shape)
