"""Sums, products, quotients, extremes and other arithmetic, item by item.

Written by `generate/ndarray_elementwise.py` from the op table: change it there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from .dispatcher import MapOp, PowerOp, binary, ternary, unary
from .operands import array_api_edges
from .operands.checked import of_one_dtype

if TYPE_CHECKING:
    from ..array import NDArray
    from ..dispatch.operands import Scalar

__all__ = [
    "abs", "add", "addcdiv", "addcmul", "angle", "atan2", "complex", "copysign", "divide", "floor_divide", "fmax", "fmin",
    "fmod", "gcd", "heaviside", "hypot", "lerp", "maximum", "minimum", "multiply", "negative", "nextafter", "polar", "pow",
    "reciprocal", "remainder", "rsqrt", "sign", "sqrt", "square", "subtract", "trunc_divide",
]  # fmt: skip


_ADD: Final = MapOp("add")


def add(a: NDArray | Scalar, b: NDArray | Scalar, /, out: NDArray | None = None) -> NDArray:
    """Compute a + b, item by item; logical or for bool.

    Args:
        a: an array or a number.
        b: an array or a number.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the broadcast shape, in the dtype of the operands together.

    Raises:
        DTypeError: the result cannot be cast to out's dtype.
        DeviceError: the operands are on different devices.
        ShapeError: the shapes do not broadcast, or `out` has another shape.

    >>> nd.add(nd.asarray([1.0, 2.0, 3.0]), nd.asarray([3.0, 2.0, 1.0]))
    NDArray([4., 4., 4.])
    """
    return binary(_ADD, a, b, out)


_SUBTRACT: Final = MapOp("subtract")


def subtract(a: NDArray | Scalar, b: NDArray | Scalar, /, out: NDArray | None = None) -> NDArray:
    """Compute a - b, item by item.

    Args:
        a: an array or a number.
        b: an array or a number.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the broadcast shape, in the dtype of the operands together.

    Raises:
        DTypeError: the operands are bool, or the result cannot be cast to out's dtype.
        DeviceError: the operands are on different devices.
        ShapeError: the shapes do not broadcast, or `out` has another shape.

    >>> nd.subtract(nd.asarray([1.0, 2.0, 3.0]), nd.asarray([3.0, 2.0, 1.0]))
    NDArray([-2.,  0.,  2.])
    """
    return binary(_SUBTRACT, a, b, out)


_MULTIPLY: Final = MapOp("multiply")


def multiply(a: NDArray | Scalar, b: NDArray | Scalar, /, out: NDArray | None = None) -> NDArray:
    """Multiply a by b, item by item; booleans are combined with logical and.

    Args:
        a: an array or a number.
        b: an array or a number.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the broadcast shape, in the dtype of the operands together.

    Raises:
        DTypeError: the result cannot be cast to out's dtype.
        DeviceError: the operands are on different devices.
        ShapeError: the shapes do not broadcast, or `out` has another shape.

    >>> nd.multiply(nd.asarray([1.0, 2.0, 3.0]), nd.asarray([3.0, 2.0, 1.0]))
    NDArray([3., 4., 3.])
    """
    return binary(_MULTIPLY, a, b, out)


_DIVIDE: Final = MapOp("divide")


def divide(a: NDArray | Scalar, b: NDArray | Scalar, /, out: NDArray | None = None) -> NDArray:
    """Compute a / b, true division, item by item.

    Args:
        a: an array or a number.
        b: an array or a number.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the broadcast shape, in the dtype of the operands together, which is the default one for integers.

    Raises:
        DTypeError: the result cannot be cast to out's dtype.
        DeviceError: the operands are on different devices.
        ShapeError: the shapes do not broadcast, or `out` has another shape.

    >>> nd.divide(nd.asarray([1.0, 2.0, 3.0]), 2)
    NDArray([0.5000, 1.0000, 1.5000])
    """
    return binary(_DIVIDE, a, b, out)


_FLOOR_DIVIDE: Final = MapOp("floor_divide")


def floor_divide(a: NDArray | float, b: NDArray | float, /, out: NDArray | None = None) -> NDArray:
    """Divide a by b and round down to an integer, item by item: floor(a / b). Where one of them is infinite, and so is no
    multiple of anything, the result is that of `floor(a / b)`.

    Args:
        a: an array or a number.
        b: an array or a number.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the broadcast shape, in the dtype of the operands together.

    Raises:
        DTypeError: the operands are bool or complex, or the result cannot be cast to out's dtype.
        DeviceError: the operands are on different devices.
        ShapeError: the shapes do not broadcast, or `out` has another shape.

    >>> nd.floor_divide(nd.asarray([7, -7, 8]), 2)
    NDArray([ 3, -4,  4])
    """
    return array_api_edges.floor_divide(_FLOOR_DIVIDE, a, b, out)


_TRUNC_DIVIDE: Final = MapOp("trunc_divide")


def trunc_divide(a: NDArray | float, b: NDArray | float, /, out: NDArray | None = None) -> NDArray:
    """Compute trunc(a / b), towards zero, item by item.

    Args:
        a: an array or a number.
        b: an array or a number.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the broadcast shape, in the dtype of the operands together.

    Raises:
        DTypeError: the operands are bool or complex, or the result cannot be cast to out's dtype.
        DeviceError: the operands are on different devices.
        ShapeError: the shapes do not broadcast, or `out` has another shape.

    >>> nd.trunc_divide(nd.asarray([1.0, 2.0, 3.0]), nd.asarray([3.0, 2.0, 1.0]))
    NDArray([0., 1., 3.])
    """
    return binary(_TRUNC_DIVIDE, a, b, out)


_REMAINDER: Final = MapOp("remainder")


def remainder(a: NDArray | float, b: NDArray | float, /, out: NDArray | None = None) -> NDArray:
    """Compute the remainder a - b * floor(a / b), item by item; it has the sign of b. A remainder of 0 has the sign of the
    divisor, as any other.

    Args:
        a: an array or a number.
        b: an array or a number.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the broadcast shape, in the dtype of the operands together.

    Raises:
        DTypeError: the operands are bool or complex, or the result cannot be cast to out's dtype.
        DeviceError: the operands are on different devices.
        ShapeError: the shapes do not broadcast, or `out` has another shape.

    >>> nd.remainder(nd.asarray([7, -7, 8]), 3)
    NDArray([1, 2, 2])
    """
    return array_api_edges.remainder(_REMAINDER, a, b, out)


_FMOD: Final = MapOp("fmod")


def fmod(a: NDArray | float, b: NDArray | float, /, out: NDArray | None = None) -> NDArray:
    """Compute the remainder a - b * trunc(a / b), item by item; it has the sign of a.

    Args:
        a: an array or a number.
        b: an array or a number.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the broadcast shape, in the dtype of the operands together.

    Raises:
        DTypeError: the operands are bool or complex, or the result cannot be cast to out's dtype.
        DeviceError: the operands are on different devices.
        ShapeError: the shapes do not broadcast, or `out` has another shape.

    >>> nd.fmod(nd.asarray([7, -7, 8]), 3)
    NDArray([ 1, -1,  2])
    """
    return binary(_FMOD, a, b, out)


_POW: Final = PowerOp("pow")


def pow(a: NDArray | Scalar, b: NDArray | Scalar, /, out: NDArray | None = None) -> NDArray:
    """Raise a to the power b, item by item; integers wrap.

    Args:
        a: an array or a number.
        b: an array or a number.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the broadcast shape, in the dtype of the operands together.

    Raises:
        DTypeError: the operands are bool, an exponent is beyond what integers hold, or the result cannot be cast to out's dtype.
        NegativeIntegerPower: the exponent of integers is a negative number.
        DeviceError: the operands are on different devices.
        ShapeError: the shapes do not broadcast, or `out` has another shape.

    >>> nd.pow(nd.asarray([1.0, 2.0, 3.0]), nd.asarray([3.0, 2.0, 1.0]))
    NDArray([1., 4., 3.])
    """
    return binary(_POW, a, b, out)


_MAXIMUM: Final = MapOp("maximum")


def maximum(a: NDArray | float, b: NDArray | float, /, out: NDArray | None = None) -> NDArray:
    """Compute the greater of a and b, item by item; NaN wins.

    Args:
        a: an array or a number.
        b: an array or a number.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the broadcast shape, in the dtype of the operands together.

    Raises:
        DTypeError: the operands are complex, or the result cannot be cast to out's dtype.
        DeviceError: the operands are on different devices.
        ShapeError: the shapes do not broadcast, or `out` has another shape.

    >>> nd.maximum(nd.asarray([1.0, 2.0, 3.0]), nd.asarray([3.0, 2.0, 1.0]))
    NDArray([3., 2., 3.])
    """
    return binary(_MAXIMUM, a, b, out)


_MINIMUM: Final = MapOp("minimum")


def minimum(a: NDArray | float, b: NDArray | float, /, out: NDArray | None = None) -> NDArray:
    """Compute the smaller of a and b, item by item; NaN wins.

    Args:
        a: an array or a number.
        b: an array or a number.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the broadcast shape, in the dtype of the operands together.

    Raises:
        DTypeError: the operands are complex, or the result cannot be cast to out's dtype.
        DeviceError: the operands are on different devices.
        ShapeError: the shapes do not broadcast, or `out` has another shape.

    >>> nd.minimum(nd.asarray([1.0, 2.0, 3.0]), nd.asarray([3.0, 2.0, 1.0]))
    NDArray([1., 2., 1.])
    """
    return binary(_MINIMUM, a, b, out)


_FMAX: Final = MapOp("fmax")


def fmax(a: NDArray | float, b: NDArray | float, /, out: NDArray | None = None) -> NDArray:
    """Compute the greater of a and b, item by item; a number wins over NaN.

    Args:
        a: an array or a number.
        b: an array or a number.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the broadcast shape, in the dtype of the operands together.

    Raises:
        DTypeError: the operands are complex, or the result cannot be cast to out's dtype.
        DeviceError: the operands are on different devices.
        ShapeError: the shapes do not broadcast, or `out` has another shape.

    >>> nd.fmax(nd.asarray([1.0, nd.nan, 3.0]), 2.0)
    NDArray([2., 2., 3.])
    """
    return binary(_FMAX, a, b, out)


_FMIN: Final = MapOp("fmin")


def fmin(a: NDArray | float, b: NDArray | float, /, out: NDArray | None = None) -> NDArray:
    """Compute the smaller of a and b, item by item; a number wins over NaN.

    Args:
        a: an array or a number.
        b: an array or a number.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the broadcast shape, in the dtype of the operands together.

    Raises:
        DTypeError: the operands are complex, or the result cannot be cast to out's dtype.
        DeviceError: the operands are on different devices.
        ShapeError: the shapes do not broadcast, or `out` has another shape.

    >>> nd.fmin(nd.asarray([1.0, nd.nan, 3.0]), 2.0)
    NDArray([1., 2., 2.])
    """
    return binary(_FMIN, a, b, out)


_ATAN2: Final = MapOp("atan2")


def atan2(a: NDArray | float, b: NDArray | float, /, out: NDArray | None = None) -> NDArray:
    """Compute the angle of the point (b, a), item by item.

    Args:
        a: an array or a number.
        b: an array or a number.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the broadcast shape, in the dtype of the operands together, which is the default one for integers.

    Raises:
        DTypeError: the operands are complex, or the result cannot be cast to out's dtype.
        DeviceError: the operands are on different devices.
        ShapeError: the shapes do not broadcast, or `out` has another shape.

    >>> nd.atan2(nd.asarray([1.0, 2.0, 3.0]), nd.asarray([3.0, 2.0, 1.0]))
    NDArray([0.3218, 0.7854, 1.2490])
    """
    return binary(_ATAN2, a, b, out)


_HYPOT: Final = MapOp("hypot")


def hypot(a: NDArray | float, b: NDArray | float, /, out: NDArray | None = None) -> NDArray:
    """Compute sqrt(a*a + b*b), item by item.

    Args:
        a: an array or a number.
        b: an array or a number.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the broadcast shape, in the dtype of the operands together.

    Raises:
        DTypeError: the operands are not floating-point numbers, or the result cannot be cast to out's dtype.
        DeviceError: the operands are on different devices.
        ShapeError: the shapes do not broadcast, or `out` has another shape.

    >>> nd.hypot(nd.asarray([1.0, 2.0, 3.0]), nd.asarray([3.0, 2.0, 1.0]))
    NDArray([3.1623, 2.8284, 3.1623])
    """
    return binary(_HYPOT, a, b, out)


_COPYSIGN: Final = MapOp("copysign")


def copysign(a: NDArray | float, b: NDArray | float, /, out: NDArray | None = None) -> NDArray:
    """Give a the sign of b, item by item; zeros and NaN have signs, too.

    Args:
        a: an array or a number.
        b: an array or a number.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the broadcast shape, in the dtype of the operands together, which is the default one for integers.

    Raises:
        DTypeError: the operands are complex, or the result cannot be cast to out's dtype.
        DeviceError: the operands are on different devices.
        ShapeError: the shapes do not broadcast, or `out` has another shape.

    >>> nd.copysign(nd.asarray([1.0, 2.0, 3.0]), nd.asarray([3.0, 2.0, 1.0]))
    NDArray([1., 2., 3.])
    """
    return binary(_COPYSIGN, a, b, out)


_NEXTAFTER: Final = MapOp("nextafter")


def nextafter(a: NDArray | float, b: NDArray | float, /, out: NDArray | None = None) -> NDArray:
    """Compute the representable number next to a on the way to b, item by item.

    Args:
        a: an array or a number.
        b: an array or a number.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the broadcast shape, in the dtype of the operands together.

    Raises:
        DTypeError: the operands are not floating-point numbers, or the result cannot be cast to out's dtype.
        DeviceError: the operands are on different devices.
        ShapeError: the shapes do not broadcast, or `out` has another shape.

    >>> nd.nextafter(nd.asarray([1.0, 2.0]), 3.0)
    NDArray([1.0000, 2.0000])
    """
    return binary(_NEXTAFTER, a, b, out)


_HEAVISIDE: Final = MapOp("heaviside")


def heaviside(a: NDArray, b: NDArray, /, out: NDArray | None = None) -> NDArray:
    """Compute the Heaviside step function, item by item: 0 where a is negative or NaN, 1 where it is positive, b at 0.

    Args:
        a: an array.
        b: an array.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the broadcast shape, in the dtype of the operands together.

    Raises:
        DTypeError: the operands are not arrays of one dtype, not complex, or the result cannot be cast to out's dtype.
        DeviceError: the operands are on different devices.
        ShapeError: the shapes do not broadcast, or `out` has another shape.

    >>> nd.heaviside(nd.asarray([-1.0, 0.0, 2.0]), nd.asarray([0.5, 0.5, 0.5]))
    NDArray([0.0000, 0.5000, 1.0000])
    """
    return of_one_dtype(_HEAVISIDE, a, b, out)


_COMPLEX: Final = MapOp("complex")


def complex(a: NDArray, b: NDArray, /, out: NDArray | None = None) -> NDArray:
    """Compute a + i b, of two arrays of one dtype, item by item.

    Args:
        a: an array.
        b: an array.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the broadcast shape, of complex numbers, in the precision of the operands.

    Raises:
        DTypeError: the operands are not arrays of one dtype, float32 or float64, or the result cannot be cast to out's dtype.
        DeviceError: the operands are on different devices.
        ShapeError: the shapes do not broadcast, or `out` has another shape.

    >>> nd.complex(nd.asarray([1.0, 2.0]), nd.asarray([0.0, 3.0]))
    NDArray([1.+0.j, 2.+3.j])
    """
    return of_one_dtype(_COMPLEX, a, b, out)


_POLAR: Final = MapOp("polar")


def polar(a: NDArray, b: NDArray, /, out: NDArray | None = None) -> NDArray:
    """Compute a (cos b + i sin b), of two arrays of one dtype, item by item.

    Args:
        a: an array.
        b: an array.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the broadcast shape, of complex numbers, in the precision of the operands.

    Raises:
        DTypeError: the operands are not arrays of one dtype, float32 or float64, or the result cannot be cast to out's dtype.
        DeviceError: the operands are on different devices.
        ShapeError: the shapes do not broadcast, or `out` has another shape.

    >>> nd.polar(nd.asarray([1.0, 2.0]), nd.asarray([0.0, 3.0]))
    NDArray([ 1.0000+0.0000j, -1.9800+0.2822j])
    """
    return of_one_dtype(_POLAR, a, b, out)


_GCD: Final = MapOp("gcd")


def gcd(a: NDArray | int, b: NDArray | int, /, out: NDArray | None = None) -> NDArray:
    """Compute the greatest common divisor of a and b, item by item; it is never negative, and gcd(0, 0) is 0.

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

    >>> nd.gcd(nd.asarray([12, 18, 0]), 8)
    NDArray([4, 2, 8])
    """
    return binary(_GCD, a, b, out)


_LERP: Final = MapOp("lerp")


def lerp(a: NDArray | Scalar, b: NDArray | Scalar, weight: NDArray | Scalar, /, out: NDArray | None = None) -> NDArray:
    """Compute a + weight * (b - a), item by item.

    Args:
        a: an array or a number.
        b: an array or a number.
        weight: an array or a number.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the broadcast shape, in the dtype of the operands together.

    Raises:
        DTypeError: the operands are not floating-point or complex, or the result cannot be cast to out's dtype.
        DeviceError: the operands are on different devices.
        ShapeError: the shapes do not broadcast, or `out` has another shape.

    >>> nd.lerp(nd.asarray([1.0, 2.0]), nd.asarray([3.0, 6.0]), 0.5)
    NDArray([2., 4.])
    """
    return ternary(_LERP, a, b, weight, out)


_ADDCMUL: Final = MapOp("addcmul")


def addcmul(
    input: NDArray | Scalar, tensor1: NDArray | Scalar, tensor2: NDArray | Scalar, *, value: Scalar = 1, out: NDArray | None = None
) -> NDArray:
    """Compute a + value * b * c, value a number, item by item.

    Args:
        input: an array or a number.
        tensor1: an array or a number.
        tensor2: an array or a number.
        value: a number.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the broadcast shape, in the dtype of the operands together.

    Raises:
        DTypeError: the result cannot be cast to out's dtype.
        DeviceError: the operands are on different devices.
        ShapeError: the shapes do not broadcast, or `out` has another shape.

    >>> nd.addcmul(nd.asarray([1.0, 2.0]), nd.asarray([1.0, 3.0]), nd.asarray([2.0, 2.0]), value=0.5)
    NDArray([2., 5.])
    """
    return ternary(_ADDCMUL, input, tensor1, tensor2, out, value=value)


_ADDCDIV: Final = MapOp("addcdiv")


def addcdiv(
    input: NDArray | Scalar, tensor1: NDArray | Scalar, tensor2: NDArray | Scalar, *, value: Scalar = 1, out: NDArray | None = None
) -> NDArray:
    """Compute a + value * b / c, value a number, item by item.

    Args:
        input: an array or a number.
        tensor1: an array or a number.
        tensor2: an array or a number.
        value: a number.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the broadcast shape, in the dtype of the operands together.

    Raises:
        DTypeError: the operands are not floating-point or complex, or the result cannot be cast to out's dtype.
        DeviceError: the operands are on different devices.
        ShapeError: the shapes do not broadcast, or `out` has another shape.

    >>> nd.addcdiv(nd.asarray([1.0, 2.0]), nd.asarray([1.0, 3.0]), nd.asarray([2.0, 2.0]), value=0.5)
    NDArray([1.2500, 2.7500])
    """
    return ternary(_ADDCDIV, input, tensor1, tensor2, out, value=value)


_NEGATIVE: Final = MapOp("negative")


def negative(x: NDArray, /, out: NDArray | None = None) -> NDArray:
    """Change the sign of x, item by item.

    Args:
        x: an array.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the same shape, in x's dtype.

    Raises:
        DTypeError: the operands are bool, or the result cannot be cast to out's dtype.
        ShapeError: `out` has another shape.

    >>> nd.negative(nd.asarray([-1.0, 4.0, 9.0]))
    NDArray([ 1., -4., -9.])
    """
    return unary(_NEGATIVE, x, out)


_ABS: Final = MapOp("abs")


def abs(x: NDArray, /, out: NDArray | None = None) -> NDArray:
    """Compute the absolute value of x, item by item; of a complex number it is the modulus.

    Args:
        x: an array.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the same shape, real, in x's precision.

    Raises:
        DTypeError: the operands are bool, or the result cannot be cast to out's dtype.
        ShapeError: `out` has another shape.

    >>> nd.abs(nd.asarray([-1.0, 4.0, 9.0]))
    NDArray([1., 4., 9.])
    """
    return unary(_ABS, x, out)


_ANGLE: Final = MapOp("angle")


def angle(x: NDArray, /, out: NDArray | None = None) -> NDArray:
    """Compute the argument of x in (-pi, pi], item by item; of a real number 0, or pi where it is negative; NaN stays.

    Args:
        x: an array.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the same shape, real, in x's precision or the default dtype.

    Raises:
        DTypeError: the result cannot be cast to out's dtype.
        ShapeError: `out` has another shape.

    >>> nd.angle(nd.asarray([1.0, -1.0, 1j]))
    NDArray([0.0000, 3.1416, 1.5708])
    """
    return unary(_ANGLE, x, out)


_SIGN: Final = MapOp("sign")


def sign(x: NDArray, /, out: NDArray | None = None) -> NDArray:
    """Compute the sign of x, item by item: -1, 0 or 1, and 0 for NaN; for a complex number x / |x|. NaN stays NaN.

    Args:
        x: an array.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the same shape, in x's dtype.

    Raises:
        DTypeError: the result cannot be cast to out's dtype.
        ShapeError: `out` has another shape.

    >>> nd.sign(nd.asarray([-1.0, 4.0, 9.0]))
    NDArray([-1.,  1.,  1.])
    """
    return array_api_edges.sign(_SIGN, x, out)


_SQUARE: Final = MapOp("square")


def square(x: NDArray, /, out: NDArray | None = None) -> NDArray:
    """Square x, item by item; booleans become int64.

    Args:
        x: an array.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the same shape, in x's dtype, int64 for bool.

    Raises:
        DTypeError: the result cannot be cast to out's dtype.
        ShapeError: `out` has another shape.

    >>> nd.square(nd.asarray([-1.0, 4.0, 9.0]))
    NDArray([ 1., 16., 81.])
    """
    return unary(_SQUARE, x, out)


_RECIPROCAL: Final = MapOp("reciprocal")


def reciprocal(x: NDArray, /, out: NDArray | None = None) -> NDArray:
    """Compute 1 / x, item by item.

    Args:
        x: an array.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the same shape, in x's dtype, which is the default one for integers.

    Raises:
        DTypeError: the result cannot be cast to out's dtype.
        ShapeError: `out` has another shape.

    >>> nd.reciprocal(nd.asarray([-1.0, 4.0, 9.0]))
    NDArray([-1.0000,  0.2500,  0.1111])
    """
    return unary(_RECIPROCAL, x, out)


_SQRT: Final = MapOp("sqrt")


def sqrt(x: NDArray, /, out: NDArray | None = None) -> NDArray:
    """Compute the square root, item by item.

    Args:
        x: an array.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the same shape, in x's dtype, which is the default one for integers.

    Raises:
        DTypeError: the result cannot be cast to out's dtype.
        ShapeError: `out` has another shape.

    >>> nd.sqrt(nd.asarray([-1.0, 4.0, 9.0]))
    NDArray([nan, 2., 3.])
    """
    return unary(_SQRT, x, out)


_RSQRT: Final = MapOp("rsqrt")


def rsqrt(x: NDArray, /, out: NDArray | None = None) -> NDArray:
    """Compute 1 / sqrt(x), item by item.

    Args:
        x: an array.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the same shape, in x's dtype, which is the default one for integers.

    Raises:
        DTypeError: the result cannot be cast to out's dtype.
        ShapeError: `out` has another shape.

    >>> nd.rsqrt(nd.asarray([-1.0, 4.0, 9.0]))
    NDArray([   nan, 0.5000, 0.3333])
    """
    return unary(_RSQRT, x, out)
