"""Arrays as sets: each value once, with how often it occurs and which items have it.

The lengths of the results depend on the data, so how many values there are is read on the host.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal, overload

import numpy as np

from lamina_flatarray import IndexOutOfRange, ShapeError
from lamina_flatarray import dtypes as dt

from ..array_fields import empty_of, view_of
from ..creation.array_likes import from_numpy
from ..creation.conversion import item, to_device
from ..dispatch.results import UniqueAll, UniqueCounts, UniqueInverse
from ..indexing.selection import getitem
from ..layouts.broadcast import normalize_axis
from ..layouts.layout import Layout
from ..shapes.views import copy, reshape

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = ["unique", "unique_all", "unique_consecutive", "unique_counts", "unique_inverse", "unique_values"]

_ALONE: Final = Layout.dense(())
_NONE: Final = Layout.dense((0,))

Array = np.ndarray[Any, Any]


def _distinct(x: NDArray, ordered: bool, firsts: bool, inverse: bool, counts: bool) -> list[NDArray]:
    """The items that differ from the one before, and what of `distinct` is wanted besides."""
    kernels, n = x.flat.kernels, x.layout.size
    whole, line = kernels.sibling(dt.int64), Layout.dense((n,))
    values, total = empty_of(kernels, line), empty_of(whole, _ALONE)
    beside = [empty_of(whole, line if requested else _NONE) for requested in (firsts, inverse, counts)]
    kernels["distinct"]((values, *beside, total), reshape(x, (-1,)), ordered=ordered)
    layout = Layout.dense((item(total),))
    parts = [values, *beside]
    for i, requested in ((0, True), (1, firsts), (3, counts)):
        if requested:  # what needs less than half of its memory gets its own
            parts[i] = view_of(parts[i], layout) if 2 * layout.size > n else copy(view_of(parts[i], layout))
    if inverse:
        parts[2] = view_of(parts[2], Layout.dense(x.layout.shape))
    return parts


def unique_all(x: NDArray, /) -> UniqueAll[NDArray]:
    """Find each value once, in ascending order, with all that there is to know about it.

    Every NaN counts as a value of its own.

    Args:
        x: an array.

    Returns:
        A named tuple: `values`; `indices` of their first occurrences in row-major order; `inverse_indices`, which value each
        item has, in x's shape; and `counts`, how often each occurs. All but the values are int64.

    >>> nd.unique_all(nd.asarray([3, 1, 3])).indices
    NDArray([1, 0])
    """
    return UniqueAll(*_distinct(x, True, True, True, True))


def unique_values(x: NDArray, /) -> NDArray:
    """Find each value once, in ascending order; every NaN counts as a value of its own.

    Args:
        x: an array.

    Returns:
        A vector in x's dtype.

    >>> nd.unique_values(nd.asarray([[3, 1], [3, 2]]))
    NDArray([1, 2, 3])
    """
    return _distinct(x, True, False, False, False)[0]


def unique_counts(x: NDArray, /) -> UniqueCounts[NDArray]:
    """Find each value once, in ascending order, and how often it occurs; every NaN counts as a value of its own.

    Args:
        x: an array.

    Returns:
        A named tuple of vectors: `values` in x's dtype, and int64 `counts`.

    >>> values, counts = nd.unique_counts(nd.asarray([3, 1, 3]))
    >>> values, counts
    (NDArray([1, 3]), NDArray([1, 2]))
    """
    values, _, _, counts = _distinct(x, True, False, False, True)
    return UniqueCounts(values, counts)


def unique_inverse(x: NDArray, /) -> UniqueInverse[NDArray]:
    """Find each value once, in ascending order, and which of them each item has; every NaN counts as a value of its own.

    Args:
        x: an array.

    Returns:
        A named tuple: `values`, a vector in x's dtype, and int64 `inverse_indices` in x's shape.

    >>> values, inverse = nd.unique_inverse(nd.asarray([3, 1, 3]))
    >>> values[inverse]
    NDArray([3, 1, 3])
    """
    values, _, inverse, _ = _distinct(x, True, False, True, False)
    return UniqueInverse(values, inverse)


def _chosen(values: NDArray, inverse: NDArray, counts: NDArray, return_inverse: bool, return_counts: bool) -> Any:
    results = [values, *([inverse] if return_inverse else []), *([counts] if return_counts else [])]
    return tuple(results) if len(results) > 1 else values


@overload
def unique(
    x: NDArray, sorted: bool = True, return_inverse: Literal[False] = False, return_counts: Literal[False] = False, axis: int | None = None
) -> NDArray: ...
@overload
def unique(
    x: NDArray, sorted: bool = True, *, return_inverse: Literal[True], return_counts: Literal[False] = False, axis: int | None = None
) -> tuple[NDArray, NDArray]: ...
@overload
def unique(
    x: NDArray, sorted: bool = True, *, return_inverse: Literal[False] = False, return_counts: Literal[True], axis: int | None = None
) -> tuple[NDArray, NDArray]: ...
@overload
def unique(
    x: NDArray, sorted: bool = True, *, return_inverse: Literal[True], return_counts: Literal[True], axis: int | None = None
) -> tuple[NDArray, NDArray, NDArray]: ...
@overload
def unique(
    x: NDArray, sorted: bool = True, return_inverse: bool = False, return_counts: bool = False, axis: int | None = None
) -> NDArray | tuple[NDArray, ...]: ...
def unique(
    x: NDArray, sorted: bool = True, return_inverse: bool = False, return_counts: bool = False, axis: int | None = None
) -> Any:
    """Find each value once, in ascending order; with an axis, each slice along it once.

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

    >>> nd.unique(nd.asarray([3, 1, 3, 2]), return_counts=True)
    (NDArray([1, 2, 3]), NDArray([1, 1, 2]))
    >>> nd.unique(nd.asarray([[1, 2], [0, 5], [1, 2]]), axis=0)
    NDArray([[0, 5],
             [1, 2]])
    """
    if axis is None:
        values, _, inverse, counts = _distinct(x, True, False, return_inverse, return_counts)
        return _chosen(values, inverse, counts, return_inverse, return_counts)
    slices, at = _slices("unique", x, axis)
    order = np.lexsort(slices.T[::-1]) if slices.shape[1] else np.arange(len(slices))
    return _once(x, slices, order, at, return_inverse, return_counts)


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


@overload
def unique_consecutive(
    x: NDArray, return_inverse: Literal[False] = False, return_counts: Literal[False] = False, axis: int | None = None
) -> NDArray: ...
@overload
def unique_consecutive(
    x: NDArray, *, return_inverse: Literal[True], return_counts: Literal[False] = False, axis: int | None = None
) -> tuple[NDArray, NDArray]: ...
@overload
def unique_consecutive(
    x: NDArray, *, return_inverse: Literal[False] = False, return_counts: Literal[True], axis: int | None = None
) -> tuple[NDArray, NDArray]: ...
@overload
def unique_consecutive(
    x: NDArray, *, return_inverse: Literal[True], return_counts: Literal[True], axis: int | None = None
) -> tuple[NDArray, NDArray, NDArray]: ...
@overload
def unique_consecutive(
    x: NDArray, return_inverse: bool = False, return_counts: bool = False, axis: int | None = None
) -> NDArray | tuple[NDArray, ...]: ...
def unique_consecutive(
    x: NDArray, return_inverse: bool = False, return_counts: bool = False, axis: int | None = None
) -> Any:
    """Find the first of each run of equal items; with an axis, of equal slices.

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

    >>> nd.unique_consecutive(nd.asarray([1, 1, 2, 1]), return_counts=True)
    (NDArray([1, 2, 1]), NDArray([2, 1, 1]))
    """
    if axis is None:
        values, _, inverse, counts = _distinct(x, False, False, return_inverse, return_counts)
        return _chosen(values, inverse, counts, return_inverse, return_counts)
    slices, at = _slices("unique_consecutive", x, axis)
    return _once(x, slices, np.arange(len(slices)), at, return_inverse, return_counts)
