"""Tensors of data that is there: Python numbers, NumPy arrays, buffers, files and other libraries' arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

import lamina_ndarray as nd
from lamina_flatarray import ArgumentTypeError, ArgumentValueError, DTypeError, LaminaError
from lamina_flatarray.backends.choice import chosen
from lamina_flatarray.promotion import get_default_dtype

from ...autograd.recording import array_of
from ...devices.memory_formats import strided
from ...tensor_fields import AnyTensor, tensor_of
from .options import leaf, refuse_layout

if TYPE_CHECKING:
    from os import PathLike

    from lamina_flatarray import DType

    from ...devices.memory_formats import layout as Layout
    from ...tensor_class import Tensor
    from .options import DeviceLike

__all__ = ["as_tensor", "asarray", "from_file", "from_numpy", "frombuffer", "tensor"]


def tensor(
    data: Any,
    *,
    dtype: DType | None = None,
    device: DeviceLike = None,
    requires_grad: bool = False,
    pin_memory: bool = False,
) -> Tensor:
    """Make a tensor with a copy of data.

    Args:
        data: a number, nested sequences of numbers or tensors, a NumPy array or a tensor.
        dtype: the dtype; for None that of an array, the default dtype for floats, int64 for integers.
        device: the device; the default device for None.
        requires_grad: whether gradients are wanted.
        pin_memory: accepted and ignored: memory is never pinned.

    Returns:
        A leaf with memory of its own.

    Raises:
        DTypeError: the items are not numbers, or do not fit.
        ArgumentValueError: nested sequences differ in length, or begin with a string.
        AutogradError: gradients are wanted of integers.

    >>> torch.tensor([[1, 2], [3, 4]])
    tensor([[1, 2],
            [3, 4]])
    """
    source = data.array if isinstance(data, AnyTensor) else data
    array = _array("tensor", source, dtype, device, True)
    return leaf(array, True) if requires_grad else tensor_of(array)


def as_tensor(data: Any, dtype: DType | None = None, device: DeviceLike = None) -> Tensor:
    """Make a tensor of data that shares its memory where it can.

    Args:
        data: as for `tensor`.
        dtype: the dtype; that of the data for None.
        device: the device; that of a tensor, or the default device, for None.

    Returns:
        `data` itself where it is a tensor that fits; another tensor is converted, which is recorded. Else a leaf.

    Raises:
        DTypeError: the items are not numbers, or do not fit.
        ArgumentValueError: nested sequences differ in length, or begin with a string.

    >>> x = torch.tensor([1.0, 2.0])
    >>> torch.as_tensor(x) is x
    True
    """
    if isinstance(data, AnyTensor):
        if dtype is None and device is None:
            return data
        return data.to(device=device, dtype=dtype)
    return tensor_of(_array("as_tensor", data, dtype, device, None))


def _array(op: str, data: Any, dtype: DType | None, device: DeviceLike, copy: bool | None) -> nd.NDArray:
    try:
        return nd.asarray(data, dtype=dtype, device=chosen.get().device if device is None else device, copy=copy)
    except LaminaError as error:
        error.args = (str(error).replace("asarray:", f"{op}:", 1),)
        raise


def asarray(
    obj: Any,
    *,
    dtype: DType | None = None,
    device: DeviceLike = None,
    copy: bool | None = None,
    requires_grad: bool = False,
) -> Tensor:
    """Make a tensor of anything array-like: a tensor, a NumPy array, an object with `__dlpack__`, a buffer, numbers.

    Args:
        obj: the items. The bytes of a plain buffer are read as items of `dtype` (the default dtype for None).
        dtype: the dtype; that of the items for None.
        device: the device; that of the items for None.
        copy: True for memory of its own, False to refuse when a copy is needed, None to share where possible.
        requires_grad: whether gradients are wanted. A tensor with history is detached from it where they are not.

    Returns:
        A leaf, or `obj` itself if it is a tensor that fits.

    Raises:
        ArgumentValueError: `copy=False` and a copy is needed.
        AutogradError: gradients are wanted of integers.

    >>> torch.asarray([1, 2, 3])
    tensor([1, 2, 3])
    """
    if isinstance(obj, AnyTensor):
        array = obj.array
        fits = (dtype is None or array.dtype is dtype) and (
            device is None or array.device == nd.empty(0, device=device).device
        )
        if fits and not copy and requires_grad == obj.requires_grad:
            return obj
        if copy is False and not fits:
            raise ArgumentValueError(f"asarray: a copy is needed to hold {array.dtype.name} as {dtype}, but copy=False")
        return leaf(nd.asarray(array, dtype=dtype, device=device, copy=copy), requires_grad)
    if isinstance(obj, (bytes, bytearray, memoryview)):
        items = nd.frombuffer(obj, dtype=dtype or get_default_dtype())
        shared = not memoryview(obj).readonly
        if copy is False and not shared:
            raise ArgumentValueError("asarray: a copy of a read-only buffer is needed, but copy=False")
        return leaf(nd.asarray(items, device=device, copy=copy if shared else None), requires_grad)
    return leaf(nd.asarray(array_of(obj), dtype=dtype, device=device, copy=copy), requires_grad)


def from_numpy(ndarray: np.ndarray[Any, Any]) -> Tensor:
    """Make a tensor over the memory of a NumPy array.

    Args:
        ndarray: the array. One that cannot be written, or whose items are not in native byte order, is copied.

    Returns:
        A leaf: what is written to one of the two shows in the other.

    Raises:
        ArgumentTypeError: it is no NumPy array.
        DTypeError: its items have no dtype here.

    >>> import numpy as np
    >>> torch.from_numpy(np.array([1.0, 2.0]))
    tensor([1., 2.], dtype=lamina.float64)
    """
    if not isinstance(ndarray, np.ndarray):
        raise ArgumentTypeError(f"from_numpy: expected np.ndarray (got {type(ndarray).__name__})")
    try:
        return tensor_of(nd.from_numpy(ndarray))
    except DTypeError as error:
        error.args = (f"from_numpy: {error}",)
        raise


def from_file(
    filename: str | PathLike[str],
    shared: bool | None = None,
    size: int | None = 0,
    *,
    dtype: DType | None = None,
    layout: Layout | None = None,
    device: DeviceLike = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
) -> Tensor:
    """Make a tensor over the bytes of a file, mapped into memory.

    Args:
        filename: the file.
        shared: whether what is written to the tensor goes to the file, which is made, or made longer, if need be.
        size: the number of items.
        dtype: how to read the bytes; the default dtype for None.
        layout: `torch.strided`, the only layout there is.
        device: the device, to which the items are copied if it is not the CPU.
        pin_memory: accepted and ignored: memory is never pinned.
        requires_grad: whether gradients are wanted.

    Returns:
        A row of `size` items.

    Raises:
        CheckpointError: the file is too short, and not `shared`.
        OSError: the file cannot be opened.
        AutogradError: gradients are wanted of integers.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile() as file:
    ...     torch.from_file(file.name, shared=True, size=3).sum()
    tensor(0.)
    """
    if layout is not None and layout is not strided:
        refuse_layout("from_file", layout)
    array = nd.from_file(filename, size or 0, dtype=dtype, shared=bool(shared))
    return leaf(array if device is None else nd.to_device(array, device), requires_grad)


def frombuffer(
    buffer: Any, *, dtype: DType, count: int = -1, offset: int = 0, requires_grad: bool = False
) -> Tensor:
    """Make a tensor over the memory of a buffer.

    Args:
        buffer: an object with Python's buffer protocol: bytes, bytearray, array.array, memoryview. One that cannot be
            written, or is not aligned, is copied.
        dtype: how to read the bytes.
        count: how many items; all that are left where negative.
        offset: how many bytes to skip.
        requires_grad: whether gradients are wanted.

    Returns:
        A row of items.

    Raises:
        TypeError: the object has no buffer protocol.
        ShapeError: the buffer is empty or too short, `count` is 0, or its bytes are not a whole number of items.
        AutogradError: gradients are wanted of integers.

    >>> torch.frombuffer(bytearray([1, 2, 3]), dtype=torch.uint8)
    tensor([1, 2, 3], dtype=lamina.uint8)
    """
    return leaf(nd.frombuffer(buffer, dtype=dtype, count=count, offset=offset), requires_grad)
