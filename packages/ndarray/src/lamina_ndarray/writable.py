"""Whether a number, or an array of one item, may be written into an array of some dtype."""

from __future__ import annotations

from typing import Any

from lamina_flatarray import DType, DTypeError

__all__ = ["check_fits"]

def check_fits(op: str, value: Any, dtype: DType) -> None:
    """Refuse what would lose its imaginary part.

    Raises:
        DTypeError: the value is complex, and the dtype is not.
    """
    if dtype.is_complex:
        return
    if value.dtype.is_complex if hasattr(value, "dtype") else isinstance(value, complex):
        raise DTypeError(f"{op}: value cannot be converted to type {dtype.name} without overflow: {value!r} is complex")
