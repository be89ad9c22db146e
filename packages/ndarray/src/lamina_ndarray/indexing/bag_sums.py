"""Sums of rows that indices pick, bag by bag."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lamina_flatarray import dtypes as dt

from ..array_fields import empty_of
from ..creation.ranges import arange
from ..dispatch.operands import common_kernels
from ..layouts.layout import Layout
from ..sorting.searching import searchsorted
from .advanced_indices import from_front

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = ["bag_sums", "bags_of"]


def bag_sums(x: NDArray, indices: NDArray, ends: NDArray, weights: NDArray | None = None) -> NDArray:
    """Add up rows of a table bag by bag.

    Args:
        x: the table, (rows, columns).
        indices: which rows, (n,) of int64: those of the first bag, then those of the second, and so on.
        ends: where in `indices` each bag ends, (bags,) of int64, which do not decrease; indices behind the last end are in no bag.
        weights: what each row is multiplied by, (n,) of x's dtype; None for 1.

    Returns:
        The sums, (bags, columns), in x's dtype; zeros of a bag without indices.

    Raises:
        IndexOutOfRange: an index is negative, or no row.
        DeviceError: the arrays are on different devices.

    >>> nd.bag_sums(nd.asarray([[1.0, 2.0], [3.0, 4.0]]), nd.asarray([0, 1, 1]), nd.asarray([2, 2, 3]))
    NDArray([[4., 6.],
             [0., 0.],
             [3., 4.]])
    """
    kernels = x.flat.kernels
    if indices.flat.kernels is not kernels.sibling(dt.int64):
        kernels = common_kernels("bag_sums", (x, indices, ends)).sibling(x.flat.dtype)
    if not kernels.backend.checks_positions:
        from_front("bag_sums", indices, x.layout.shape[0], 0)
    result = empty_of(kernels, Layout.dense((ends.layout.shape[0], x.layout.shape[1])))
    try:
        kernels["bag_sums"](result, x, indices, ends, weights)
    except IndexError:
        from_front("bag_sums", indices, x.layout.shape[0], 0)
        raise
    return result


def bags_of(ends: NDArray, n: int) -> NDArray:
    """Tell in which bag each of n indices is.

    Args:
        ends: where each bag ends, as of `bag_sums`.
        n: how many indices there are.

    Returns:
        The bags, (n,) of int64.

    >>> bags_of(nd.asarray([2, 2, 3]), 3)
    NDArray([0, 0, 2])
    """
    return searchsorted(ends, arange(n, device=ends.device), side="right")
