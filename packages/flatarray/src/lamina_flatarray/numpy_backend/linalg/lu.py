"""LU with partial pivoting, determinants and triangular systems, by blocks of columns, over a whole stack at once.

Golub and Van Loan, Matrix Computations, 4th ed., sections 3.1 (triangular systems) and 3.4.1 (outer product LU with
partial pivoting, blocked as in 3.2.11).
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ...contract import Kernel
from ..quiet import quiet
from ..view import view

__all__ = ["KERNELS", "first_zero_pivot"]

Array = np.ndarray[Any, Any]

_BLOCK: Final = 32


def lu_factor_ex(out: Any, x: Any, pivot: bool) -> None:
    """L and U packed into one matrix, pivots counted from 1, and the first pivot that is 0."""
    target = view(out[0])
    shape = target.shape
    factors, pivots, info = factorized(_stack(view(x)), pivot)
    target[...] = factors.reshape(shape)
    view(out[1])[...] = pivots.reshape(*shape[:-2], min(shape[-2:]))
    view(out[2])[...] = info.reshape(shape[:-2])


def _stack(a: Array) -> Array:
    """A copy of all matrices along one axis."""
    count = int(np.prod(a.shape[:-2], dtype=np.int64))
    return np.array(a).reshape(count, *a.shape[-2:])


def det(out: Any, x: Any) -> None:
    """The product of U's diagonal; each exchange of rows turns the sign."""
    diagonal, sign = _diagonal_of_u(view(x))
    view(out)[...] = sign * diagonal.prod(-1)


def slogdet(out: Any, x: Any) -> None:
    """The product of the phases of U's diagonal, and the sum of the logarithms of its sizes."""
    diagonal, sign = _diagonal_of_u(view(x))
    size = np.abs(diagonal)
    phases = diagonal / np.where(size == 0, 1, size) if diagonal.dtype.kind == "c" else np.sign(diagonal)
    view(out[0])[...] = sign * phases.prod(-1)
    view(out[1])[...] = np.log(size).sum(-1)


def _diagonal_of_u(a: Array) -> tuple[Array, Array]:
    factors, pivots, _ = factorized(_stack(a))
    exchanges = (pivots != np.arange(1, a.shape[-1] + 1)).sum(-1)
    sign = (1 - 2 * (exchanges % 2)).astype(factors.real.dtype)
    return np.diagonal(factors, 0, -2, -1).reshape(*a.shape[:-1]), sign.reshape(a.shape[:-2])


def factorized(a: Array, pivot: bool = True) -> tuple[Array, Array, Array]:
    """Factors in place of a stack (count, m, n), with pivots (count, min(m, n)) and info (count,)."""
    count, m, n = a.shape
    steps = min(m, n)
    pivots = np.tile(np.arange(1, steps + 1, dtype=np.int32), (count, 1))
    info = np.zeros(count, np.int32)
    matrices = np.arange(count)
    for begin in range(0, steps, _BLOCK):
        end = min(begin + _BLOCK, steps)
        for j in range(begin, end):
            if pivot:
                best = j + np.argmax(_magnitude(a[:, j:, j]), axis=-1)
                pivots[:, j] = best + 1
                a[matrices, j], a[matrices, best] = a[matrices, best], a[matrices, j]
            heads = a[:, j, j]
            zero = heads == 0
            info = np.where(zero & (info == 0), j + 1, info)
            a[:, j + 1 :, j] /= np.where(zero, 1, heads)[:, None]  # where the pivot is 0, so is all below it
            a[:, j + 1 :, j + 1 : end] -= a[:, j + 1 :, j, None] * a[:, j, None, j + 1 : end]
        if end < n:
            a[:, begin:end, end:] = _forward(a[:, begin:end, begin:end], a[:, begin:end, end:], True)
            a[:, end:, end:] -= a[:, end:, begin:end] @ a[:, begin:end, end:]
    return a, pivots, info


def _magnitude(column: Array) -> Array:
    """How LAPACK compares pivots: complex ones by |re| + |im|."""
    return np.abs(column.real) + np.abs(column.imag) if column.dtype.kind == "c" else np.abs(column)


def first_zero_pivot(a: Array) -> int:
    """The order of the first zero on the diagonal of U, of a matrix that LAPACK found to be singular."""
    order = int(factorized(np.array(a)[None])[2][0])
    return order or a.shape[-1]  # rounding may leave ours just not 0: then it is the last one


def solve_triangular(out: Any, a: Any, b: Any, upper: bool, unitriangular: bool) -> None:
    """Forward substitution; backward is forward with rows and columns in reverse."""
    target, matrices, right = view(out), view(a), view(b)
    if upper:
        target, matrices, right = target[..., ::-1, :], matrices[..., ::-1, ::-1], right[..., ::-1, :]
    target[...] = _forward(matrices, right, unitriangular)


def _forward(lower: Array, right: Array, unit: bool) -> Array:
    """x of lower @ x = right: rows within a block one by one, then the block's share of the rows below at once."""
    x = np.array(right)
    n = lower.shape[-1]
    for begin in range(0, n, _BLOCK):
        end = min(begin + _BLOCK, n)
        for i in range(begin, end):
            if i > begin:
                x[..., i : i + 1, :] -= lower[..., i : i + 1, begin:i] @ x[..., begin:i, :]
            if not unit:
                x[..., i, :] /= lower[..., i, i, None]
        if end < n:
            x[..., end:, :] -= lower[..., end:, begin:end] @ x[..., begin:end, :]
    return x


KERNELS: Final[dict[str, Kernel]] = {
    function.__name__: quiet(function) for function in (lu_factor_ex, det, slogdet, solve_triangular)
}
