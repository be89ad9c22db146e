"""Functions item by item that are a few lines over others, for arrays and, with gradients, for tensors."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

from lamina_flatarray import DType, DTypeError, finfo
from lamina_flatarray import dtypes as dt

from ..dispatch.namespace import composite, namespace

__all__ = [
    "deg2rad",
    "float_power",
    "frac",
    "isneginf",
    "isposinf",
    "isreal",
    "lcm",
    "nan_to_num",
    "positive",
    "rad2deg",
]


def _refuse(op: str, refused: bool, x: Any, wanted: str) -> None:
    if refused:
        raise DTypeError(f"{op}: not implemented for {x.dtype.name}; it wants {wanted}")


@composite
def positive(x: Any, /) -> Any:
    """x itself.

    Raises:
        DTypeError: x is boolean.
    """
    _refuse("positive", x.dtype.kind == "b", x, "numbers")
    return x


@composite
def frac(x: Any) -> Any:
    """What follows the point, with the sign of x: x - trunc(x).

    Raises:
        DTypeError: x is not floating-point.
    """
    _refuse("frac", not x.dtype.is_floating_point, x, "floating-point numbers")
    return x - namespace(x).trunc(x)


@composite
def deg2rad(x: Any) -> Any:
    """Degrees as radians.

    Raises:
        DTypeError: x is complex.
    """
    _refuse("deg2rad", x.dtype.is_complex, x, "real numbers")
    return x * (math.pi / 180)


@composite
def rad2deg(x: Any) -> Any:
    """Radians as degrees.

    Raises:
        DTypeError: x is complex.
    """
    _refuse("rad2deg", x.dtype.is_complex, x, "real numbers")
    return x * (180 / math.pi)


@composite(strict=True)
def float_power(x: Any, exponent: Any) -> Any:
    """x to a power, in float64, or in complex128 where one of both is complex. Either may be a number."""
    xp = namespace(x, exponent)
    is_complex = any(isinstance(v, complex) or getattr(getattr(v, "dtype", None), "is_complex", False) for v in (x, exponent))
    wide = dt.complex128 if is_complex else dt.float64
    return xp.pow(*(xp.astype(v, wide) if hasattr(v, "dtype") else v for v in (x, exponent)))


@composite(strict=True)
def lcm(a: Any, b: Any) -> Any:
    """The least common multiple, never negative; 0 where an operand is 0.

    Raises:
        DTypeError: the operands are not integers.
        ShapeError: the shapes do not broadcast.
    """
    xp = namespace(a, b)
    divisor = xp.gcd(a, b)
    return xp.abs(a // xp.where(divisor == 0, xp.ones_like(divisor), divisor) * b)


@composite
def isposinf(x: Any) -> Any:
    """Whether x is plus infinity.

    Raises:
        DTypeError: x is complex.
    """
    _refuse("isposinf", x.dtype.is_complex, x, "real numbers")
    return namespace(x).equal(x, math.inf) if x.dtype.is_inexact else x != x


@composite
def isneginf(x: Any) -> Any:
    """Whether x is minus infinity.

    Raises:
        DTypeError: x is complex.
    """
    _refuse("isneginf", x.dtype.is_complex, x, "real numbers")
    return namespace(x).equal(x, -math.inf) if x.dtype.is_inexact else x != x


@composite
def isreal(x: Any) -> Any:
    """Whether the imaginary part is 0: always, of a real number."""
    xp = namespace(x)
    return xp.imag(x) == 0 if x.dtype.is_complex else xp.astype(xp.ones_like(x), dt.bool)


@cache
def _limits(dtype: DType) -> Any:
    return finfo(dtype)


@composite
def nan_to_num(x: Any, nan: float | None = None, posinf: float | None = None, neginf: float | None = None) -> Any:
    """NaN replaced by `nan` (0 where None), infinities by `posinf` and `neginf` (the greatest and the smallest number of
    the dtype); each part of a complex number by itself."""
    xp = namespace(x)
    if x.dtype.is_complex:
        return xp.make_complex(*(nan_to_num(part, nan, posinf, neginf) for part in (xp.real(x), xp.imag(x))))
    if not x.dtype.is_inexact:
        return xp.copy(x)
    limits = _limits(x.dtype)
    return xp.where_finite(
        x, 0.0 if nan is None else float(nan), limits.max if posinf is None else float(posinf),
        limits.min if neginf is None else float(neginf),
    )  # fmt: skip
