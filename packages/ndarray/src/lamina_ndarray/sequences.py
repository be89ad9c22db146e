"""Nested Python sequences of numbers, read as NumPy arrays of one of our dtypes."""

from __future__ import annotations

from typing import Any

import numpy as np

from lamina_flatarray import DTypeError, ShapeError
from lamina_flatarray.dtypes import dtype_of
from lamina_flatarray.promotion import get_default_dtype

from .array import NDArray

__all__ = ["numbers_in"]


def numbers_in(value: Any, dtype: Any) -> np.ndarray[Any, Any]:
    """The numbers in nested sequences of Python numbers (or of arrays, taken as their numbers).

    Args:
        value: lists or tuples, of equal lengths on every depth.
        dtype: what they become; by default bool, int64, or the default floating or complex dtype.

    Raises:
        ShapeError: the sequences differ in length.
        DTypeError: something is no number, or does not fit into the dtype.
    """
    array = _of_numbers(value)
    if array is None:
        plain = _plain(value)
        try:
            array = np.array(plain)
        except ValueError:
            raise ShapeError(f"asarray: nested sequences differ in length: {value!r:.100}") from None
        except OverflowError as error:
            raise DTypeError(f"asarray: {error}") from None
    if array.size == 0:
        target = dtype or get_default_dtype()
    elif array.dtype.kind == "U" or array.dtype.kind == "O" or array.dtype.kind == "S":
        raise DTypeError(f"asarray: items of type {type(_first(_plain(value))).__name__} given; it wants numbers")
    elif dtype is not None:
        target = dtype
    elif array.dtype.kind == "f":
        target = get_default_dtype()
    elif array.dtype.kind == "c":
        target = get_default_dtype().to_complex()
    else:
        target = dtype_of(array.dtype)
    if target.numpy is array.dtype:
        return array
    if array.dtype.kind == "i" and target.kind in "ui" and array.size:
        low, high = int(array.min()), int(array.max())
        info = np.iinfo(target.numpy)
        if low < info.min or high > info.max:
            raise DTypeError(f"asarray: value {low if low < info.min else high} does not fit into {target!r}")
    if array.dtype.kind == "c" and not target.is_complex:
        raise DTypeError(f"asarray: complex items given for {target!r}")
    return array.astype(target.numpy)


def _of_numbers(value: Any) -> np.ndarray[Any, Any] | None:
    """What NumPy makes of lists at once that seem to hold Python numbers alone; None where it makes nothing of them."""
    first = value
    while type(first) is list and first:
        first = first[0]
    if type(first) not in (float, int, bool, complex):
        return None
    try:
        array = np.array(value)
    except Exception:  # any item may refuse in its own way; it is looked at one by one then
        return None
    return array if array.dtype.kind in "bifc" else None


def _plain(value: Any) -> Any:
    if isinstance(value, NDArray):
        return value.tolist()
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, range):
        return list(value)
    if hasattr(value, "tolist") and not isinstance(value, np.generic):
        return value.tolist()
    return value


def _first(value: Any) -> Any:
    while isinstance(value, list) and value:
        value = value[0]
    return value
