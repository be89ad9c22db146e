"""What a Python number becomes in a dtype: the number itself, or an error where it has no place there."""

from __future__ import annotations

import math
from functools import cache
from typing import Any, Final

import numpy as np

from lamina_flatarray import DTypeError
from lamina_flatarray.dtypes import DType, finfo, float16, float32, iinfo

__all__ = ["HELD_BY_ALL", "LONGEST", "SMALL", "as_number", "fitting", "fitting_factor"]

Number = bool | int | float | complex

_finfo, _iinfo = cache(finfo), cache(iinfo)

HELD_BY_ALL: Final = finfo(float16).max
"""The greatest number that every floating dtype holds."""

SMALL: Final = 127
"""Up to this, and down to its negative, every dtype takes a number, integers of floats their whole part, and unsigned ones wrapped."""

LONGEST: Final = 2**63
"""What whole numbers beside arrays are below; unsigned ones below twice this."""


def as_number(op: str, value: Any) -> Number:
    """A Python number of a number, a NumPy scalar, or an array of one item without axes.

    Raises:
        DTypeError: it is none of these.
    """
    if isinstance(value, (bool, int, float, complex)) and not isinstance(value, np.generic):
        return value
    if getattr(value, "shape", None):
        raise DTypeError(f"{op}: an array of shape {tuple(value.shape)} given; it only supports 0-dimensional ones")
    if hasattr(value, "item"):
        number: Number = value.item()
        return number
    if hasattr(value, "__index__"):
        return int(value.__index__())
    raise DTypeError(f"{op}: {type(value).__name__} given; it wants a number, or an array without axes")


def fitting(op: str, value: Number, dtype: DType) -> Number:
    """`value` where a dtype can hold it, fractions being dropped by integers and negative whole numbers wrapped
    by unsigned ones, as PyTorch has it.

    Raises:
        DTypeError: it is too large, not finite for an integer, or complex for a real dtype.
    """
    if value.__class__ is float:
        if dtype.is_inexact and -HELD_BY_ALL <= value <= HELD_BY_ALL:
            return value
    elif value.__class__ is int and -SMALL <= value <= SMALL:
        return value
    if dtype.kind == "b":
        return value
    if isinstance(value, complex):
        if dtype.is_complex:
            parts, limit = (value.real, value.imag), _finfo(dtype).max
            if all(abs(part) <= limit or not math.isfinite(part) for part in parts):
                return value
        elif value.imag == 0:
            return fitting(op, value.real, dtype)
        raise DTypeError(f"{op}: value {value} cannot be converted to {dtype.name} without overflow")
    if dtype.is_inexact:
        fits = abs(value) <= _finfo(dtype).max or not math.isfinite(value)
    elif not math.isfinite(value):
        fits = False
    else:
        info = _iinfo(dtype)
        low = -info.max if dtype.kind == "u" and isinstance(value, int) else info.min
        fits = low <= value <= info.max
    if not fits:
        raise DTypeError(f"{op}: value {value} cannot be converted to {dtype.name} without overflow")
    return value


def fitting_factor(op: str, value: Number, dtype: DType) -> Number:
    """As `fitting`, for what items are multiplied by, which is done in float32 where they have 16 bits.

    Raises:
        DTypeError: it is too large, not finite for an integer, or complex for a real dtype.
    """
    return fitting(op, value, float32 if dtype.is_floating_point and dtype.itemsize < 4 else dtype)
