"""Whether items are not zero, and how many of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .folds import Axes, reduced

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = ["all", "any", "count_nonzero"]


def any(x: NDArray, axis: Axes = None, keepdims: bool = False, *, out: Any = None) -> NDArray:
    """Tell whether any item over axes is nonzero.

    Args:
        x: an array of any dtype.
        axis: an axis or several to reduce; None for all.
        keepdims: whether reduced axes stay, with length 1.
        out: where the result goes, if not to a new array.

    Returns:
        An array without the reduced axes, of booleans; False where there are no items.

    Raises:
        IndexOutOfRange: an axis does not exist.
        ShapeError: an axis is named twice, or `out` has another shape.

    >>> nd.any(nd.asarray([[True, False], [False, False]]), 1)
    NDArray([ True, False])
    """
    return reduced("any", x, axis, keepdims, out)


def all(x: NDArray, axis: Axes = None, keepdims: bool = False, *, out: Any = None) -> NDArray:
    """Tell whether all items over axes are nonzero.

    Args:
        x: an array of any dtype.
        axis: an axis or several to reduce; None for all.
        keepdims: whether reduced axes stay, with length 1.
        out: where the result goes, if not to a new array.

    Returns:
        An array without the reduced axes, of booleans; True where there are no items.

    Raises:
        IndexOutOfRange: an axis does not exist.
        ShapeError: an axis is named twice, or `out` has another shape.

    >>> nd.all(nd.asarray([[True, False], [True, True]]), 1)
    NDArray([False,  True])
    """
    return reduced("all", x, axis, keepdims, out)


def count_nonzero(x: NDArray, axis: Axes = None, keepdims: bool = False, *, out: Any = None) -> NDArray:
    """Count the items over axes that are not zero.

    Args:
        x: an array of any dtype.
        axis: an axis or several to reduce; None for all.
        keepdims: whether reduced axes stay, with length 1.
        out: where the result goes, if not to a new array.

    Returns:
        An array without the reduced axes, in int64.

    Raises:
        IndexOutOfRange: an axis does not exist.
        ShapeError: an axis is named twice, or `out` has another shape.

    >>> nd.count_nonzero(nd.asarray([0, 3, -1]))
    NDArray(2)
    """
    return reduced("count_nonzero", x, axis, keepdims, out)
