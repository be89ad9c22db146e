"""Arrays as sets: each value once, with how often it occurs and which items have it.

The lengths of the results depend on the data, so the places where runs begin are read on the host.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lamina_flatarray import dtypes as dt

from .array import NDArray
from .broadcast import normalize_axis
from .conversion import astype, to_device
from .creation import arange, from_numpy, ones_like
from .elementwise import FUNCTIONS
from .gathering import scatter
from .joining import concat
from .results import UniqueAll, UniqueCounts, UniqueInverse
from .scans import cumsum
from .selection import getitem, nonzero
from .sorting import order
from .views import reshape

__all__ = ["unique", "unique_all", "unique_consecutive", "unique_counts", "unique_inverse", "unique_values"]


def _runs(x: NDArray) -> tuple[NDArray, NDArray, NDArray]:
    """Of a flat array: the places where a run of equal items begins, how long each is, and which run an item is in."""
    n = x.layout.size
    if not n:
        none = arange(0, device=x.device)
        return none, none, none
    begins = FUNCTIONS["not_equal"](getitem(x, slice(1, None)), getitem(x, slice(None, -1)))
    first = ones_like(getitem(x, slice(0, 1)), dtype=dt.bool)
    starts = concat([first, begins])
    (places,) = nonzero(starts)
    ends = concat([getitem(places, slice(1, None)), reshape(arange(n, n + 1, device=x.device), (1,))])
    number = FUNCTIONS["subtract"](cumsum(astype(starts, dt.int64), 0), 1)
    return places, FUNCTIONS["subtract"](ends, places), number


def unique_all(x: NDArray, /) -> UniqueAll:
    """Each value once, in ascending order; where it first occurs in row-major order; which value each item has; and how
    often each occurs. Every NaN counts as a value of its own."""
    flat = reshape(x, (-1,))
    if flat.dtype.is_complex:
        values, first, inverse, counts = np.unique(
            np.asarray(to_device(flat, "cpu")), return_index=True, return_inverse=True, return_counts=True, equal_nan=False
        )
        made = [to_device(from_numpy(np.ascontiguousarray(v)), x.device) for v in (values, first, inverse, counts)]
        return UniqueAll(made[0], made[1], reshape(made[2], x.layout.shape), made[3])
    ordered, positions = order(flat)
    places, counts_, number = _runs(ordered)
    inverse_ = scatter(ones_like(number), positions, number, 0) if flat.layout.size else number
    return UniqueAll(
        getitem(ordered, places), getitem(positions, places), reshape(inverse_, x.layout.shape), counts_
    )


def unique_values(x: NDArray, /) -> NDArray:
    """Each value once, in ascending order."""
    values: NDArray = unique_all(x).values
    return values


def unique_counts(x: NDArray, /) -> UniqueCounts:
    """Each value once, in ascending order, and how often it occurs."""
    found = unique_all(x)
    return UniqueCounts(found.values, found.counts)


def unique_inverse(x: NDArray, /) -> UniqueInverse:
    """Each value once, in ascending order, and which of them each item has."""
    found = unique_all(x)
    return UniqueInverse(found.values, found.inverse_indices)


def _chosen(values: NDArray, inverse: NDArray, counts: NDArray, return_inverse: bool, return_counts: bool) -> Any:
    found = [values, *([inverse] if return_inverse else []), *([counts] if return_counts else [])]
    return tuple(found) if len(found) > 1 else values


def unique(
    x: NDArray, sorted: bool = True, return_inverse: bool = False, return_counts: bool = False, axis: int | None = None
) -> Any:
    """Each value once, in ascending order; with an axis, each slice along it once.

    Args:
        x: any array.
        sorted: accepted; values are always sorted.
        return_inverse: whether to tell which value each item has, too.
        return_counts: whether to tell how often each occurs, too.
        axis: None for single items.

    Returns:
        The values, or a tuple that begins with them.
    """
    if axis is None:
        every = unique_all(x)
        return _chosen(every.values, every.inverse_indices, every.counts, return_inverse, return_counts)
    at = normalize_axis(axis, x.layout.ndim, "unique")
    host = np.asarray(to_device(x, "cpu"))
    if not host.shape[at]:
        lone = arange(0, device=x.device)
        return _chosen(x, lone, lone, return_inverse, return_counts)
    found = np.unique(host, return_inverse=True, return_counts=True, axis=at)
    made = [to_device(from_numpy(np.ascontiguousarray(part)), x.device) for part in found]
    return _chosen(made[0], reshape(made[1], (-1,)), made[2], return_inverse, return_counts)


def unique_consecutive(
    x: NDArray, return_inverse: bool = False, return_counts: bool = False, axis: int | None = None
) -> Any:
    """The first of each run of equal items; with an axis, of equal slices.

    Args:
        x: any array.
        return_inverse: whether to tell which run each item is in, too.
        return_counts: whether to tell how long each is, too.
        axis: None for the items in row-major order.

    Returns:
        The values, or a tuple that begins with them.
    """
    if axis is None:
        flat = reshape(x, (-1,))
        places, counts, number = _runs(flat)
        return _chosen(getitem(flat, places), reshape(number, x.layout.shape), counts, return_inverse, return_counts)
    at = normalize_axis(axis, x.layout.ndim, "unique_consecutive")
    host = np.moveaxis(np.asarray(to_device(x, "cpu")), at, 0)
    rows = host.reshape(host.shape[0], host[0].size if len(host) else 0)
    starts = np.concatenate([np.ones(min(len(rows), 1), bool), (rows[1:] != rows[:-1]).any(1)])
    where = np.flatnonzero(starts)
    counts_ = np.diff(np.append(where, len(rows)))
    values = np.moveaxis(host[where], 0, at)
    made = [from_numpy(np.ascontiguousarray(part)) for part in (values, np.cumsum(starts) - 1, counts_)]
    made = [to_device(part, x.device) for part in made]
    return _chosen(made[0], made[1], made[2], return_inverse, return_counts)
