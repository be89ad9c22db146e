"""Comparisons, questions and logic, item by item: their results are boolean.

Written by `generate/ndarray_elementwise.py` from the op table: change it there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from .dispatcher import MapOp, binary, unary

if TYPE_CHECKING:
    from ..array import NDArray
    from ..dispatch.operands import Scalar

__all__ = [
    "equal", "greater", "greater_equal", "isfinite", "isinf", "isnan", "less", "less_equal", "logical_and", "logical_not",
    "logical_or", "logical_xor", "not_equal", "signbit",
]  # fmt: skip


_EQUAL: Final = MapOp("equal")


def equal(a: NDArray | Scalar, b: NDArray | Scalar, /, out: NDArray | None = None) -> NDArray:
    """Tell whether a == b, item by item.

    Args:
        a: an array or a number.
        b: an array or a number.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the broadcast shape, of booleans.

    Raises:
        DTypeError: the result cannot be cast to out's dtype.
        DeviceError: the operands are on different devices.
        ShapeError: the shapes do not broadcast, or `out` has another shape.

    >>> nd.equal(nd.asarray([1.0, 2.0, 3.0]), nd.asarray([3.0, 2.0, 1.0]))
    NDArray([False,  True, False])
    """
    return binary(_EQUAL, a, b, out)


_NOT_EQUAL: Final = MapOp("not_equal")


def not_equal(a: NDArray | Scalar, b: NDArray | Scalar, /, out: NDArray | None = None) -> NDArray:
    """Tell whether a != b, item by item.

    Args:
        a: an array or a number.
        b: an array or a number.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the broadcast shape, of booleans.

    Raises:
        DTypeError: the result cannot be cast to out's dtype.
        DeviceError: the operands are on different devices.
        ShapeError: the shapes do not broadcast, or `out` has another shape.

    >>> nd.not_equal(nd.asarray([1.0, 2.0, 3.0]), nd.asarray([3.0, 2.0, 1.0]))
    NDArray([ True, False,  True])
    """
    return binary(_NOT_EQUAL, a, b, out)


_LESS: Final = MapOp("less")


def less(a: NDArray | float, b: NDArray | float, /, out: NDArray | None = None) -> NDArray:
    """Tell whether a < b, item by item.

    Args:
        a: an array or a number.
        b: an array or a number.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the broadcast shape, of booleans.

    Raises:
        DTypeError: the operands are complex, or the result cannot be cast to out's dtype.
        DeviceError: the operands are on different devices.
        ShapeError: the shapes do not broadcast, or `out` has another shape.

    >>> nd.less(nd.asarray([1.0, 2.0, 3.0]), nd.asarray([3.0, 2.0, 1.0]))
    NDArray([ True, False, False])
    """
    return binary(_LESS, a, b, out)


_LESS_EQUAL: Final = MapOp("less_equal")


def less_equal(a: NDArray | float, b: NDArray | float, /, out: NDArray | None = None) -> NDArray:
    """Tell whether a <= b, item by item.

    Args:
        a: an array or a number.
        b: an array or a number.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the broadcast shape, of booleans.

    Raises:
        DTypeError: the operands are complex, or the result cannot be cast to out's dtype.
        DeviceError: the operands are on different devices.
        ShapeError: the shapes do not broadcast, or `out` has another shape.

    >>> nd.less_equal(nd.asarray([1.0, 2.0, 3.0]), nd.asarray([3.0, 2.0, 1.0]))
    NDArray([ True,  True, False])
    """
    return binary(_LESS_EQUAL, a, b, out)


_GREATER: Final = MapOp("greater")


def greater(a: NDArray | float, b: NDArray | float, /, out: NDArray | None = None) -> NDArray:
    """Tell whether a > b, item by item.

    Args:
        a: an array or a number.
        b: an array or a number.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the broadcast shape, of booleans.

    Raises:
        DTypeError: the operands are complex, or the result cannot be cast to out's dtype.
        DeviceError: the operands are on different devices.
        ShapeError: the shapes do not broadcast, or `out` has another shape.

    >>> nd.greater(nd.asarray([1.0, 2.0, 3.0]), nd.asarray([3.0, 2.0, 1.0]))
    NDArray([False, False,  True])
    """
    return binary(_GREATER, a, b, out)


_GREATER_EQUAL: Final = MapOp("greater_equal")


def greater_equal(a: NDArray | float, b: NDArray | float, /, out: NDArray | None = None) -> NDArray:
    """Tell whether a >= b, item by item.

    Args:
        a: an array or a number.
        b: an array or a number.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the broadcast shape, of booleans.

    Raises:
        DTypeError: the operands are complex, or the result cannot be cast to out's dtype.
        DeviceError: the operands are on different devices.
        ShapeError: the shapes do not broadcast, or `out` has another shape.

    >>> nd.greater_equal(nd.asarray([1.0, 2.0, 3.0]), nd.asarray([3.0, 2.0, 1.0]))
    NDArray([False,  True,  True])
    """
    return binary(_GREATER_EQUAL, a, b, out)


_LOGICAL_AND: Final = MapOp("logical_and")


def logical_and(a: NDArray | Scalar, b: NDArray | Scalar, /, out: NDArray | None = None) -> NDArray:
    """Tell whether both a and b are nonzero, item by item.

    Args:
        a: an array or a number.
        b: an array or a number.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the broadcast shape, of booleans.

    Raises:
        DTypeError: the result cannot be cast to out's dtype.
        DeviceError: the operands are on different devices.
        ShapeError: the shapes do not broadcast, or `out` has another shape.

    >>> nd.logical_and(nd.asarray([True, True, False]), nd.asarray([True, False, False]))
    NDArray([ True, False, False])
    """
    return binary(_LOGICAL_AND, a, b, out)


_LOGICAL_OR: Final = MapOp("logical_or")


def logical_or(a: NDArray | Scalar, b: NDArray | Scalar, /, out: NDArray | None = None) -> NDArray:
    """Tell whether a or b is nonzero, item by item.

    Args:
        a: an array or a number.
        b: an array or a number.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the broadcast shape, of booleans.

    Raises:
        DTypeError: the result cannot be cast to out's dtype.
        DeviceError: the operands are on different devices.
        ShapeError: the shapes do not broadcast, or `out` has another shape.

    >>> nd.logical_or(nd.asarray([True, True, False]), nd.asarray([True, False, False]))
    NDArray([ True,  True, False])
    """
    return binary(_LOGICAL_OR, a, b, out)


_LOGICAL_XOR: Final = MapOp("logical_xor")


def logical_xor(a: NDArray | Scalar, b: NDArray | Scalar, /, out: NDArray | None = None) -> NDArray:
    """Tell whether exactly one of a and b is nonzero, item by item.

    Args:
        a: an array or a number.
        b: an array or a number.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the broadcast shape, of booleans.

    Raises:
        DTypeError: the result cannot be cast to out's dtype.
        DeviceError: the operands are on different devices.
        ShapeError: the shapes do not broadcast, or `out` has another shape.

    >>> nd.logical_xor(nd.asarray([True, True, False]), nd.asarray([True, False, False]))
    NDArray([False,  True, False])
    """
    return binary(_LOGICAL_XOR, a, b, out)


_LOGICAL_NOT: Final = MapOp("logical_not")


def logical_not(x: NDArray, /, out: NDArray | None = None) -> NDArray:
    """Tell whether x is zero, item by item.

    Args:
        x: an array.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the same shape, of booleans.

    Raises:
        DTypeError: the result cannot be cast to out's dtype.
        ShapeError: `out` has another shape.

    >>> nd.logical_not(nd.asarray([True, False]))
    NDArray([False,  True])
    """
    return unary(_LOGICAL_NOT, x, out)


_ISNAN: Final = MapOp("isnan")


def isnan(x: NDArray, /, out: NDArray | None = None) -> NDArray:
    """Tell whether x is NaN, item by item.

    Args:
        x: an array.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the same shape, of booleans.

    Raises:
        DTypeError: the result cannot be cast to out's dtype.
        ShapeError: `out` has another shape.

    >>> nd.isnan(nd.asarray([1.0, nd.inf, nd.nan]))
    NDArray([False, False,  True])
    """
    return unary(_ISNAN, x, out)


_ISINF: Final = MapOp("isinf")


def isinf(x: NDArray, /, out: NDArray | None = None) -> NDArray:
    """Tell whether x is infinite, item by item.

    Args:
        x: an array.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the same shape, of booleans.

    Raises:
        DTypeError: the result cannot be cast to out's dtype.
        ShapeError: `out` has another shape.

    >>> nd.isinf(nd.asarray([1.0, nd.inf, nd.nan]))
    NDArray([False,  True, False])
    """
    return unary(_ISINF, x, out)


_ISFINITE: Final = MapOp("isfinite")


def isfinite(x: NDArray, /, out: NDArray | None = None) -> NDArray:
    """Tell whether x is neither NaN nor infinite, item by item.

    Args:
        x: an array.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the same shape, of booleans.

    Raises:
        DTypeError: the result cannot be cast to out's dtype.
        ShapeError: `out` has another shape.

    >>> nd.isfinite(nd.asarray([1.0, nd.inf, nd.nan]))
    NDArray([ True, False, False])
    """
    return unary(_ISFINITE, x, out)


_SIGNBIT: Final = MapOp("signbit")


def signbit(x: NDArray, /, out: NDArray | None = None) -> NDArray:
    """Tell whether x has a minus sign, as -0.0 has, item by item.

    Args:
        x: an array.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the same shape, of booleans.

    Raises:
        DTypeError: the operands are complex, or the result cannot be cast to out's dtype.
        ShapeError: `out` has another shape.

    >>> nd.signbit(nd.asarray([0.25, 0.5, 1.0]))
    NDArray([False, False, False])
    """
    return unary(_SIGNBIT, x, out)
