"""The greatest and the least items, and where they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..array_fields import empty_of, view_of
from ..dispatch.results import ValuesIndices
from .folds import Axes, layouts_over, plain_table, reduced, refuse_empty

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = ["argmax", "argmin", "extremes", "max", "min"]


def extremes(op: str, x: NDArray, axis: int, keepdims: bool = False) -> ValuesIndices[NDArray]:
    """Return the greatest or smallest items along an axis, and the index of the first of each; NaN wins.

    Args:
        op: "max" or "min".
        x: a real array.
        axis: along which.
        keepdims: whether the axis stays, with length 1.

    Returns:
        `values` in x's dtype and int64 `indices`, both without the axis.

    Raises:
        DTypeError: x is complex.
        EmptyAxis: there are no items along the axis.
        IndexOutOfRange: the axis does not exist.
    """
    layout, kernels = x.layout, x.flat.kernels
    axes, without, kept = layouts_over(layout.shape, axis, op)
    if not layout.size:
        refuse_empty(op, layout.shape, axes)
    table = plain_table("argmax" if op == "max" else "argmin", kernels)
    assert table is not None  # positions are found in any dtype
    positions, values = empty_of(table, without), empty_of(kernels, without)
    if layout.size:
        kernels["argmax" if op == "max" else "argmin"](positions, x, axes=axes)
        kernels["gather"](view_of(values, kept), x, view_of(positions, kept), axis=axes[0])
    return ValuesIndices(view_of(values, kept), view_of(positions, kept)) if keepdims else ValuesIndices(values, positions)


def max(x: NDArray, axis: Axes = None, keepdims: bool = False, *, out: Any = None) -> NDArray:
    """Compute the greatest item over axes; NaN where there is one.

    Args:
        x: a real array.
        axis: an axis or several to reduce; None for all.
        keepdims: whether reduced axes stay, with length 1.
        out: where the result goes, if not to a new array.

    Returns:
        An array without the reduced axes, in x's dtype.

    Raises:
        EmptyAxis: a reduced axis has no items.
        DTypeError: x is complex.
        IndexOutOfRange: an axis does not exist.
        ShapeError: an axis is named twice, or `out` has another shape.

    >>> nd.max(nd.asarray([[1.0, 2.0], [3.0, 4.0]]), 1)
    NDArray([2., 4.])
    """
    return reduced("max", x, axis, keepdims, out)


def min(x: NDArray, axis: Axes = None, keepdims: bool = False, *, out: Any = None) -> NDArray:
    """Compute the smallest item over axes; NaN where there is one.

    Args:
        x: a real array.
        axis: an axis or several to reduce; None for all.
        keepdims: whether reduced axes stay, with length 1.
        out: where the result goes, if not to a new array.

    Returns:
        An array without the reduced axes, in x's dtype.

    Raises:
        EmptyAxis: a reduced axis has no items.
        DTypeError: x is complex.
        IndexOutOfRange: an axis does not exist.
        ShapeError: an axis is named twice, or `out` has another shape.

    >>> nd.min(nd.asarray([[1.0, 2.0], [3.0, 4.0]]), 1)
    NDArray([1., 3.])
    """
    return reduced("min", x, axis, keepdims, out)


def argmax(x: NDArray, axis: int | None = None, keepdims: bool = False, *, out: Any = None) -> NDArray:
    """Return the index of the greatest item along an axis; the first of equals, and that of a NaN where there is one.

    Args:
        x: a real array.
        axis: along which; None for the index in row-major order of all items.
        keepdims: whether the reduced axes stay, with length 1.
        out: where the result goes, if not to a new array.

    Returns:
        An int64 array without the axis.

    Raises:
        EmptyAxis: there are no items to choose from.
        DTypeError: x is complex.
        IndexOutOfRange: the axis does not exist.
        ShapeError: `out` has another shape.

    >>> nd.argmax(nd.asarray([[1.0, 5.0], [3.0, 2.0]]), 1)
    NDArray([1, 0])
    >>> nd.argmax(nd.asarray([[1.0, 5.0], [3.0, 2.0]]))
    NDArray(1)
    """
    return reduced("argmax", x, None if axis is None else (axis,), keepdims, out)


def argmin(x: NDArray, axis: int | None = None, keepdims: bool = False, *, out: Any = None) -> NDArray:
    """Return the index of the smallest item along an axis; the first of equals, and that of a NaN where there is one.

    Args:
        x: a real array.
        axis: along which; None for the index in row-major order of all items.
        keepdims: whether the reduced axes stay, with length 1.
        out: where the result goes, if not to a new array.

    Returns:
        An int64 array without the axis.

    Raises:
        EmptyAxis: there are no items to choose from.
        DTypeError: x is complex.
        IndexOutOfRange: the axis does not exist.
        ShapeError: `out` has another shape.

    >>> nd.argmin(nd.asarray([[1.0, 5.0], [3.0, 2.0]]), 1)
    NDArray([0, 1])
    >>> nd.argmin(nd.asarray([[1.0, 5.0], [3.0, 2.0]]))
    NDArray(0)
    """
    return reduced("argmin", x, None if axis is None else (axis,), keepdims, out)
