"""Python sequences of numbers: numbers of one kind in a row written straight into an array, nested ones by way of NumPy."""

from __future__ import annotations

from collections.abc import Sequence
from struct import error as struct_error
from struct import pack_into
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from lamina_flatarray import DType, DTypeError, ShapeError
from lamina_flatarray import backends as registry
from lamina_flatarray import dtypes as dt
from lamina_flatarray.dtypes import dtype_of
from lamina_flatarray.promotion import get_default_dtype

from ..array_fields import empty_of, is_array
from ..layouts.layout import Layout

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = ["numbers_in", "packed_numbers"]


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


_KINDS: Final = {float: ("f", get_default_dtype), int: ("ui", lambda: dt.int64), bool: ("b", lambda: dt.bool)}
"""Per kind of Python number: the kinds of dtypes that hold it as it is, and the dtype that it has unless one is given."""


def packed_numbers(numbers: Sequence[Any], dtype: DType | None, device: Any) -> NDArray | None:
    """Python numbers of one kind in a row, written straight into an array; None where that takes more of a look at them."""
    kinds = set(map(type, numbers))
    fitting_kinds, default = _KINDS.get(kinds.pop(), ("", None)) if len(kinds) == 1 else ("", None)
    if default is None:
        return None
    found = default() if dtype is None else dtype
    if found.unpack is None or found.kind not in fitting_kinds:
        return None
    kernels = registry.kernels(device, found)
    if not kernels.backend.host:
        return None
    result = empty_of(kernels, Layout.dense((len(numbers),)))
    try:
        pack_into(f"{len(numbers)}{found.numpy.char}", result.flat.memory, 0, *numbers)
    except (struct_error, OverflowError):  # one is beyond what the dtype holds: an error or infinity
        return None
    return result


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
    if is_array(value):
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
