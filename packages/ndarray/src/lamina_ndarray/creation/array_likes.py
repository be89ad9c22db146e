"""Arrays of what is like one: other libraries' arrays, buffers, nested sequences of numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from lamina_flatarray import Device, FlatArray
from lamina_flatarray import backends as registry
from lamina_flatarray.dtypes import dtype_of

from ..array_fields import array_of, is_array, view_of
from ..dispatch.casts import moved
from ..layouts.layout import Layout
from .sequences import numbers_in, packed_numbers

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = ["asarray", "from_dlpack", "from_numpy", "of_own"]


def from_numpy(array: np.ndarray[Any, Any]) -> NDArray:
    """Create an array over the same memory as a NumPy array; a read-only, byte-swapped or misaligned one is copied.

    Args:
        array: the NumPy array, of any strides.

    Returns:
        An array of the same shape and dtype on the CPU.

    Raises:
        DTypeError: its items have no lamina dtype.

    >>> import numpy as np
    >>> shared = np.arange(3)
    >>> x = nd.from_numpy(shared)
    >>> shared[0] = 7
    >>> x
    NDArray([7, 1, 2])
    """
    dtype = dtype_of(array.dtype)
    itemsize = dtype.itemsize
    if (
        not array.dtype.isnative
        or not array.flags.writeable
        or not array.flags.aligned
        or any(s % itemsize for s in array.strides)
    ):
        array = np.array(array, dtype=dtype.numpy, order="C")
    strides = tuple(s // itemsize for s in array.strides)
    low = sum((n - 1) * s for n, s in zip(array.shape, strides, strict=True) if s < 0) if array.size else 0
    high = sum((n - 1) * s for n, s in zip(array.shape, strides, strict=True) if s > 0) if array.size else -1
    if array.flags.c_contiguous:
        return array_of(FlatArray.from_buffer(array), Layout.dense(array.shape))
    first = array[tuple(slice(n - 1, n) if s < 0 else slice(0, 1) for n, s in zip(array.shape, strides, strict=True))]
    span = np.lib.stride_tricks.as_strided(first, (high - low + 1,), (itemsize,))
    return array_of(FlatArray.from_buffer(span), Layout.of(array.shape, strides, -low))


def from_dlpack(x: Any, *, device: Any = None, copy: bool | None = None) -> NDArray:
    """Create an array from another library's array by DLPack, sharing memory where possible.

    Args:
        x: an object with `__dlpack__` and `__dlpack_device__`.
        device: where to put it; by default, where it is.
        copy: True for memory of its own, False to refuse when a copy is needed, None to share where possible.

    Returns:
        An array of the same shape and dtype.

    Raises:
        BufferError: the memory is on a device that no backend takes over, or `copy=False` and a copy is needed.

    >>> import numpy as np
    >>> nd.from_dlpack(np.asarray([1.0, 2.0]))
    NDArray([1., 2.], dtype=lamina.float64)
    """
    if is_array(x):
        source, shared = x, True
    else:
        from lamina_flatarray import dlpack

        to_host = device is not None and Device(device).type == "cpu"
        if to_host or dlpack.place(x) == dlpack.HOST:
            array = dlpack.imported(x, to_host=to_host, copy=copy)
            source = from_numpy(array)
            shared = array.size == 0 or np.may_share_memory(array, np.asarray(source))
        else:
            source, shared = _on_device(dlpack.shared(x, copy=copy))
    placed = source.to_device(device)
    if copy is False and not (shared and placed is source):
        raise BufferError("from_dlpack: the memory is read-only or elsewhere and must be copied, but copy=False")
    if copy and placed is x:
        from ..shapes.views import copy as copied

        return copied(source)
    return placed


def _on_device(shared: Any) -> tuple[NDArray, bool]:
    """An array of what another library hands over on a device, and whether it is its memory; a copy of what is read-only."""
    flat = FlatArray(shared.memory, 0, shared.size, registry.kernels(shared.device, shared.dtype))
    result = array_of(flat, Layout.of(shared.shape, shared.strides, shared.offset))
    if shared.writable:
        return result, True
    from ..shapes.views import copy as copied

    return copied(result), False


def asarray(obj: Any, *, dtype: Any = None, device: Any = None, copy: bool | None = None) -> NDArray:
    """Convert anything array-like to an array, without a copy where possible.

    Args:
        obj: an array, a number, nested sequences of numbers or arrays, a NumPy array, a buffer, or an object with `__dlpack__`
            or `__array__`. Items of a buffer keep their dtype; Python floats take the default dtype, integers int64.
        dtype: what to cast to.
        device: where to put it.
        copy: True for memory of its own, False to refuse when a copy is needed, None to share where possible.

    Returns:
        An array of the items; `obj` itself where it is an array that needs no change.

    Raises:
        DTypeError: the items are not numbers.
        ArgumentValueError: nested sequences differ in length, or begin with a string.
        ValueError: `copy=False` and a copy is needed.

    >>> nd.asarray([[1, 2], [3, 4]])
    NDArray([[1, 2],
             [3, 4]])
    >>> nd.asarray([1, 2], dtype=nd.float32)
    NDArray([1., 2.])
    """
    result_dtype = None if dtype is None else dtype_of(dtype)
    kind = obj.__class__
    if (kind is list or kind is tuple) and copy is not False:
        packed = packed_numbers(obj, result_dtype, device)
        if packed is not None:
            return packed
    elif (kind is float or kind is int or kind is bool) and copy is not False:
        packed = packed_numbers((obj,), result_dtype, device)
        if packed is not None:
            return view_of(packed, Layout.dense(()))
    shared = True
    array: NDArray
    if is_array(obj):
        array = obj
    elif isinstance(obj, np.ndarray):
        array = from_numpy(obj)
        shared = array.flat.memory.__array_interface__["data"][0] == obj.__array_interface__["data"][0]
    elif hasattr(obj, "__dlpack__") and not isinstance(obj, (np.generic, FlatArray)):
        array = from_dlpack(obj)
    elif isinstance(obj, FlatArray):
        array = array_of(obj, Layout.dense((obj.size,)))
    elif (buffer := _buffer(obj)) is not None:
        array, shared = from_numpy(buffer), bool(buffer.flags.writeable)
    else:
        array, shared = of_own(numbers_in(obj, result_dtype)), False
    target = (
        registry.kernels(device, result_dtype or array.dtype)
        if device is not None or not shared
        else (array.flat.kernels.sibling(result_dtype or array.dtype))
    )
    placed = moved(array, target)
    if copy is False and (placed is not array or not shared):
        raise ValueError(f"asarray: a copy is needed to hold {type(obj).__name__} as {target!r}, but copy=False")
    if copy and placed is array and shared:
        from ..shapes.views import copy as copied

        return copied(array)
    return placed


def of_own(array: np.ndarray[Any, Any]) -> NDArray:
    """An array over a NumPy array that nobody else has, row-major, of one of our dtypes."""
    kernels = registry.kernels("cpu", dtype_of(array.dtype))
    return array_of(FlatArray(array.reshape(-1).view(np.uint8), 0, array.size, kernels), Layout.dense(array.shape))


def _buffer(obj: Any) -> np.ndarray[Any, Any] | None:
    """The items of an object with the buffer protocol, under its own shape and format; None for any other."""
    if isinstance(obj, (np.generic, list, tuple, int, float, complex)):
        return None
    try:
        return np.asarray(memoryview(obj))
    except TypeError:
        return None
