"""A number, or an array of one item, as it may be written into an array of some dtype."""

from __future__ import annotations

from typing import Any

from lamina_flatarray import DType, DTypeError
from lamina_flatarray.promotion import promote_types

from ..batching.levels import innermost
from ..creation.scalars import HELD_BY_ALL, fitting
from ..dispatch.namespace import namespace

__all__ = ["filling", "fitted"]


def fitted(op: str, value: Any, dtype: DType) -> Any:
    """The value, or its real part where it is complex, has no imaginary part, and the dtype is real.

    Raises:
        DTypeError: an imaginary part would be lost; or the number is too large, or not finite for an integer.
    """
    if (value.__class__ is float or value.__class__ is int) and dtype.is_inexact and -HELD_BY_ALL <= value <= HELD_BY_ALL:
        return value  # most values
    is_array = hasattr(value, "dtype")
    if not dtype.is_complex and (value.dtype.is_complex if is_array else isinstance(value, complex)):
        if (is_array and value.ndim) or (value.item() if is_array else value).imag != 0:
            raise DTypeError(f"{op}: value cannot be converted to type {dtype.name} without overflow: {value!r} is complex")
        value = namespace(value).real(value) if is_array else value.real
    return value if is_array else fitting(op, value, dtype)


def filling(op: str, value: Any, dtype: DType) -> Any:
    """As `fitted`, where an array without axes is looked at, too, if the dtype cannot hold all that its own can; not under `vmap`,
    which has several, nor on a device without items.

    Raises:
        DTypeError: the dtype cannot hold it.
    """
    value = fitted(op, value, dtype)
    if not hasattr(value, "dtype") or value.device.type == "meta" or innermost() is not None:
        return value
    if promote_types(value.dtype, dtype) is not dtype or (dtype.is_inexact and not value.dtype.is_inexact):
        fitting(op, value.item(), dtype)
    return value
