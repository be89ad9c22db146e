"""Python sequences of numbers: numbers of one kind in a row written straight into an array, nested ones by way of NumPy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from struct import error as struct_error
from struct import pack_into
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from lamina_flatarray import ArgumentValueError, DType, DTypeError, ShapeError
from lamina_flatarray import backends as registry
from lamina_flatarray import dtypes as dt
from lamina_flatarray.dtypes import dtype_of
from lamina_flatarray.promotion import get_default_dtype, promote_types

from ..array_fields import empty_of, is_array
from ..layouts.layout import MOST_DIMS, Layout

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = ["numbers_in", "packed_numbers"]


def numbers_in(value: Any, dtype: Any) -> np.ndarray[Any, Any]:
    """The numbers in nested sequences of Python numbers (or of arrays, taken as their numbers).

    Args:
        value: lists or tuples, of equal lengths on every depth.
        dtype: what they become; by default bool, int64, or the default floating or complex dtype, which gives way to those of NumPy's
            scalars and of arrays among them.

    Raises:
        ArgumentValueError: the sequences differ in length, or begin with a string.
        DTypeError: something is no number, or does not fit into the dtype.
    """
    array, default = _of_numbers(value), get_default_dtype()
    one_by_one = array is None
    if array is None:
        plain = _plain(value)
        default = _inexact_dtype(value)
        try:
            array = np.array(plain)
        except ValueError:
            raise ArgumentValueError(f"asarray: nested sequences differ in length: {value!r:.100}") from None
        except OverflowError as error:
            raise DTypeError(f"asarray: {error}") from None
    if array.size == 0:
        target = dtype or default
    elif array.dtype.kind == "O" and all(isinstance(item, int) for item in array.flat):
        if dtype is None or not dtype.is_inexact:
            raise ArgumentValueError(f"asarray: value {max(array.flat, key=abs)} does not fit into {dtype or dt.int64!r}")
        target = dtype
    elif array.dtype.kind == "U" or array.dtype.kind == "O" or array.dtype.kind == "S":
        first = value
        while isinstance(first, (list, tuple)) and first:
            first = first[0]
        refusal = ArgumentValueError if isinstance(first, str) else DTypeError  # as PyTorch, which takes text for one more dim there
        raise refusal(f"asarray: items of type {type(_no_number(value)).__name__} given; it wants numbers")
    elif dtype is not None:
        target = dtype
    elif array.dtype.kind == "f":
        target = default
    elif array.dtype.kind == "c":
        target = default.to_complex()
    else:
        target = _whole_dtype(value) if one_by_one else dtype_of(array.dtype)
    if target.numpy is array.dtype:
        return array
    if array.dtype.kind in "ui" and target.kind in "ui" and array.size:
        low, high = int(array.min()), int(array.max())
        info = np.iinfo(target.numpy)
        least = info.min or -info.max  # negative ones wrap in unsigned dtypes
        if low < least or high > info.max:
            refusal = ArgumentValueError if high > np.iinfo(np.int64).max else DTypeError  # as PyTorch's
            raise refusal(f"asarray: value {low if low < least else high} does not fit into {target!r}")
    if array.dtype.kind == "f" and target.kind in "ui":
        info, limit = np.iinfo(target.numpy), float(np.iinfo(target.numpy).max)
        fits = (array >= info.min) & (array <= limit if target.itemsize < 8 else array < limit)
        if not fits.all():
            raise DTypeError(f"asarray: value {array[~fits].flat[0]} cannot be converted to type {target.name} without overflow")
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
    result_dtype = default() if dtype is None else dtype
    if result_dtype.unpack is None or result_dtype.kind not in fitting_kinds:
        return None
    kernels = registry.kernels(device, result_dtype)
    if not kernels.backend.host:
        return None
    result = empty_of(kernels, Layout.dense((len(numbers),)))
    try:
        pack_into(f"{len(numbers)}{result_dtype.numpy.char}", result.flat.memory, 0, *numbers)
    except (struct_error, OverflowError):  # one is beyond what the dtype holds: an error or infinity
        return None
    return result


def _of_numbers(value: Any) -> np.ndarray[Any, Any] | None:
    """What NumPy makes of lists at once that seem to hold Python numbers alone; None where it makes nothing of them."""
    first, depth = value, 0
    while type(first) is list and first:
        first, depth = first[0], depth + 1
        if depth > MOST_DIMS:
            raise _too_deep()
    if type(first) not in (float, int, bool, complex):
        return None
    try:
        array = np.array(value)
    except Exception:  # any item may refuse in its own way; it is looked at one by one then
        return None
    return array if array.dtype.kind in "bifc" else None


def _plain(value: Any, depth: int = 0) -> Any:
    """Nested lists of numbers, whatever held them."""
    if is_array(value):
        return value.tolist()
    if isinstance(value, (list, tuple)):
        if depth == MOST_DIMS:
            raise _too_deep()
        return [_plain(item, depth + 1) for item in value]
    if isinstance(value, range):
        return list(value)
    if depth and hasattr(value, "requires_grad") and value.numel() == 1:  # as in PyTorch, a number whatever its shape
        return value.item()
    if hasattr(value, "tolist") and not isinstance(value, np.generic):
        return value.tolist()
    return value


def _items(value: Any) -> Iterator[Any]:
    """What nested sequences hold, one by one."""
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, (list, tuple)):
            waiting.extend(reversed(item))
        else:
            yield item


def _whole_dtype(value: Any) -> DType:
    """What integers and booleans in nested sequences are together: Python's integers int64, all others of their own dtypes."""
    result: DType = dt.bool
    for item in _items(value):
        if hasattr(item, "dtype"):
            result = promote_types(result, dtype_of(item.dtype) if isinstance(item.dtype, np.dtype) else item.dtype)
        elif not isinstance(item, bool):
            result = promote_types(result, dt.int64)
    return result


def _inexact_dtype(value: Any) -> DType:
    """What floating numbers in nested sequences are: the widest of the dtypes that the items have, Python's floats the default one."""
    result: DType | None = None
    for item in _items(value):
        item_dtype = item.dtype if hasattr(item, "dtype") else get_default_dtype() if isinstance(item, (float, complex)) else None
        if isinstance(item_dtype, np.dtype):
            item_dtype = dtype_of(item_dtype) if item_dtype.kind in "fc" else None
        if item_dtype is not None and item_dtype.is_inexact:
            real = item_dtype.to_real()
            result = real if result is None else promote_types(result, real)
    return result or get_default_dtype()


def _too_deep() -> ShapeError:
    return ShapeError(f"asarray: too many dimensions: sequences are nested more than {MOST_DIMS} deep")


def _no_number(value: Any) -> Any:
    """The first item of nested sequences that is no number."""
    numbers = bool, int, float, complex, np.number, np.bool_
    return next((item for item in _items(value) if not isinstance(item, numbers) and not hasattr(item, "dtype")), value)
