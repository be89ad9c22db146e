"""Arrays made from nothing, from Python numbers, and from other libraries' arrays."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from lamina_flatarray import Device, DType, DTypeError, FlatArray, OpNotImplemented, ShapeError
from lamina_flatarray import backends as registry
from lamina_flatarray import dtypes as dt
from lamina_flatarray.dtypes import dtype_of
from lamina_flatarray.promotion import get_default_dtype, scalar_dtype

from ..array_fields import ArrayFields, array_of, empty_of, is_array, view_of
from ..dispatch.casts import moved
from ..layouts.broadcast import integers
from ..layouts.layout import Layout
from .scalars import HELD_BY_ALL, as_number, fitting
from .sequences import numbers_in, packed_numbers

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = [
    "arange",
    "asarray",
    "empty",
    "empty_like",
    "empty_permuted",
    "empty_strided",
    "eye",
    "from_dlpack",
    "from_numpy",
    "full",
    "full_like",
    "ones",
    "ones_like",
    "scalar_tensor",
    "zeros",
    "zeros_like",
]

Shape = int | Sequence[int]
_REAL: Final = frozenset({int, float})


def _shape(op: str, shape: Shape) -> tuple[int, ...]:
    lengths = integers(shape, op)
    if any(n < 0 for n in lengths):
        raise ShapeError(f"{op}: shape {lengths} given; lengths must be 0 or more")
    return lengths


def empty(shape: Shape, *, dtype: Any = None, device: Any = None, memory_format: str = "contiguous") -> NDArray:
    """Allocate an array without initialising its items.

    Args:
        shape: a length or several.
        dtype: by default, the default dtype.
        device: by default, the default device.
        memory_format: the order of axes in memory: "contiguous" (row-major), "fortran", "channels_last" or
            "channels_last_3d".

    Returns:
        An array whose items are whatever the memory holds.

    Raises:
        ShapeError: a length is negative, or the format wants another number of axes.
        BackendError: nobody serves the device.

    >>> nd.empty((2, 3), memory_format="fortran").strides
    (1, 2)
    """
    if memory_format == "contiguous":
        return dense("empty", shape, dtype, device)
    result_dtype = get_default_dtype() if dtype is None else dtype_of(dtype)
    try:
        layout = Layout.formatted(integers(shape, "empty"), memory_format)
    except ShapeError as error:
        raise ShapeError(f"empty: {str(error).removeprefix('Layout: ')}") from None
    return empty_of(registry.kernels(device, result_dtype), layout)


def dense(op: str, shape: Shape, dtype: Any, device: Any) -> NDArray:
    """An uninitialised row-major array, for the function `op`."""
    if dtype.__class__ is not DType:
        dtype = dt.default if dtype is None else dtype_of(dtype)
    kernels = registry.kernels(device, dtype)
    try:
        return empty_of(kernels, Layout.dense(shape if shape.__class__ is tuple else integers(shape, op)))
    except TypeError:  # within the tuple
        return empty_of(kernels, Layout.dense(integers(shape, op)))
    except ShapeError as error:
        raise ShapeError(f"{op}: {str(error).removeprefix('Layout: ')}") from None


def empty_strided(shape: Sequence[int], strides: Sequence[int], *, dtype: Any = None, device: Any = None) -> NDArray:
    """Allocate an array with these strides, without initialising it, in as much memory as they reach.

    Args:
        shape: the lengths of the axes.
        strides: one per axis, in items: 0 repeats an item, and gaps stay unused.
        dtype: by default, the default dtype.
        device: by default, the default device.

    Returns:
        An array of the shape and the strides.

    Raises:
        ShapeError: there are not as many strides as lengths, or one of either is negative.

    >>> x = nd.empty_strided((2, 3), (1, 4))
    >>> x.shape, x.strides, x.flat.size
    ((2, 3), (1, 4), 10)
    """
    lengths, steps = _shape("empty_strided", shape), tuple(strides)
    if len(lengths) != len(steps):
        raise ShapeError(
            f"empty_strided: dimensionality of sizes ({len(lengths)}) must match dimensionality of strides ({len(steps)})"
        )
    if any(step < 0 for step in steps):
        raise ShapeError(f"empty_strided: strides {steps} given; they must be 0 or more")
    layout = Layout.of(lengths, steps)
    memory = empty((layout.extent()[1] + 1,), dtype=dtype, device=device)
    return array_of(memory.flat, layout)


def empty_permuted(
    shape: Sequence[int], physical_layout: Sequence[int], *, dtype: Any = None, device: Any = None
) -> NDArray:
    """Allocate a dense array whose axes lie in memory in another order, without initialising it.

    Args:
        shape: the lengths of the axes.
        physical_layout: the axes in the order in which they lie in memory, the outermost first, each once.
        dtype: by default, the default dtype.
        device: by default, the default device.

    Returns:
        An array of the shape, without gaps.

    Raises:
        ShapeError: not every axis is named once, or one is named from the end.

    >>> nd.empty_permuted((2, 3, 4), (0, 2, 1)).strides
    (12, 1, 3)
    """
    lengths, order = _shape("empty_permuted", shape), tuple(physical_layout)
    if sorted(order) != list(range(len(lengths))):
        raise ShapeError(
            f"empty_permuted: physical_layout {order} for shape {lengths}; it wants each of 0 to {len(lengths) - 1} once"
        )
    physical = empty([lengths[axis] for axis in order], dtype=dtype, device=device)
    return array_of(physical.flat, physical.layout.permute([order.index(axis) for axis in range(len(order))]))


def full(shape: Shape, fill_value: Any, *, dtype: Any = None, device: Any = None) -> NDArray:
    """Create an array that holds one value everywhere.

    Args:
        shape: a length or several.
        fill_value: a number, or an array without axes.
        dtype: by default that of the value.
        device: by default, the default device.

    Returns:
        An array of the shape.

    Raises:
        ShapeError: a length is negative.
        DTypeError: the value does not fit into the dtype.

    >>> nd.full((2, 3), 7)
    NDArray([[7, 7, 7],
             [7, 7, 7]])
    """
    if dtype is None and fill_value.__class__ is not float:
        dtype = fill_value.dtype if isinstance(fill_value, ArrayFields) else scalar_dtype(as_number("full", fill_value))
    return _filled("full", dense("full", shape, dtype, device), fill_value)


def _filled(op: str, x: NDArray, value: Any) -> NDArray:
    kernels = x.flat.kernels
    if value.__class__ is not float or not kernels.dtype.is_inexact or not -HELD_BY_ALL <= value <= HELD_BY_ALL:
        value = fitting(op, as_number(op, value), kernels.dtype)
    kernels["fill"](x, value=value)
    return x


def scalar_tensor(value: Any, *, dtype: Any = None, device: Any = None) -> NDArray:
    """Create an array without axes from one number; unlike `asarray`, in the default dtype whatever the number's kind is.

    Args:
        value: the number.
        dtype: by default, the default dtype.
        device: by default, the default device.

    Returns:
        An array of shape `()`.

    Raises:
        DTypeError: the value does not fit into the dtype.

    >>> nd.scalar_tensor(3).dtype, nd.asarray(3).dtype
    (lamina.float32, lamina.int64)
    """
    return full((), value, dtype=get_default_dtype() if dtype is None else dtype, device=device)


def zeros(shape: Shape, *, dtype: Any = None, device: Any = None) -> NDArray:
    """Create an array of zeros.

    Args:
        shape: a length or several.
        dtype: by default, the default dtype.
        device: by default, the default device.

    Returns:
        An array of the shape.

    >>> nd.zeros((2, 2), dtype=nd.int32)
    NDArray([[0, 0],
             [0, 0]], dtype=lamina.int32)
    """
    result = dense("zeros", shape, dtype, device)
    result.flat.kernels["fill"](result, value=0)
    return result


def ones(shape: Shape, *, dtype: Any = None, device: Any = None) -> NDArray:
    """Create an array of ones.

    Args:
        shape: a length or several.
        dtype: by default, the default dtype.
        device: by default, the default device.

    Returns:
        An array of the shape.

    >>> nd.ones((2, 3))
    NDArray([[1., 1., 1.],
             [1., 1., 1.]])
    """
    result = dense("ones", shape, dtype, device)
    result.flat.kernels["fill"](result, value=1)
    return result


def empty_like(x: NDArray, *, dtype: Any = None, device: Any = None, memory_format: str = "preserve") -> NDArray:
    """Allocate an array like another one, without initialising it.

    Args:
        x: whose shape, dtype, device and order of axes to take, unless others are given.
        dtype: x's own where None.
        device: x's own where None.
        memory_format: "preserve" for x's order of axes where x is dense, else row-major; or one of `empty`'s.

    Returns:
        An array of x's shape.

    >>> x = nd.empty_like(nd.zeros((2, 3)).T, dtype=nd.int8)
    >>> x.shape, x.strides, x.dtype
    ((3, 2), (1, 3), lamina.int8)
    """
    result_dtype = x.dtype if dtype is None else dtype if dtype.__class__ is DType else dtype_of(dtype)
    kernels = x.flat.kernels.sibling(result_dtype) if device is None else registry.kernels(device, result_dtype)
    if memory_format == "preserve":
        return empty_of(kernels, x.layout.like)
    return empty_of(kernels, Layout.formatted(x.layout.shape, memory_format))


def full_like(
    x: NDArray, fill_value: Any, *, dtype: Any = None, device: Any = None, memory_format: str = "preserve"
) -> NDArray:
    """Create an array like another one that holds one value everywhere.

    Args:
        x: whose shape, dtype, device and order of axes to take, unless others are given.
        fill_value: a number, or an array without axes.
        dtype: x's own where None.
        device: x's own where None.
        memory_format: "preserve" for x's order of axes where x is dense, else row-major; or one of `empty`'s.

    Returns:
        An array of x's shape.

    Raises:
        DTypeError: the value does not fit into the dtype.

    >>> nd.full_like(nd.zeros((2, 2)), 0.5)
    NDArray([[0.5000, 0.5000],
             [0.5000, 0.5000]])
    """
    result = empty_like(x, dtype=dtype, device=device, memory_format=memory_format)
    return _filled("full_like", result, fill_value)


def zeros_like(
    x: NDArray, *, dtype: Any = None, device: Any = None, memory_format: str = "preserve"
) -> NDArray:
    """Create an array of zeros like another one.

    Args:
        x: whose shape, dtype, device and order of axes to take, unless others are given.
        dtype: x's own where None.
        device: x's own where None.
        memory_format: "preserve" for x's order of axes where x is dense, else row-major; or one of `empty`'s.

    Returns:
        An array of x's shape.

    >>> nd.zeros_like(nd.asarray([[1, 2], [3, 4]]))
    NDArray([[0, 0],
             [0, 0]])
    """
    result = empty_like(x, dtype=dtype, device=device, memory_format=memory_format)
    result.flat.kernels["fill"](result, value=0)
    return result


def ones_like(
    x: NDArray, *, dtype: Any = None, device: Any = None, memory_format: str = "preserve"
) -> NDArray:
    """Create an array of ones like another one.

    Args:
        x: whose shape, dtype, device and order of axes to take, unless others are given.
        dtype: x's own where None.
        device: x's own where None.
        memory_format: "preserve" for x's order of axes where x is dense, else row-major; or one of `empty`'s.

    Returns:
        An array of x's shape.

    >>> nd.ones_like(nd.zeros((2, 2)), dtype=nd.bool)
    NDArray([[True, True],
             [True, True]])
    """
    result = empty_like(x, dtype=dtype, device=device, memory_format=memory_format)
    result.flat.kernels["fill"](result, value=1)
    return result


def arange(
    start: Any, stop: Any = None, step: Any = 1, *, dtype: Any = None, device: Any = None, strict: bool = False
) -> NDArray:
    """Create a row of numbers at equal steps: `start`, `start + step`, ... up to but without `stop`.

    With one argument, it counts from 0 up to it. Item i is `start + i * step`, computed in float64 for floating dtypes and
    rounded once, on every backend. (PyTorch rounds a second time every few items, how often depends on the processor.) An
    integer dtype drops the fractions of its bounds and its step first.

    Args:
        start: the first number, or `stop` if it is the only argument; a number, or an array without axes.
        stop: the end, which is left out.
        step: the difference of neighbours, possibly negative.
        dtype: by default int64 where all of them are integers, else the default dtype.
        device: by default, the default device.
        strict: whether a step that leads away from `stop` is an error, as in PyTorch; else the result has no items.

    Returns:
        An array of shape `(ceil((stop - start) / step),)`, or `(0,)` where that is negative.

    Raises:
        DTypeError: a bound or the step is complex.
        ShapeError: `step` is 0 (or leads away from `stop`), a bound is not finite, or there are 2**63 numbers or more.
        OpNotImplemented: the dtype is bool or complex.

    >>> nd.arange(5)
    NDArray([0, 1, 2, 3, 4])
    >>> nd.arange(1, 0, -0.25)
    NDArray([1.0000, 0.7500, 0.5000, 0.2500])
    """
    if stop is None:
        start, stop = 0, start
    whole = start.__class__ is stop.__class__ is step.__class__ is int
    first, last, reach = start, stop, step
    if not whole and not _REAL.issuperset((start.__class__, stop.__class__, step.__class__)):
        first, last, reach = [as_number("arange", v) for v in (start, stop, step)]
        if any(isinstance(v, complex) for v in (first, last, reach)):
            raise DTypeError(f"arange: complex bounds from {first} to {last} by {reach}; it wants real ones")
        whole = all(isinstance(v, int) for v in (first, last, reach))
    result_dtype = (
        (dt.int64 if whole else get_default_dtype()) if dtype is None else dtype if dtype.__class__ is DType else dtype_of(dtype)
    )
    if result_dtype.kind in "bc":
        raise OpNotImplemented(f"arange: not implemented for {result_dtype.name}; it wants integers or floats")
    if not whole and not (math.isfinite(first) and math.isfinite(last) and reach == reach):
        raise ShapeError(f"arange: unsupported range: {first} -> {last} by {reach}; it wants finite bounds and a step")
    if result_dtype is dt.int64 and not whole:
        first, last, reach = int(first), int(last), int(reach)
        whole = True
    if reach == 0 or (result_dtype.kind in "ui" and int(reach) == 0):
        raise ShapeError(f"arange: from {first} to {last} by {reach} in {result_dtype.name}: step must be nonzero")
    if strict and (last - first) * reach < 0:
        raise ShapeError(
            f"arange: from {first} to {last} by {reach}: upper bound and lower bound inconsistent with step sign"
        )
    length = -((first - last) // reach) if whole else (last - first) / reach
    if not length < 2**63:
        raise ShapeError(f"arange: from {first} to {last} by {reach}: invalid size, possible overflow")
    count = math.ceil(max(length, 0))
    result = empty_of(registry.kernels(device, result_dtype), Layout.dense((count,)))
    result.flat.kernels["arange"](result, start=first, step=reach)
    return result


def eye(n_rows: int, n_cols: int | None = None, *, k: int = 0, dtype: Any = None, device: Any = None) -> NDArray:
    """Create a matrix with ones on one diagonal and zeros elsewhere.

    Args:
        n_rows: the number of rows.
        n_cols: the number of columns; as many as rows where None.
        k: which diagonal: 0 for the main one, positive ones above it, negative ones below.
        dtype: by default, the default dtype.
        device: by default, the default device.

    Returns:
        An array of shape `(n_rows, n_cols)`.

    Raises:
        ShapeError: a length is negative.

    >>> nd.eye(2, 3, k=1)
    NDArray([[0., 1., 0.],
             [0., 0., 1.]])
    """
    result = zeros((n_rows, n_rows if n_cols is None else n_cols), dtype=dtype, device=device)
    ones_there = view_of(result, result.layout.diagonal(k))
    result.flat.kernels["fill"](ones_there, value=1)
    return result


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
