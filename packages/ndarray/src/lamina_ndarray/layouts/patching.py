"""An array with a view of it replaced: what assigning to that view does, without changing the array."""

from __future__ import annotations

import math
from collections.abc import Sequence

from lamina_flatarray import DTypeError, ShapeError

from ..dispatch.namespace import Array, generic, namespace
from .broadcast import normalize_axis

__all__ = ["as_strided_scatter", "diagonal_scatter", "select_scatter", "slice_scatter"]


def _check(op: str, x: Array, values: Array, shape: tuple[int, ...]) -> None:
    if tuple(values.shape) != shape:
        raise ShapeError(
            f"{op}: expected src to have a size equal to the slice of self. src size = {list(values.shape)}, slice size"
            f" = {list(shape)}"
        )
    if values.dtype.is_complex and not x.dtype.is_complex:
        raise DTypeError(f"{op}: {values.dtype} values given for {x.dtype}")


@generic
def select_scatter(x: Array, values: Array, axis: int, index: int) -> Array:
    """Replace one index of an axis, in a copy: what `x.select(axis, index)` shows becomes `values`.

    Args:
        x: an array.
        values: x's shape without the axis.
        axis: the axis.
        index: which slice of it.

    Returns:
        A new array of x's shape and dtype.

    Raises:
        ShapeError: the values have not the shape of that slice.
        IndexOutOfRange: the axis or the index does not exist.

    >>> nd.select_scatter(nd.zeros((2, 3)), nd.asarray([1.0, 2.0, 3.0]), 0, 1)
    NDArray([[0., 0., 0.],
             [1., 2., 3.]])
    """
    at = normalize_axis(axis, x.ndim, "select_scatter")
    place = (*(slice(None),) * at, index)
    _check("select_scatter", x, values, tuple(x[place].shape))
    return namespace(x).index_put(x, place, values)


@generic
def slice_scatter(
    x: Array, values: Array, axis: int = 0, start: int | None = None, end: int | None = None, step: int = 1
) -> Array:
    """Replace a slice of an axis, in a copy: what `start:end:step` of the axis shows becomes `values`.

    Args:
        x: an array.
        values: the shape of that slice.
        axis: the axis.
        start: the first index; None for the beginning.
        end: the index to stop before; None for the end.
        step: the distance of indices, 1 or more.

    Returns:
        A new array of x's shape and dtype.

    Raises:
        ShapeError: the values have not the shape of that slice, or the step is not positive.

    >>> nd.slice_scatter(nd.zeros(5), nd.asarray([1.0, 2.0]), 0, 1, 4, 2)
    NDArray([0., 1., 0., 2., 0.])
    """
    at = normalize_axis(axis, x.ndim, "slice_scatter")
    if step <= 0:
        raise ShapeError(f"slice_scatter: slice step must be positive, got {step}")
    place = (*(slice(None),) * at, slice(start, end, step))
    _check("slice_scatter", x, values, tuple(x[place].shape))
    return namespace(x).index_put(x, place, values)


def _numbered(x: Array) -> Array:
    """The numbers of x's items in row-major order, in x's shape."""
    xp = namespace(x)
    return xp.reshape(xp.arange(math.prod(x.shape), device=x.device), tuple(x.shape))


@generic
def diagonal_scatter(x: Array, values: Array, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Array:
    """Replace the diagonal of two axes, in a copy.

    Args:
        x: an array.
        values: the shape of the diagonal: x's other axes, then its length.
        offset: which diagonal: 0 for the main one, positive ones above it, negative ones below.
        axis1: the axis of rows.
        axis2: the axis of columns.

    Returns:
        A new array of x's shape and dtype.

    Raises:
        ShapeError: the values have not the shape of that diagonal.

    >>> nd.diagonal_scatter(nd.zeros((2, 3)), nd.asarray([1.0, 2.0]), offset=1)
    NDArray([[0., 1., 0.],
             [0., 0., 2.]])
    """
    xp = namespace(x)
    places = xp.diagonal(_numbered(x), offset, axis1, axis2)
    _check("diagonal_scatter", x, values, tuple(places.shape))
    return xp.index_put(x, xp.unravel_index(places, tuple(x.shape)), values)


@generic
def as_strided_scatter(
    x: Array, values: Array, shape: Sequence[int], strides: Sequence[int], offset: int | None = None
) -> Array:
    """Replace the items that lengths and strides reach, in a copy of x in x's own order of axes.

    Args:
        x: an array.
        values: the new items, of the shape `shape`.
        shape: the lengths of the axes of the part.
        strides: its strides, in items.
        offset: its first item; None for x's first.

    Returns:
        A new array of x's shape and dtype.

    Raises:
        ShapeError: the values have another shape, or an item lies outside.

    >>> nd.as_strided_scatter(nd.zeros((2, 3)), nd.asarray([1.0, 2.0]), (2,), (2,), 1)
    NDArray([[0., 1., 0.],
             [2., 0., 0.]])
    """
    xp = namespace(x)
    order = xp.outermost_first(x)
    in_order = xp.permute(x, order)
    places = xp.as_strided(_numbered(in_order), shape, strides, offset)
    _check("as_strided_scatter", x, values, tuple(places.shape))
    if not x.ndim:
        return xp.reshape(xp.index_put(xp.reshape(x, (1,)), (places,), values), ())
    along = xp.unravel_index(places, tuple(in_order.shape))
    return xp.index_put(x, tuple(along[order.index(axis)] for axis in range(x.ndim)), values)
