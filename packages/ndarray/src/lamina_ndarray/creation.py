"""Arrays made from nothing, from Python numbers, and from other libraries' arrays."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from lamina_flatarray import DTypeError, FlatArray, ShapeError
from lamina_flatarray import backends as registry
from lamina_flatarray import dtypes as dt
from lamina_flatarray.dtypes import dtype_of
from lamina_flatarray.promotion import get_default_dtype, scalar_dtype

from .array import NDArray, empty_of
from .layout import Layout
from .operands import cast

__all__ = [
    "arange",
    "asarray",
    "empty",
    "empty_like",
    "eye",
    "from_dlpack",
    "from_numpy",
    "full",
    "full_like",
    "linspace",
    "ones",
    "ones_like",
    "zeros",
    "zeros_like",
]

Shape = int | Sequence[int]


def _shape(op: str, shape: Shape) -> tuple[int, ...]:
    found = (shape,) if isinstance(shape, int) else tuple(int(n) for n in shape)
    if any(n < 0 for n in found):
        raise ShapeError(f"{op}: shape {found} given; lengths must be 0 or more")
    return found


def empty(shape: Shape, *, dtype: Any = None, device: Any = None) -> NDArray:
    """An uninitialised array, row-major.

    Args:
        shape: a length or several.
        dtype: by default, the default dtype.
        device: by default, the default device.

    Raises:
        ShapeError: a length is negative.
        BackendError: nobody serves the device.
    """
    found = get_default_dtype() if dtype is None else dtype_of(dtype)
    return empty_of(registry.kernels(device, found), Layout.dense(_shape("empty", shape)))


def full(shape: Shape, value: complex, *, dtype: Any = None, device: Any = None) -> NDArray:
    """An array of one value; the dtype is that of the value unless given."""
    made = empty(shape, dtype=scalar_dtype(value) if dtype is None else dtype, device=device)
    made.flat.kernels["fill"](made, value=value)
    return made


def zeros(shape: Shape, *, dtype: Any = None, device: Any = None) -> NDArray:
    """An array of zeros in the default dtype unless another is given."""
    return full(shape, 0, dtype=get_default_dtype() if dtype is None else dtype, device=device)


def ones(shape: Shape, *, dtype: Any = None, device: Any = None) -> NDArray:
    """An array of ones in the default dtype unless another is given."""
    return full(shape, 1, dtype=get_default_dtype() if dtype is None else dtype, device=device)


def empty_like(x: NDArray, *, dtype: Any = None, device: Any = None) -> NDArray:
    """An uninitialised array of x's shape, and of its dtype, device and order of axes unless others are given."""
    found = x.dtype if dtype is None else dtype_of(dtype)
    kernels = x.flat.kernels.sibling(found) if device is None else registry.kernels(device, found)
    return empty_of(kernels, x.layout.result)


def full_like(x: NDArray, value: complex, *, dtype: Any = None, device: Any = None) -> NDArray:
    """An array of one value, otherwise as `empty_like`."""
    made = empty_like(x, dtype=dtype, device=device)
    made.flat.kernels["fill"](made, value=value)
    return made


def zeros_like(x: NDArray, *, dtype: Any = None, device: Any = None) -> NDArray:
    """An array of zeros, otherwise as `empty_like`."""
    return full_like(x, 0, dtype=dtype, device=device)


def ones_like(x: NDArray, *, dtype: Any = None, device: Any = None) -> NDArray:
    """An array of ones, otherwise as `empty_like`."""
    return full_like(x, 1, dtype=dtype, device=device)


def arange(
    start: float, stop: float | None = None, step: float = 1, *, dtype: Any = None, device: Any = None
) -> NDArray:
    """`start`, `start + step`, ... up to but without `stop`; with one argument, from 0 up to it.

    Item i is `start + i * step`, computed in float64 for floating dtypes and rounded once, as PyTorch does.

    Raises:
        ShapeError: `step` is 0 or leads away from `stop`.
    """
    if stop is None:
        start, stop = 0, start
    if step == 0 or (stop - start) * step < 0:
        raise ShapeError(f"arange: from {start} to {stop} by {step}; the step must be nonzero and lead to the end")
    whole = all(isinstance(v, int) for v in (start, stop, step))
    found = (dt.int64 if whole else get_default_dtype()) if dtype is None else dtype_of(dtype)
    count = -((start - stop) // step) if whole else math.ceil((stop - start) / step)
    made = empty_of(registry.kernels(device, found), Layout.dense((int(count),)))
    made.flat.kernels["arange"](made, start=start, step=step)
    return made


def linspace(start: float, stop: float, steps: int, *, dtype: Any = None, device: Any = None) -> NDArray:
    """`steps` values from `start` to `stop`, both included, evenly apart.

    As in PyTorch the first half counts up from `start` and the second half down from `stop`.

    Raises:
        ShapeError: `steps` is negative.
    """
    if steps < 0:
        raise ShapeError(f"linspace: number of steps must be non-negative, got {steps}")
    found = get_default_dtype() if dtype is None else dtype_of(dtype)
    if steps == 1:
        return full((1,), start, dtype=found, device=device)
    real = found.numpy if found.kind == "f" and found.itemsize >= 4 else np.dtype(np.float64)
    i = np.arange(steps)
    step = real.type((stop - start) / max(steps - 1, 1))
    up = real.type(start) + step * i.astype(real)
    down = real.type(stop) - step * (steps - 1 - i).astype(real)
    return from_numpy(np.where(i < steps // 2, up, down).astype(found.numpy)).to_device(device)


def eye(n: int, m: int | None = None, *, dtype: Any = None, device: Any = None) -> NDArray:
    """A matrix with ones on its diagonal, `n` by `m` (square if `m` is None)."""
    made = zeros((n, n if m is None else m), dtype=dtype, device=device)
    ones_there = NDArray(made.flat, made.layout.diagonal(0, 0, 1))
    made.flat.kernels["fill"](ones_there, value=1)
    return made


def from_numpy(array: np.ndarray[Any, Any]) -> NDArray:
    """An array over the same memory as a NumPy array. A read-only, byte-swapped or misaligned one is copied.

    Raises:
        DTypeError: its items have no lamina dtype.
    """
    found = dtype_of(array.dtype)
    itemsize = found.itemsize
    if (
        not array.dtype.isnative
        or not array.flags.writeable
        or not array.flags.aligned
        or any(s % itemsize for s in array.strides)
    ):
        array = np.array(array, dtype=found.numpy, order="C")
    strides = tuple(s // itemsize for s in array.strides)
    low = sum((n - 1) * s for n, s in zip(array.shape, strides, strict=True) if s < 0) if array.size else 0
    high = sum((n - 1) * s for n, s in zip(array.shape, strides, strict=True) if s > 0) if array.size else -1
    if array.flags.c_contiguous:
        return NDArray(FlatArray.from_buffer(array), Layout.dense(array.shape))
    first = array[tuple(slice(n - 1, n) if s < 0 else slice(0, 1) for n, s in zip(array.shape, strides, strict=True))]
    span = np.lib.stride_tricks.as_strided(first, (high - low + 1,), (itemsize,))
    return NDArray(FlatArray.from_buffer(span), Layout.of(array.shape, strides, -low))


def from_dlpack(source: Any) -> NDArray:
    """The array that another library hands over by DLPack, sharing its memory.

    Raises:
        BufferError: the memory is not on the host.
    """
    from lamina_flatarray import dlpack

    return from_numpy(dlpack.imported(source))


def asarray(value: Any, *, dtype: Any = None, device: Any = None, copy: bool | None = None) -> NDArray:
    """An array of anything array-like: an array, a number, nested sequences of numbers or arrays, a NumPy array, a
    buffer, or an object with `__dlpack__` or `__array__`.

    Args:
        value: what to hold. Python floats take the default dtype, integers int64.
        dtype: what to cast to.
        device: where to put it.
        copy: True for memory of its own, False to refuse when a copy is needed, None to share where possible.

    Raises:
        DTypeError: the items are not numbers.
        ShapeError: nested sequences differ in length.
        ValueError: `copy=False` and a copy is needed.
    """
    found = None if dtype is None else dtype_of(dtype)
    shared = True
    if isinstance(value, NDArray):
        made = value
    elif isinstance(value, np.ndarray):
        made = from_numpy(value)
        shared = made.flat.memory.__array_interface__["data"][0] == value.__array_interface__["data"][0]
    elif hasattr(value, "__dlpack__") and not isinstance(value, (np.generic, FlatArray)):
        made = from_dlpack(value)
    elif isinstance(value, FlatArray):
        made = NDArray(value, Layout.dense((value.size,)))
    else:
        made, shared = _from_sequence(value, found), False
    target = (
        registry.kernels(device, found or made.dtype)
        if device is not None or not shared
        else (made.flat.kernels.sibling(found or made.dtype))
    )
    placed = cast(made, target)
    if copy is False and (placed is not made or not shared):
        raise ValueError(f"asarray: a copy is needed to hold {type(value).__name__} as {target!r}, but copy=False")
    if copy and placed is made and shared:
        from .views import copy as copied

        return copied(made)
    return placed


def _from_sequence(value: Any, dtype: Any) -> NDArray:
    """Nested sequences of Python numbers (or of arrays, taken as their numbers)."""
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
        raise DTypeError(f"asarray: items of type {type(_first(plain)).__name__} given; it wants numbers")
    elif dtype is not None:
        target = dtype
    elif array.dtype.kind == "f":
        target = get_default_dtype()
    elif array.dtype.kind == "c":
        target = get_default_dtype().to_complex()
    else:
        target = dtype_of(array.dtype)
    if array.dtype.kind == "i" and target.kind in "ui" and array.size:
        low, high = int(array.min()), int(array.max())
        info = np.iinfo(target.numpy)
        if low < info.min or high > info.max:
            raise DTypeError(f"asarray: value {low if low < info.min else high} does not fit into {target!r}")
    if array.dtype.kind == "c" and not target.is_complex:
        raise DTypeError(f"asarray: complex items given for {target!r}")
    return from_numpy(array.astype(target.numpy))


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
