"""PyTorch's old types of tensors, such as `FloatTensor`: constructors of one dtype, and names that `Tensor.type` gives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import lamina_ndarray as nd
from lamina_flatarray import DType, DTypeError, FlatArray, get_default_dtype
from lamina_ndarray import NDArray
from lamina_ndarray.layouts.layout import Layout

from ...tensor_fields import AnyTensor, tensor_of

if TYPE_CHECKING:
    from ...tensor_class import Tensor

__all__ = [
    "BFloat16Tensor", "BoolTensor", "ByteTensor", "CharTensor", "ComplexDoubleTensor", "ComplexFloatTensor", "DoubleTensor", "FloatTensor",
    "HalfTensor", "IntTensor", "LongTensor", "ShortTensor",
]  # fmt: skip


def constructed(data: tuple[Any, ...], dtype: DType | None = None, device: Any = None) -> NDArray:
    """What `Tensor(...)` holds: lengths give uninitialised items, a tensor or array itself, a sequence its items.

    Raises:
        DTypeError: a tensor of another dtype is given.
    """
    item_dtype = dtype or get_default_dtype()
    if len(data) == 1 and isinstance(data[0], (AnyTensor, NDArray)):
        array = data[0].array if isinstance(data[0], AnyTensor) else data[0]
        if dtype is not None and array.dtype is not dtype:
            raise DTypeError(f"expected {dtype.name} items, but got {array.dtype.name}; convert them with .to()")
        return array
    if len(data) == 1 and isinstance(data[0], tuple) and hasattr(data[0], "numel"):
        return nd.empty(tuple(data[0]), dtype=item_dtype, device=device)
    if len(data) == 1 and isinstance(data[0], (bool, float, str)):
        raise TypeError(f"new(): data must be a sequence (got {type(data[0]).__name__})")
    if all(hasattr(n, "__index__") for n in data) and not any(getattr(n, "shape", ()) for n in data):
        return nd.empty(tuple(n.__index__() for n in data) or (0,), dtype=item_dtype, device=device)
    if len(data) != 1:
        raise TypeError(f"new(): data must be a sequence, or lengths, not {', '.join(type(d).__name__ for d in data)}")
    if isinstance(data[0], FlatArray):
        return NDArray(data[0], Layout.dense((data[0].size,)))
    from ...functions.creation import tensor

    items = data[0] if hasattr(data[0], "__array__") else list(data[0])
    return tensor(items, device=device).to(item_dtype).array


class TensorType(type):
    """The class of a dtype under PyTorch's old name of it: called, it makes tensors; `isinstance(x, FloatTensor)` asks of one."""

    dtype: DType
    device_type = "cpu"

    def __call__(cls, *data: Any, device: Any = None) -> Tensor:
        return tensor_of(constructed(data, cls.dtype, device))

    def __instancecheck__(cls, instance: object) -> bool:
        if not isinstance(instance, AnyTensor) or instance.array.dtype is not cls.dtype:
            return False
        return instance.array.device.type == cls.device_type

    def __repr__(cls) -> str:
        return f"<class 'lamina.{cls.__name__}'>"


class FloatTensor(metaclass=TensorType):
    """Make a float32 tensor, of lengths or of a sequence of numbers.

    Args:
        data: lengths one by one, whose items are not initialised; a sequence of numbers; or a tensor of this dtype.
        device: where to put it; None for the host.

    Raises:
        DTypeError: a tensor of another dtype is given.
        TypeError: the data is none of these.

    >>> torch.FloatTensor(2, 3).dtype
    lamina.float32
    """

    dtype = nd.float32


class DoubleTensor(metaclass=TensorType):
    """Make a float64 tensor, of lengths or of a sequence of numbers.

    Args:
        data: lengths one by one, whose items are not initialised; a sequence of numbers; or a tensor of this dtype.
        device: where to put it; None for the host.

    Raises:
        DTypeError: a tensor of another dtype is given.
        TypeError: the data is none of these.

    >>> torch.DoubleTensor(2, 3).dtype
    lamina.float64
    """

    dtype = nd.float64


class HalfTensor(metaclass=TensorType):
    """Make a float16 tensor, of lengths or of a sequence of numbers.

    Args:
        data: lengths one by one, whose items are not initialised; a sequence of numbers; or a tensor of this dtype.
        device: where to put it; None for the host.

    Raises:
        DTypeError: a tensor of another dtype is given.
        TypeError: the data is none of these.

    >>> torch.HalfTensor(2, 3).dtype
    lamina.float16
    """

    dtype = nd.float16


class BFloat16Tensor(metaclass=TensorType):
    """Make a bfloat16 tensor, of lengths or of a sequence of numbers.

    Args:
        data: lengths one by one, whose items are not initialised; a sequence of numbers; or a tensor of this dtype.
        device: where to put it; None for the host.

    Raises:
        DTypeError: a tensor of another dtype is given.
        TypeError: the data is none of these.

    >>> torch.BFloat16Tensor(2, 3).dtype
    lamina.bfloat16
    """

    dtype = nd.bfloat16


class ByteTensor(metaclass=TensorType):
    """Make a uint8 tensor, of lengths or of a sequence of numbers.

    Args:
        data: lengths one by one, whose items are not initialised; a sequence of numbers; or a tensor of this dtype.
        device: where to put it; None for the host.

    Raises:
        DTypeError: a tensor of another dtype is given.
        TypeError: the data is none of these.

    >>> torch.ByteTensor(2, 3).dtype
    lamina.uint8
    """

    dtype = nd.uint8


class CharTensor(metaclass=TensorType):
    """Make an int8 tensor, of lengths or of a sequence of numbers.

    Args:
        data: lengths one by one, whose items are not initialised; a sequence of numbers; or a tensor of this dtype.
        device: where to put it; None for the host.

    Raises:
        DTypeError: a tensor of another dtype is given.
        TypeError: the data is none of these.

    >>> torch.CharTensor(2, 3).dtype
    lamina.int8
    """

    dtype = nd.int8


class ShortTensor(metaclass=TensorType):
    """Make an int16 tensor, of lengths or of a sequence of numbers.

    Args:
        data: lengths one by one, whose items are not initialised; a sequence of numbers; or a tensor of this dtype.
        device: where to put it; None for the host.

    Raises:
        DTypeError: a tensor of another dtype is given.
        TypeError: the data is none of these.

    >>> torch.ShortTensor(2, 3).dtype
    lamina.int16
    """

    dtype = nd.int16


class IntTensor(metaclass=TensorType):
    """Make an int32 tensor, of lengths or of a sequence of numbers.

    Args:
        data: lengths one by one, whose items are not initialised; a sequence of numbers; or a tensor of this dtype.
        device: where to put it; None for the host.

    Raises:
        DTypeError: a tensor of another dtype is given.
        TypeError: the data is none of these.

    >>> torch.IntTensor(2, 3).dtype
    lamina.int32
    """

    dtype = nd.int32


class LongTensor(metaclass=TensorType):
    """Make an int64 tensor, of lengths or of a sequence of numbers.

    Args:
        data: lengths one by one, whose items are not initialised; a sequence of numbers; or a tensor of this dtype.
        device: where to put it; None for the host.

    Raises:
        DTypeError: a tensor of another dtype is given.
        TypeError: the data is none of these.

    >>> torch.LongTensor(2, 3).dtype
    lamina.int64
    """

    dtype = nd.int64


class BoolTensor(metaclass=TensorType):
    """Make a bool tensor, of lengths or of a sequence of numbers.

    Args:
        data: lengths one by one, whose items are not initialised; a sequence of numbers; or a tensor of this dtype.
        device: where to put it; None for the host.

    Raises:
        DTypeError: a tensor of another dtype is given.
        TypeError: the data is none of these.

    >>> torch.BoolTensor(2, 3).dtype
    lamina.bool
    """

    dtype = nd.bool


class ComplexFloatTensor(metaclass=TensorType):
    """Make a complex64 tensor, of lengths or of a sequence of numbers.

    Args:
        data: lengths one by one, whose items are not initialised; a sequence of numbers; or a tensor of this dtype.
        device: where to put it; None for the host.

    Raises:
        DTypeError: a tensor of another dtype is given.
        TypeError: the data is none of these.

    >>> ComplexFloatTensor(2, 3).dtype
    lamina.complex64
    """

    dtype = nd.complex64


class ComplexDoubleTensor(metaclass=TensorType):
    """Make a complex128 tensor, of lengths or of a sequence of numbers.

    Args:
        data: lengths one by one, whose items are not initialised; a sequence of numbers; or a tensor of this dtype.
        device: where to put it; None for the host.

    Raises:
        DTypeError: a tensor of another dtype is given.
        TypeError: the data is none of these.

    >>> ComplexDoubleTensor(2, 3).dtype
    lamina.complex128
    """

    dtype = nd.complex128


_TYPES: Final = (
    FloatTensor, DoubleTensor, HalfTensor, BFloat16Tensor, ByteTensor, CharTensor, ShortTensor, IntTensor, LongTensor, BoolTensor,
    ComplexFloatTensor, ComplexDoubleTensor,
)  # fmt: skip

TENSOR_TYPES: Final[dict[str, TensorType]] = {kind.__name__: kind for kind in _TYPES}
"""By name."""
