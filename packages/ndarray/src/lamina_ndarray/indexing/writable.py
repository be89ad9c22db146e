"""Whether a number, or an array of one item, may be written into an array of some dtype."""

from __future__ import annotations

from typing import Any

from lamina_flatarray import DType, DTypeError

from ..creation.scalars import HELD_BY_ALL, fitting

__all__ = ["check_fits"]


def check_fits(op: str, value: Any, dtype: DType) -> None:
    """Refuse what would lose its imaginary part, and a number that the dtype cannot hold.

    Raises:
        DTypeError: the value is complex, and the dtype is not; or it is too large, or not finite for an integer.
    """
    if (value.__class__ is float or value.__class__ is int) and dtype.is_inexact and -HELD_BY_ALL <= value <= HELD_BY_ALL:
        return  # most values
    is_array = hasattr(value, "dtype")
    if not dtype.is_complex and (value.dtype.is_complex if is_array else isinstance(value, complex)):
        raise DTypeError(f"{op}: value cannot be converted to type {dtype.name} without overflow: {value!r} is complex")
    if not is_array:
        fitting(op, value, dtype)
