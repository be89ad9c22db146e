"""Exponentials, logarithms, and trigonometric and hyperbolic functions, item by item.

Written by `generate/ndarray_elementwise.py` from the op table: change it there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from .dispatcher import MapOp, binary, unary

if TYPE_CHECKING:
    from ..array import NDArray
    from ..dispatch.operands import Scalar

__all__ = [
    "acos", "acosh", "asin", "asinh", "atan", "atanh", "cos", "cosh", "exp", "exp2", "expm1", "log", "log10", "log1p",
    "log2", "logaddexp", "logaddexp2", "sin", "sinh", "tan", "tanh",
]  # fmt: skip


_EXP: Final = MapOp("exp")


def exp(x: NDArray, /, out: NDArray | None = None) -> NDArray:
    """Compute e to the power x, item by item.

    Args:
        x: an array.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the same shape, in x's dtype, which is the default one for integers.

    Raises:
        DTypeError: the result cannot be cast to out's dtype.
        ShapeError: `out` has another shape.

    >>> nd.exp(nd.asarray([0.25, 0.5, 1.0]))
    NDArray([1.2840, 1.6487, 2.7183])
    """
    return unary(_EXP, x, out)


_EXP2: Final = MapOp("exp2")


def exp2(x: NDArray, /, out: NDArray | None = None) -> NDArray:
    """Compute 2 to the power x, item by item.

    Args:
        x: an array.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the same shape, in x's dtype, which is the default one for integers.

    Raises:
        DTypeError: the result cannot be cast to out's dtype.
        ShapeError: `out` has another shape.

    >>> nd.exp2(nd.asarray([0.25, 0.5, 1.0]))
    NDArray([1.1892, 1.4142, 2.0000])
    """
    return unary(_EXP2, x, out)


_EXPM1: Final = MapOp("expm1")


def expm1(x: NDArray, /, out: NDArray | None = None) -> NDArray:
    """Compute exp(x) - 1, accurate near 0, item by item.

    Args:
        x: an array.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the same shape, in x's dtype, which is the default one for integers.

    Raises:
        DTypeError: the result cannot be cast to out's dtype.
        ShapeError: `out` has another shape.

    >>> nd.expm1(nd.asarray([0.25, 0.5, 1.0]))
    NDArray([0.2840, 0.6487, 1.7183])
    """
    return unary(_EXPM1, x, out)


_LOG: Final = MapOp("log")


def log(x: NDArray, /, out: NDArray | None = None) -> NDArray:
    """Compute the natural logarithm, item by item.

    Args:
        x: an array.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the same shape, in x's dtype, which is the default one for integers.

    Raises:
        DTypeError: the result cannot be cast to out's dtype.
        ShapeError: `out` has another shape.

    >>> nd.log(nd.asarray([0.25, 0.5, 1.0]))
    NDArray([-1.3863, -0.6931,  0.0000])
    """
    return unary(_LOG, x, out)


_LOG2: Final = MapOp("log2")


def log2(x: NDArray, /, out: NDArray | None = None) -> NDArray:
    """Compute the logarithm to base 2, item by item.

    Args:
        x: an array.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the same shape, in x's dtype, which is the default one for integers.

    Raises:
        DTypeError: the result cannot be cast to out's dtype.
        ShapeError: `out` has another shape.

    >>> nd.log2(nd.asarray([0.25, 0.5, 1.0]))
    NDArray([-2., -1.,  0.])
    """
    return unary(_LOG2, x, out)


_LOG10: Final = MapOp("log10")


def log10(x: NDArray, /, out: NDArray | None = None) -> NDArray:
    """Compute the logarithm to base 10, item by item.

    Args:
        x: an array.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the same shape, in x's dtype, which is the default one for integers.

    Raises:
        DTypeError: the result cannot be cast to out's dtype.
        ShapeError: `out` has another shape.

    >>> nd.log10(nd.asarray([0.25, 0.5, 1.0]))
    NDArray([-0.6021, -0.3010,  0.0000])
    """
    return unary(_LOG10, x, out)


_LOG1P: Final = MapOp("log1p")


def log1p(x: NDArray, /, out: NDArray | None = None) -> NDArray:
    """Compute log(1 + x), accurate near 0, item by item.

    Args:
        x: an array.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the same shape, in x's dtype, which is the default one for integers.

    Raises:
        DTypeError: the result cannot be cast to out's dtype.
        ShapeError: `out` has another shape.

    >>> nd.log1p(nd.asarray([0.25, 0.5, 1.0]))
    NDArray([0.2231, 0.4055, 0.6931])
    """
    return unary(_LOG1P, x, out)


_LOGADDEXP: Final = MapOp("logaddexp")


def logaddexp(a: NDArray | Scalar, b: NDArray | Scalar, /, out: NDArray | None = None) -> NDArray:
    """Compute log(exp(a) + exp(b)), without overflow, item by item.

    Args:
        a: an array or a number.
        b: an array or a number.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the broadcast shape, in the dtype of the operands together.

    Raises:
        DTypeError: the operands are not floating-point or complex, or the result cannot be cast to out's dtype.
        DeviceError: the operands are on different devices.
        ShapeError: the shapes do not broadcast, or `out` has another shape.

    >>> nd.logaddexp(nd.asarray([1.0, 2.0, 3.0]), 2.0)
    NDArray([2.3133, 2.6931, 3.3133])
    """
    return binary(_LOGADDEXP, a, b, out)


_LOGADDEXP2: Final = MapOp("logaddexp2")


def logaddexp2(a: NDArray | float, b: NDArray | float, /, out: NDArray | None = None) -> NDArray:
    """Compute log2(2**a + 2**b), without overflow, item by item.

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

    >>> nd.logaddexp2(nd.asarray([1.0, 2.0, 3.0]), nd.asarray([3.0, 2.0, 1.0]))
    NDArray([3.3219, 3.0000, 3.3219])
    """
    return binary(_LOGADDEXP2, a, b, out)


_SIN: Final = MapOp("sin")


def sin(x: NDArray, /, out: NDArray | None = None) -> NDArray:
    """Compute the sine, item by item.

    Args:
        x: an array.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the same shape, in x's dtype, which is the default one for integers.

    Raises:
        DTypeError: the result cannot be cast to out's dtype.
        ShapeError: `out` has another shape.

    >>> nd.sin(nd.asarray([0.25, 0.5, 1.0]))
    NDArray([0.2474, 0.4794, 0.8415])
    """
    return unary(_SIN, x, out)


_COS: Final = MapOp("cos")


def cos(x: NDArray, /, out: NDArray | None = None) -> NDArray:
    """Compute the cosine, item by item.

    Args:
        x: an array.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the same shape, in x's dtype, which is the default one for integers.

    Raises:
        DTypeError: the result cannot be cast to out's dtype.
        ShapeError: `out` has another shape.

    >>> nd.cos(nd.asarray([0.25, 0.5, 1.0]))
    NDArray([0.9689, 0.8776, 0.5403])
    """
    return unary(_COS, x, out)


_TAN: Final = MapOp("tan")


def tan(x: NDArray, /, out: NDArray | None = None) -> NDArray:
    """Compute the tangent, item by item.

    Args:
        x: an array.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the same shape, in x's dtype, which is the default one for integers.

    Raises:
        DTypeError: the result cannot be cast to out's dtype.
        ShapeError: `out` has another shape.

    >>> nd.tan(nd.asarray([0.25, 0.5, 1.0]))
    NDArray([0.2553, 0.5463, 1.5574])
    """
    return unary(_TAN, x, out)


_ASIN: Final = MapOp("asin")


def asin(x: NDArray, /, out: NDArray | None = None) -> NDArray:
    """Compute the inverse sine, item by item.

    Args:
        x: an array.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the same shape, in x's dtype, which is the default one for integers.

    Raises:
        DTypeError: the result cannot be cast to out's dtype.
        ShapeError: `out` has another shape.

    >>> nd.asin(nd.asarray([0.25, 0.5, 1.0]))
    NDArray([0.2527, 0.5236, 1.5708])
    """
    return unary(_ASIN, x, out)


_ACOS: Final = MapOp("acos")


def acos(x: NDArray, /, out: NDArray | None = None) -> NDArray:
    """Compute the inverse cosine, item by item.

    Args:
        x: an array.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the same shape, in x's dtype, which is the default one for integers.

    Raises:
        DTypeError: the result cannot be cast to out's dtype.
        ShapeError: `out` has another shape.

    >>> nd.acos(nd.asarray([0.25, 0.5, 1.0]))
    NDArray([1.3181, 1.0472, 0.0000])
    """
    return unary(_ACOS, x, out)


_ATAN: Final = MapOp("atan")


def atan(x: NDArray, /, out: NDArray | None = None) -> NDArray:
    """Compute the inverse tangent, item by item.

    Args:
        x: an array.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the same shape, in x's dtype, which is the default one for integers.

    Raises:
        DTypeError: the result cannot be cast to out's dtype.
        ShapeError: `out` has another shape.

    >>> nd.atan(nd.asarray([0.25, 0.5, 1.0]))
    NDArray([0.2450, 0.4636, 0.7854])
    """
    return unary(_ATAN, x, out)


_SINH: Final = MapOp("sinh")


def sinh(x: NDArray, /, out: NDArray | None = None) -> NDArray:
    """Compute the hyperbolic sine, item by item.

    Args:
        x: an array.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the same shape, in x's dtype, which is the default one for integers.

    Raises:
        DTypeError: the result cannot be cast to out's dtype.
        ShapeError: `out` has another shape.

    >>> nd.sinh(nd.asarray([0.25, 0.5, 1.0]))
    NDArray([0.2526, 0.5211, 1.1752])
    """
    return unary(_SINH, x, out)


_COSH: Final = MapOp("cosh")


def cosh(x: NDArray, /, out: NDArray | None = None) -> NDArray:
    """Compute the hyperbolic cosine, item by item.

    Args:
        x: an array.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the same shape, in x's dtype, which is the default one for integers.

    Raises:
        DTypeError: the result cannot be cast to out's dtype.
        ShapeError: `out` has another shape.

    >>> nd.cosh(nd.asarray([0.25, 0.5, 1.0]))
    NDArray([1.0314, 1.1276, 1.5431])
    """
    return unary(_COSH, x, out)


_TANH: Final = MapOp("tanh")


def tanh(x: NDArray, /, out: NDArray | None = None) -> NDArray:
    """Compute the hyperbolic tangent, item by item.

    Args:
        x: an array.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the same shape, in x's dtype, which is the default one for integers.

    Raises:
        DTypeError: the result cannot be cast to out's dtype.
        ShapeError: `out` has another shape.

    >>> nd.tanh(nd.asarray([0.25, 0.5, 1.0]))
    NDArray([0.2449, 0.4621, 0.7616])
    """
    return unary(_TANH, x, out)


_ASINH: Final = MapOp("asinh")


def asinh(x: NDArray, /, out: NDArray | None = None) -> NDArray:
    """Compute the inverse hyperbolic sine, item by item.

    Args:
        x: an array.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the same shape, in x's dtype, which is the default one for integers.

    Raises:
        DTypeError: the result cannot be cast to out's dtype.
        ShapeError: `out` has another shape.

    >>> nd.asinh(nd.asarray([0.25, 0.5, 1.0]))
    NDArray([0.2475, 0.4812, 0.8814])
    """
    return unary(_ASINH, x, out)


_ACOSH: Final = MapOp("acosh")


def acosh(x: NDArray, /, out: NDArray | None = None) -> NDArray:
    """Compute the inverse hyperbolic cosine, item by item.

    Args:
        x: an array.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the same shape, in x's dtype, which is the default one for integers.

    Raises:
        DTypeError: the result cannot be cast to out's dtype.
        ShapeError: `out` has another shape.

    >>> nd.acosh(nd.asarray([1.0, 2.0, 3.0]))
    NDArray([0.0000, 1.3170, 1.7627])
    """
    return unary(_ACOSH, x, out)


_ATANH: Final = MapOp("atanh")


def atanh(x: NDArray, /, out: NDArray | None = None) -> NDArray:
    """Compute the inverse hyperbolic tangent, item by item.

    Args:
        x: an array.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the same shape, in x's dtype, which is the default one for integers.

    Raises:
        DTypeError: the result cannot be cast to out's dtype.
        ShapeError: `out` has another shape.

    >>> nd.atanh(nd.asarray([0.25, 0.5, 1.0]))
    NDArray([0.2554, 0.5493,    inf])
    """
    return unary(_ATANH, x, out)
