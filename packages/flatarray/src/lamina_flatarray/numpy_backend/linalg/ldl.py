"""LDL of symmetric and Hermitian matrices that need not be positive-definite: pivots of one or two rows.

Bunch and Kaufman, Some stable methods for calculating inertia and solving symmetric linear systems, Math. Comp. 31
(1977), algorithm A; packed as LAPACK's sytrf and hetrf do with the lower triangle: pivots count from 1, and both rows of
a 2 x 2 block hold minus the row that the second was exchanged with. Exchanges do not reach columns already done.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from ...contract import Kernel
from ..quiet import quiet
from ..view import view

__all__ = ["KERNELS"]

Array = np.ndarray[Any, Any]

_GROWTH: Final = (1 + math.sqrt(17)) / 8  # balances the growth of one 2 x 2 step against that of two 1 x 1 steps


def ldl_factor_ex(out: Any, x: Any, hermitian: bool) -> None:
    """Matrix by matrix."""
    target, pivots, info, source = view(out[0]), view(out[1]), view(out[2]), view(x)
    for at in np.ndindex(*source.shape[:-2]):
        target[at], pivots[at], info[at] = _factor(source[at], hermitian and source.dtype.kind == "c")


def _factor(a: Array, hermitian: bool) -> tuple[Array, list[int], int]:
    below = np.tril(a, -1)
    other = below.conj() if hermitian else below
    diagonal = np.diagonal(a).real if hermitian else np.diagonal(a)
    s = below + other.T + np.diag(diagonal).astype(a.dtype)  # both triangles, kept in step
    n, k, info = len(s), 0, 0
    pivots: list[int] = []
    while k < n:
        row, width = _pivot(s[k:, k:])
        at, last = k + row, k + width - 1
        if at != last:
            s[[last, at], k:] = s[[at, last], k:]
            s[k:, [last, at]] = s[k:, [at, last]]
        end = k + width
        block, column = s[k:end, k:end], s[end:, k:end].copy()
        if width == 1 and block[0, 0] == 0:
            info = info or k + 1
        else:
            share = column / block if width == 1 else np.linalg.solve(block.T, column.T).T
            rest = s[end:, end:] - share @ (column.conj().T if hermitian else column.T)
            s[end:, end:] = (rest + (rest.conj().T if hermitian else rest.T)) / 2  # rounding would part the triangles
            s[end:, k:end] = share
        pivots += [at + 1] if width == 1 else [-(at + 1)] * 2
        k = end
    return np.tril(s), pivots, info


def _magnitude(a: Array) -> Array:
    """How LAPACK compares complex pivots: by |re| + |im|."""
    return np.abs(a.real) + np.abs(a.imag) if a.dtype.kind == "c" else np.abs(a)


def _pivot(s: Array) -> tuple[int, int]:
    """Which row comes to the front of what is left, and how many rows the step takes."""
    first = _magnitude(s[0, 0])
    column = _magnitude(s[1:, 0])
    largest = column.max(initial=0)
    if first >= _GROWTH * largest:
        return 0, 1
    row = 1 + int(np.argmax(column))
    others = _magnitude(np.delete(s[row], row)).max()
    if first * others >= _GROWTH * largest * largest:
        return 0, 1
    return (row, 1) if _magnitude(s[row, row]) >= _GROWTH * others else (row, 2)


def ldl_solve(out: Any, ld: Any, pivots: Any, b: Any, hermitian: bool) -> None:
    """Matrix by matrix."""
    target, factors, exchanges, right = view(out), view(ld), view(pivots), view(b)
    for at in np.ndindex(*factors.shape[:-2]):
        target[at] = _solve(factors[at], exchanges[at].tolist(), np.array(right[at]), hermitian)


def _solve(ld: Array, pivots: list[int], x: Array, hermitian: bool) -> Array:
    n, k = len(ld), 0
    hermitian = hermitian and ld.dtype.kind == "c"
    steps = []
    while k < n:
        width = 1 if pivots[k] > 0 else 2
        steps.append((k, k + width, abs(pivots[k]) - 1))
        k += width
    for k, end, at in steps:
        x[[end - 1, at]] = x[[at, end - 1]]
        x[end:] -= ld[end:, k:end] @ x[k:end]
        if end - k == 1:
            x[k] /= ld[k, k]
        else:
            block = np.tril(ld[k:end, k:end])
            below = np.tril(block, -1).T
            x[k:end] = np.linalg.solve(block + (below.conj() if hermitian else below), x[k:end])
    for k, end, at in reversed(steps):
        share = ld[end:, k:end].T
        x[k:end] -= (share.conj() if hermitian else share) @ x[end:]
        x[[end - 1, at]] = x[[at, end - 1]]
    return x


KERNELS: Final[dict[str, Kernel]] = {function.__name__: quiet(function) for function in (ldl_factor_ex, ldl_solve)}
