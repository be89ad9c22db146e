"""Arrays as sets: each value once, with how often it occurs and which items have it.

The lengths of the results depend on the data, so the places where runs begin are read on the host.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lamina_flatarray import IndexOutOfRange, ShapeError
from lamina_flatarray import dtypes as dt

from .array import NDArray
from .broadcast import normalize_axis
from .complex_parts import imag, real
from .conversion import to_device
from .creation import from_numpy, full, ones_like, zeros_like
from .elementwise import FUNCTIONS
from .finding import nonzero
from .gathering import scatter
from .joining import concat
from .results import UniqueAll, UniqueCounts, UniqueInverse
from .scans import cumsum
from .selection import getitem
from .sorting import order, sort
from .views import reshape

__all__ = ["unique", "unique_all", "unique_consecutive", "unique_counts", "unique_inverse", "unique_values"]

Array = np.ndarray[Any, Any]


def _runs(x: NDArray) -> tuple[NDArray, NDArray, NDArray]:
    """Of a flat array: the places where a run of equal items begins, how long each is, and for each item whether a run
    begins there."""
    n = x.layout.size
    begins = FUNCTIONS["not_equal"](getitem(x, slice(1, None)), getitem(x, slice(None, -1)))
    starts = concat([ones_like(getitem(x, slice(0, 1)), dtype=dt.bool), begins])
    (places,) = nonzero(starts)
    ends = concat([getitem(places, slice(1, None)), full((min(n, 1),), n, dtype=dt.int64, device=x.device)])
    return places, FUNCTIONS["subtract"](ends, places), starts


def _numbers(starts: NDArray) -> NDArray:
    """Which run each item is in."""
    return FUNCTIONS["subtract"](cumsum(starts, 0), 1)


def unique_all(x: NDArray, /) -> UniqueAll:
    """Each value once, in ascending order; where it first occurs in row-major order; which value each item has; and how
    often each occurs. Every NaN counts as a value of its own."""
    flat = reshape(x, (-1,))
    ordered, positions = _complex_order(flat) if x.dtype.is_complex else order(flat)
    places, counts, starts = _runs(ordered)
    inverse = scatter(zeros_like(positions), positions, _numbers(starts), 0)
    return UniqueAll(getitem(ordered, places), getitem(positions, places), reshape(inverse, x.layout.shape), counts)


def _complex_order(x: NDArray) -> tuple[NDArray, NDArray]:
    """By the real part, then by the imaginary one."""
    by_imaginary = order(imag(x)).indices
    positions = getitem(by_imaginary, order(real(getitem(x, by_imaginary))).indices)
    return getitem(x, positions), positions


def unique_values(x: NDArray, /) -> NDArray:
    """Each value once, in ascending order."""
    values: NDArray = unique_counts(x).values
    return values


def unique_counts(x: NDArray, /) -> UniqueCounts:
    """Each value once, in ascending order, and how often it occurs."""
    flat = reshape(x, (-1,))
    ordered = _complex_order(flat)[0] if x.dtype.is_complex else sort(flat)
    places, counts, _ = _runs(ordered)
    return UniqueCounts(getitem(ordered, places), counts)


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

    Raises:
        IndexOutOfRange: there is no such axis.
        ShapeError: the slices along the axis have no items.
    """
    if axis is None:
        if not return_inverse:
            found = unique_counts(x)
            return _chosen(found.values, found.counts, found.counts, False, return_counts)
        every = unique_all(x)
        return _chosen(every.values, every.inverse_indices, every.counts, return_inverse, return_counts)
    slices, at = _slices("unique", x, axis)
    by = np.lexsort(slices.T[::-1]) if slices.shape[1] else np.arange(len(slices))
    return _once(x, slices, by, at, return_inverse, return_counts)


def _slices(op: str, x: NDArray, axis: int) -> tuple[Array, int]:
    """The slices along an axis as the rows of a matrix on the host, and the axis.

    Raises:
        IndexOutOfRange: there is no such axis.
        ShapeError: there are slices, but no items in them.
    """
    shape = x.layout.shape
    at = normalize_axis(axis, len(shape), op)
    if not shape:
        raise IndexOutOfRange(f"{op}: Dimension specified as {axis} but tensor has no dimensions")
    if shape[at] and not x.layout.size:
        raise ShapeError(f"{op}: There are 0 sized dimensions, and they aren't selected: slices along axis {at} of {shape}")
    host = np.moveaxis(np.asarray(to_device(x, "cpu")), at, 0)
    return host.reshape(shape[at], x.layout.size // max(shape[at], 1)), at


def _once(x: NDArray, slices: Array, by: Array, at: int, return_inverse: bool, return_counts: bool) -> Any:
    """Each slice once that differs from the one before it in this order."""
    ordered = slices[by]
    starts = np.ones(len(by), bool)
    starts[1:] = (ordered[1:] != ordered[:-1]).any(1)
    places = np.flatnonzero(starts)
    inverse = np.empty(len(by), np.int64)
    inverse[by] = np.cumsum(starts) - 1
    parts = (by[places], inverse, np.diff(np.append(places, len(by))))
    chosen, numbers, counts = (to_device(from_numpy(np.ascontiguousarray(p, np.int64)), x.device) for p in parts)
    return _chosen(getitem(x, (*(slice(None),) * at, chosen)), numbers, counts, return_inverse, return_counts)


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

    Raises:
        IndexOutOfRange: there is no such axis.
        ShapeError: the slices along the axis have no items.
    """
    if axis is None:
        flat = reshape(x, (-1,))
        places, counts, starts = _runs(flat)
        inverse = reshape(_numbers(starts), x.layout.shape) if return_inverse else counts
        return _chosen(getitem(flat, places), inverse, counts, return_inverse, return_counts)
    slices, at = _slices("unique_consecutive", x, axis)
    return _once(x, slices, np.arange(len(slices)), at, return_inverse, return_counts)
