"""The greatest and the least items, and where they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .folds import Axes, reduced

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = ["argmax", "argmin", "max", "min"]


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
