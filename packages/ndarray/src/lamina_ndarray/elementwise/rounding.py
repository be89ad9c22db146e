"""Rounding to integers, item by item.

Written by `generate/ndarray_elementwise.py` from the op table: change it there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from .dispatcher import MapOp, unary

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = [
    "ceil", "floor", "frac", "round", "trunc",
]  # fmt: skip


_FLOOR: Final = MapOp("floor")


def floor(x: NDArray, /, out: NDArray | None = None) -> NDArray:
    """Round x down to an integer, item by item.

    Args:
        x: an array.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the same shape, in x's dtype.

    Raises:
        DTypeError: the operands are bool or complex, or the result cannot be cast to out's dtype.
        ShapeError: `out` has another shape.

    >>> nd.floor(nd.asarray([-1.5, 0.4, 1.5]))
    NDArray([-2.,  0.,  1.])
    """
    return unary(_FLOOR, x, out)


_CEIL: Final = MapOp("ceil")


def ceil(x: NDArray, /, out: NDArray | None = None) -> NDArray:
    """Round x up to an integer, item by item.

    Args:
        x: an array.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the same shape, in x's dtype.

    Raises:
        DTypeError: the operands are bool or complex, or the result cannot be cast to out's dtype.
        ShapeError: `out` has another shape.

    >>> nd.ceil(nd.asarray([-1.5, 0.4, 1.5]))
    NDArray([-1.,  1.,  2.])
    """
    return unary(_CEIL, x, out)


_FRAC: Final = MapOp("frac")


def frac(x: NDArray, /, out: NDArray | None = None) -> NDArray:
    """Compute the fractional part of x, with its sign, item by item: x - trunc(x).

    Args:
        x: an array.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the same shape, in x's dtype.

    Raises:
        DTypeError: the operands are not floating-point numbers, or the result cannot be cast to out's dtype.
        ShapeError: `out` has another shape.

    >>> nd.frac(nd.asarray([0.25, 0.5, 1.0]))
    NDArray([0.2500, 0.5000, 0.0000])
    """
    return unary(_FRAC, x, out)


_TRUNC: Final = MapOp("trunc")


def trunc(x: NDArray, /, out: NDArray | None = None) -> NDArray:
    """Round x towards zero to an integer, item by item.

    Args:
        x: an array.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the same shape, in x's dtype.

    Raises:
        DTypeError: the operands are bool or complex, or the result cannot be cast to out's dtype.
        ShapeError: `out` has another shape.

    >>> nd.trunc(nd.asarray([-1.5, 0.4, 1.5]))
    NDArray([-1.,  0.,  1.])
    """
    return unary(_TRUNC, x, out)


_ROUND: Final = MapOp("round")


def round(x: NDArray, /, out: NDArray | None = None) -> NDArray:
    """Round to nearest, ties to even, item by item; both parts of a complex number.

    Args:
        x: an array.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the same shape, in x's dtype.

    Raises:
        DTypeError: the operands are bool, or the result cannot be cast to out's dtype.
        ShapeError: `out` has another shape.

    >>> nd.round(nd.asarray([-1.5, 0.5, 1.5]))
    NDArray([-2.,  0.,  2.])
    """
    return unary(_ROUND, x, out)
