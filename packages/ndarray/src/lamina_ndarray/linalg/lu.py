"""LU factors with row exchanges, over stacks of matrices; `lu_factor_ex` reports failure in `info`, `lu_factor` raises."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from lamina_flatarray import DTypeError, ShapeError
from lamina_flatarray import dtypes as dt
from lamina_flatarray.errors import PositionOutOfRange

from ..array_fields import empty_of
from ..batching import on_all_slices
from ..creation.array_likes import asarray
from ..creation.conversion import numpy, to_device
from ..dispatch.namespace import Array, generic, namespace
from ..dispatch.results import LUFactorExResult, LUFactorResult, LUResult
from ..layouts.layout import Layout
from .stacks import check_matrices, check_success, factored

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = ["lu", "lu_factor", "lu_factor_ex", "lu_unpack", "pivots_to_permutation"]

_ZERO_PIVOT = (
    "U[{info},{info}] is zero and using it on lu_solve would result in a division by zero. If you still want to perform "
    "the factorization, consider calling linalg.lu(A, pivot) or linalg.lu_factor_ex(A, pivot)"
)


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
