"""Operations on the bits of integers, item by item.

Written by `generate/ndarray_elementwise.py` from the op table: change it there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from .dispatcher import MapOp, binary, unary

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = [
    "bitwise_and", "bitwise_invert", "bitwise_left_shift", "bitwise_or", "bitwise_right_shift", "bitwise_xor",
]  # fmt: skip


_BITWISE_AND: Final = MapOp("bitwise_and")


def bitwise_and(a: NDArray | int, b: NDArray | int, /, out: NDArray | None = None) -> NDArray:
    """Compute a & b, item by item.

    Args:
        a: an array or a number.
        b: an array or a number.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the broadcast shape, in the dtype of the operands together.

    Raises:
        DTypeError: the operands are not integers or bool, or the result cannot be cast to out's dtype.
        DeviceError: the operands are on different devices.
        ShapeError: the shapes do not broadcast, or `out` has another shape.

    >>> nd.bitwise_and(nd.asarray([5, 6, 7]), nd.asarray([3, 3, 3]))
    NDArray([1, 2, 3])
    """
    return binary(_BITWISE_AND, a, b, out)


_BITWISE_OR: Final = MapOp("bitwise_or")


def bitwise_or(a: NDArray | int, b: NDArray | int, /, out: NDArray | None = None) -> NDArray:
    """Compute a | b, item by item.

    Args:
        a: an array or a number.
        b: an array or a number.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the broadcast shape, in the dtype of the operands together.

    Raises:
        DTypeError: the operands are not integers or bool, or the result cannot be cast to out's dtype.
        DeviceError: the operands are on different devices.
        ShapeError: the shapes do not broadcast, or `out` has another shape.

    >>> nd.bitwise_or(nd.asarray([5, 6, 7]), nd.asarray([3, 3, 3]))
    NDArray([7, 7, 7])
    """
    return binary(_BITWISE_OR, a, b, out)


_BITWISE_XOR: Final = MapOp("bitwise_xor")


def bitwise_xor(a: NDArray | int, b: NDArray | int, /, out: NDArray | None = None) -> NDArray:
    """Compute a ^ b, item by item.

    Args:
        a: an array or a number.
        b: an array or a number.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the broadcast shape, in the dtype of the operands together.

    Raises:
        DTypeError: the operands are not integers or bool, or the result cannot be cast to out's dtype.
        DeviceError: the operands are on different devices.
        ShapeError: the shapes do not broadcast, or `out` has another shape.

    >>> nd.bitwise_xor(nd.asarray([5, 6, 7]), nd.asarray([3, 3, 3]))
    NDArray([6, 5, 4])
    """
    return binary(_BITWISE_XOR, a, b, out)


_BITWISE_INVERT: Final = MapOp("bitwise_invert")


def bitwise_invert(x: NDArray, /, out: NDArray | None = None) -> NDArray:
    """Compute ~x, item by item; logical not for bool.

    Args:
        x: an array.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the same shape, in x's dtype.

    Raises:
        DTypeError: the operands are not integers or bool, or the result cannot be cast to out's dtype.
        ShapeError: `out` has another shape.

    >>> nd.bitwise_invert(nd.asarray([0, 5, -1]))
    NDArray([-1, -6,  0])
    """
    return unary(_BITWISE_INVERT, x, out)


_BITWISE_LEFT_SHIFT: Final = MapOp("bitwise_left_shift")


def bitwise_left_shift(a: NDArray | int, b: NDArray | int, /, out: NDArray | None = None) -> NDArray:
    """Shift the bits of a to the left by b places, item by item; zeros come in.

    Args:
        a: an array or a number.
        b: an array or a number.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the broadcast shape, in the dtype of the operands together.

    Raises:
        DTypeError: the operands are not integers, or the result cannot be cast to out's dtype.
        DeviceError: the operands are on different devices.
        ShapeError: the shapes do not broadcast, or `out` has another shape.

    >>> nd.bitwise_left_shift(nd.asarray([1, 2, 3]), 2)
    NDArray([ 4,  8, 12])
    """
    return binary(_BITWISE_LEFT_SHIFT, a, b, out)


_BITWISE_RIGHT_SHIFT: Final = MapOp("bitwise_right_shift")


def bitwise_right_shift(a: NDArray | int, b: NDArray | int, /, out: NDArray | None = None) -> NDArray:
    """Shift the bits of a to the right by b places, item by item; copies of the sign bit come in.

    Args:
        a: an array or a number.
        b: an array or a number.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the broadcast shape, in the dtype of the operands together.

    Raises:
        DTypeError: the operands are not integers, or the result cannot be cast to out's dtype.
        DeviceError: the operands are on different devices.
        ShapeError: the shapes do not broadcast, or `out` has another shape.

    >>> nd.bitwise_right_shift(nd.asarray([8, -8, 9]), 2)
    NDArray([ 2, -2,  2])
    """
    return binary(_BITWISE_RIGHT_SHIFT, a, b, out)
