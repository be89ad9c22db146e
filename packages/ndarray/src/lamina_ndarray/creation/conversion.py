"""Arrays as something else: another dtype or device, Python numbers, NumPy arrays, DLPack capsules."""

from __future__ import annotations

from struct import unpack_from
from typing import TYPE_CHECKING, Any

import numpy as np

from lamina_flatarray import ShapeError, dlpack
from lamina_flatarray import backends as registry
from lamina_flatarray.dtypes import dtype_of

from ..array_fields import array_of
from ..dispatch.operands import cast
from ..shapes.views import copy as copied

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = ["astype", "exported_buffer", "exported_dlpack", "item", "numpy", "to_device", "tolist"]


def astype(x: NDArray, dtype: Any, *, copy: bool = True, device: Any = None) -> NDArray:
    """Cast an array to another dtype, and copy it to another device where one is given.

    Args:
        x: the array.
        dtype: the dtype to cast to.
        copy: False to return x itself if nothing changes; otherwise the result has memory of its own.
        device: the device to copy to; None for x's own.

    Returns:
        An array of x's shape. Floats are truncated towards zero on their way to integers.

    Raises:
        DTypeError: there is no such dtype.
        BackendError: nobody serves the device.

    >>> nd.astype(nd.asarray([1.9, -1.9]), nd.int32)
    NDArray([ 1, -1], dtype=lamina.int32)
    """
    on_device = x if device is None else to_device(x, device)
    target = on_device.flat.kernels.sibling(dtype_of(dtype))
    if target is on_device.flat.kernels:
        return copied(x) if copy and on_device is x else on_device
    result: NDArray = cast(on_device, target)
    return result


def to_device(x: NDArray, device: Any, *, stream: Any = None) -> NDArray:
    """Copy an array to another device.

    Args:
        x: the array.
        device: a device, or the name of one.
        stream: must be None: backends order copies themselves.

    Returns:
        An array on that device; x itself if it is there already, or for None.

    Raises:
        BackendError: nobody serves the device.
        ValueError: a stream is given.

    >>> x = nd.zeros(3)
    >>> nd.to_device(x, "cpu") is x
    True
    """
    if stream is not None:
        raise ValueError(f"to_device: stream {stream!r} given; it wants None")
    if device is None or registry.kernels(device, x.dtype) is x.flat.kernels:
        return x
    moved = x.flat.to(device)
    return x if moved is x.flat else array_of(moved, x.layout)


def numpy(x: NDArray) -> np.ndarray[Any, Any]:
    """A NumPy array over the same memory.

    Raises:
        DeviceError: the memory is not on the host.
        ShapeError: there are no items, but NumPy has no array of this shape.
    """
    native = x.native
    if type(native) is np.ndarray:
        return native
    layout, flat = x.layout, x.flat
    dtype = flat.dtype
    if not layout.size:
        try:
            return np.empty(layout.shape, dtype.numpy)
        except ValueError as error:  # it counts the items of the other axes
            raise ShapeError(f"numpy: NumPy has no array of shape {layout.shape}: {error}") from None
    memory = flat.memory if flat.kernels.backend.host else flat.bytes_view()  # which says why it cannot be read
    if type(memory) is not np.ndarray:
        memory = np.frombuffer(memory, np.uint8)
    itemsize = dtype.itemsize
    strides = tuple([s * itemsize for s in layout.strides])
    return np.ndarray(layout.shape, dtype.numpy, memory, flat.offset + layout.offset * itemsize, strides)


def tolist(x: NDArray) -> Any:
    """Nested lists of Python numbers; one number for a 0-d array."""
    reader = x.flat.kernels.read_items
    if reader is not None and (items := reader(x)) is not NotImplemented:
        return items
    layout, flat = x.layout, x.flat
    host, dtype = flat.kernels.backend.host, flat.dtype
    if host and layout.ndim == 1 and layout.contiguous and dtype.unpack is not None:
        begin = flat.offset + layout.offset * dtype.itemsize if layout.size else 0
        return list(unpack_from(f"{layout.size}{dtype.numpy.char}", flat.memory, begin))
    if not layout.size:
        return _without_items(layout.shape)
    return numpy(x if host else to_device(x, "cpu")).tolist()


def _without_items(shape: tuple[int, ...]) -> list[Any]:
    return [_without_items(shape[1:]) for _ in range(shape[0])]


def item(x: NDArray) -> Any:
    """The one item as a Python number.

    Raises:
        ShapeError: there is not exactly one.
    """
    reader = x.flat.kernels.read_item
    if reader is not None and (number := reader(x)) is not NotImplemented:
        return number
    layout, flat = x.layout, x.flat
    if layout.size != 1:
        raise ShapeError(f"a Tensor with {layout.size} elements cannot be converted to Scalar")
    dtype = flat.dtype
    unpack = dtype.unpack
    if unpack is not None and flat.kernels.backend.host:
        return unpack(flat.memory, flat.offset + layout.offset * dtype.itemsize)[0]
    return numpy(x if flat.kernels.backend.host else to_device(x, "cpu")).item()


def exported_dlpack(
    x: NDArray,
    *,
    stream: Any = None,
    max_version: tuple[int, int] | None = None,
    dl_device: tuple[Any, int] | None = None,
    copy: bool | None = None,
) -> Any:
    """A DLPack capsule over the same memory, or over a copy.

    Args:
        x: the array.
        stream: the consumer's, which will wait for what is queued on ours; None on the host.
        max_version: the newest DLPack that the consumer reads.
        dl_device: where the consumer wants the items: None, where they are, or the host, to which they are copied if need be.
        copy: True for a copy, False to refuse one.

    Raises:
        BufferError: the backend does not hand its memory over, or the items cannot go where they are wanted.
    """
    if dl_device is not None and not x.flat.backend.host and (int(dl_device[0]), dl_device[1]) == dlpack.HOST:
        if copy is False:
            raise BufferError(f"dlpack: the items must be copied from {x.device} to the host, but copy=False")
        x, copy = to_device(x, "cpu"), None
    return dlpack.exported(
        x.flat, x.layout.shape, x.layout.strides, x.layout.offset,
        stream=stream, max_version=max_version, dl_device=dl_device, copy=copy,
    )  # fmt: skip


def exported_buffer(x: NDArray, flags: int) -> memoryview:
    """Python's buffer protocol (PEP 688, from Python 3.12 on): the same memory.

    Raises:
        BufferError: the memory is not on the host, or Python has no format for the items (bfloat16).
    """
    if not x.flat.backend.host:
        raise BufferError(f"the items are on {x.device}; copy them with .to_device('cpu') first")
    try:
        items: Any = numpy(x)
        return memoryview(items)
    except ValueError as error:
        raise BufferError(f"{x.dtype.name} items have no buffer format: {error}") from None
