"""Functions item by item that are a few lines over others, for arrays and, with gradients, for tensors."""

from __future__ import annotations

import math
from functools import cache
from typing import Any, overload

from lamina_flatarray import DType, DTypeError, finfo
from lamina_flatarray import dtypes as dt

from ..dispatch.namespace import Array, generic, namespace

__all__ = [
    "deg2rad",
    "float_power",
    "isneginf",
    "isposinf",
    "isreal",
    "lcm",
    "nan_to_num",
    "positive",
    "rad2deg",
]


def _refuse(op: str, refused: bool, x: Array, wanted: str) -> None:
    if refused:
        raise DTypeError(f"{op}: not implemented for {x.dtype.name}; it wants {wanted}")


@generic
def positive(x: Array, /) -> Array:
    """Return x itself, as the operator `+x` does.

    Args:
        x: an array of numbers.

    Returns:
        x.

    Raises:
        DTypeError: x is boolean.

    >>> nd.positive(nd.asarray([-1.5, 2.0]))
    NDArray([-1.5000,  2.0000])
    """
    _refuse("positive", x.dtype.kind == "b", x, "numbers")
    return x


@generic
def deg2rad(x: Array) -> Array:
    """Convert angles from degrees to radians: `x * pi / 180`.

    Args:
        x: a real array, in degrees.

    Returns:
        An array of x's shape, in x's dtype; integers give the default dtype.

    Raises:
        DTypeError: x is complex.

    >>> nd.deg2rad(nd.asarray([0.0, 90.0, 180.0]))
    NDArray([0.0000, 1.5708, 3.1416])
    """
    _refuse("deg2rad", x.dtype.is_complex, x, "real numbers")
    return x * (math.pi / 180)


@generic
def rad2deg(x: Array) -> Array:
    """Convert angles from radians to degrees: `x * 180 / pi`.

    Args:
        x: a real array, in radians.

    Returns:
        An array of x's shape, in x's dtype; integers give the default dtype.

    Raises:
        DTypeError: x is complex.

    >>> nd.rad2deg(nd.asarray([0.5, 1.0]))
    NDArray([28.6479, 57.2958])
    """
    _refuse("rad2deg", x.dtype.is_complex, x, "real numbers")
    return x * (180 / math.pi)


@overload
def float_power(x: Array, exponent: Array | complex) -> Array: ...
@overload
def float_power(x: complex, exponent: Array) -> Array: ...
@generic(strict=True)
def float_power(x: Any, exponent: Any) -> Any:
    """Raise x to a power, item by item, in double precision.

    Args:
        x: an array or a number.
        exponent: an array or a number; both broadcast.

    Returns:
        An array of the broadcast shape, in float64, or in complex128 where one of both is complex.

    >>> nd.float_power(nd.asarray([2, 3]), -1)
    NDArray([0.5000, 0.3333], dtype=lamina.float64)
    """
    xp = namespace(x, exponent)
    is_complex = any(isinstance(v, complex) or getattr(getattr(v, "dtype", None), "is_complex", False) for v in (x, exponent))
    wide = dt.complex128 if is_complex else dt.float64
    if not hasattr(x, "dtype"):
        exponent = xp.contiguous(exponent)  # as in PyTorch, whatever order it lies in
    return xp.pow(*(xp.astype(v, wide) if hasattr(v, "dtype") else v for v in (x, exponent)))


@generic(strict=True)
def lcm(a: Array, b: Array) -> Array:
    """Compute the least common multiple, item by item: never negative, and 0 where an operand is 0.

    Args:
        a: an integer array.
        b: an integer array; both broadcast.

    Returns:
        An array of the broadcast shape, in the common dtype.

    Raises:
        DTypeError: the operands are not integers.
        ShapeError: the shapes do not broadcast.

    >>> nd.lcm(nd.asarray([4, 6, 0]), nd.asarray([6, -8, 5]))
    NDArray([12, 24,  0])
    """
    xp = namespace(a, b)
    divisor = xp.gcd(a, b)
    return xp.abs(a // xp.where(xp.equal(divisor, 0), xp.ones_like(divisor), divisor) * b)


@generic
def isposinf(x: Array) -> Array:
    """Check item by item whether x is plus infinity.

    Args:
        x: a real array.

    Returns:
        A bool array of x's shape.

    Raises:
        DTypeError: x is complex.

    >>> nd.isposinf(nd.asarray([float("inf"), float("-inf"), 1.0]))
    NDArray([ True, False, False])
    """
    _refuse("isposinf", x.dtype.is_complex, x, "real numbers")
    xp = namespace(x)
    return xp.equal(x, math.inf) if x.dtype.is_inexact else xp.not_equal(x, x)


@generic
def isneginf(x: Array) -> Array:
    """Check item by item whether x is minus infinity.

    Args:
        x: a real array.

    Returns:
        A bool array of x's shape.

    Raises:
        DTypeError: x is complex.

    >>> nd.isneginf(nd.asarray([float("inf"), float("-inf"), 1.0]))
    NDArray([False,  True, False])
    """
    _refuse("isneginf", x.dtype.is_complex, x, "real numbers")
    xp = namespace(x)
    return xp.equal(x, -math.inf) if x.dtype.is_inexact else xp.not_equal(x, x)


@generic
def isreal(x: Array) -> Array:
    """Check item by item whether the imaginary part is 0, as it always is for real dtypes.

    Args:
        x: an array.

    Returns:
        A bool array of x's shape.

    >>> nd.isreal(nd.asarray([1 + 0j, 1 + 1j]))
    NDArray([ True, False])
    """
    xp = namespace(x)
    return xp.equal(xp.imag(x), 0) if x.dtype.is_complex else xp.astype(xp.ones_like(x), dt.bool)


@cache
def _limits(dtype: DType) -> Any:
    return finfo(dtype)


@generic
def nan_to_num(x: Array, nan: float | None = None, posinf: float | None = None, neginf: float | None = None) -> Array:
    """Replace NaN and infinities by finite numbers; each part of a complex number by itself.

    Args:
        x: an array; integers are only copied.
        nan: what replaces NaN; 0 where None.
        posinf: what replaces plus infinity; the greatest number of the dtype where None.
        neginf: what replaces minus infinity; the smallest number of the dtype where None.

    Returns:
        A new array of x's shape and dtype.

    >>> nd.nan_to_num(nd.asarray([float("nan"), float("inf"), 2.0]), posinf=99.0)
    NDArray([ 0., 99.,  2.])
    """
    xp = namespace(x)
    if x.dtype.is_complex:
        return xp.complex(*(nan_to_num(part, nan, posinf, neginf) for part in (xp.real(x), xp.imag(x))))
    if not x.dtype.is_inexact:
        return xp.copy(x)
    limits = _limits(x.dtype)
    return xp.where_finite(
        x, 0.0 if nan is None else float(nan), limits.max if posinf is None else float(posinf),
        limits.min if neginf is None else float(neginf),
    )  # fmt: skip
