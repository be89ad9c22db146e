"""PyTorch's old types of tensors on devices of type "cuda", such as `torch.cuda.FloatTensor`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import lamina_ndarray as nd
from lamina_flatarray import Device

from ...devices.cuda_devices import is_available
from .tensor_types import TensorType

if TYPE_CHECKING:
    from ...tensor_class import Tensor

__all__ = [
    "BFloat16Tensor", "BoolTensor", "ByteTensor", "CharTensor", "DoubleTensor", "FloatTensor", "HalfTensor", "IntTensor", "LongTensor",
    "ShortTensor",
]  # fmt: skip


class CudaTensorType(TensorType):
    """The class of a dtype on these devices: called, it makes tensors there; `isinstance(x, torch.cuda.FloatTensor)` asks of one."""

    device_type = "cuda"

    def __call__(cls, *data: Any, device: Any = None) -> Tensor:
        if not is_available():
            raise TypeError(f"type torch.cuda.{cls.__name__} not available: there is no device of this type; see lamina doctor")
        return super().__call__(*data, device="cuda" if device is None else Device(device))

    def __repr__(cls) -> str:
        return f"<class 'lamina.cuda.{cls.__name__}'>"


class FloatTensor(metaclass=CudaTensorType):
    """Make a float32 tensor on the current device of type "cuda", of lengths or of a sequence of numbers.

    Args:
        data: as for `torch.FloatTensor`.
        device: one of these devices; the current one for None.

    Raises:
        DTypeError: a tensor of another dtype is given.
        TypeError: the data is none of these, or there is no device.

    >>> isinstance(torch.ones(2), torch.cuda.FloatTensor)
    False
    """

    dtype = nd.float32


class DoubleTensor(metaclass=CudaTensorType):
    """Make a float64 tensor on the current device of type "cuda", of lengths or of a sequence of numbers.

    Args:
        data: as for `torch.DoubleTensor`.
        device: one of these devices; the current one for None.

    Raises:
        DTypeError: a tensor of another dtype is given.
        TypeError: the data is none of these, or there is no device.

    >>> isinstance(torch.ones(2), torch.cuda.DoubleTensor)
    False
    """

    dtype = nd.float64


class HalfTensor(metaclass=CudaTensorType):
    """Make a float16 tensor on the current device of type "cuda", of lengths or of a sequence of numbers.

    Args:
        data: as for `torch.HalfTensor`.
        device: one of these devices; the current one for None.

    Raises:
        DTypeError: a tensor of another dtype is given.
        TypeError: the data is none of these, or there is no device.

    >>> isinstance(torch.ones(2), torch.cuda.HalfTensor)
    False
    """

    dtype = nd.float16


class BFloat16Tensor(metaclass=CudaTensorType):
    """Make a bfloat16 tensor on the current device of type "cuda", of lengths or of a sequence of numbers.

    Args:
        data: as for `torch.BFloat16Tensor`.
        device: one of these devices; the current one for None.

    Raises:
        DTypeError: a tensor of another dtype is given.
        TypeError: the data is none of these, or there is no device.

    >>> isinstance(torch.ones(2), torch.cuda.BFloat16Tensor)
    False
    """

    dtype = nd.bfloat16


class ByteTensor(metaclass=CudaTensorType):
    """Make a uint8 tensor on the current device of type "cuda", of lengths or of a sequence of numbers.

    Args:
        data: as for `torch.ByteTensor`.
        device: one of these devices; the current one for None.

    Raises:
        DTypeError: a tensor of another dtype is given.
        TypeError: the data is none of these, or there is no device.

    >>> isinstance(torch.ones(2), torch.cuda.ByteTensor)
    False
    """

    dtype = nd.uint8


class CharTensor(metaclass=CudaTensorType):
    """Make an int8 tensor on the current device of type "cuda", of lengths or of a sequence of numbers.

    Args:
        data: as for `torch.CharTensor`.
        device: one of these devices; the current one for None.

    Raises:
        DTypeError: a tensor of another dtype is given.
        TypeError: the data is none of these, or there is no device.

    >>> isinstance(torch.ones(2), torch.cuda.CharTensor)
    False
    """

    dtype = nd.int8


class ShortTensor(metaclass=CudaTensorType):
    """Make an int16 tensor on the current device of type "cuda", of lengths or of a sequence of numbers.

    Args:
        data: as for `torch.ShortTensor`.
        device: one of these devices; the current one for None.

    Raises:
        DTypeError: a tensor of another dtype is given.
        TypeError: the data is none of these, or there is no device.

    >>> isinstance(torch.ones(2), torch.cuda.ShortTensor)
    False
    """

    dtype = nd.int16


class IntTensor(metaclass=CudaTensorType):
    """Make an int32 tensor on the current device of type "cuda", of lengths or of a sequence of numbers.

    Args:
        data: as for `torch.IntTensor`.
        device: one of these devices; the current one for None.

    Raises:
        DTypeError: a tensor of another dtype is given.
        TypeError: the data is none of these, or there is no device.

    >>> isinstance(torch.ones(2), torch.cuda.IntTensor)
    False
    """

    dtype = nd.int32


class LongTensor(metaclass=CudaTensorType):
    """Make an int64 tensor on the current device of type "cuda", of lengths or of a sequence of numbers.

    Args:
        data: as for `torch.LongTensor`.
        device: one of these devices; the current one for None.

    Raises:
        DTypeError: a tensor of another dtype is given.
        TypeError: the data is none of these, or there is no device.

    >>> isinstance(torch.ones(2), torch.cuda.LongTensor)
    False
    """

    dtype = nd.int64


class BoolTensor(metaclass=CudaTensorType):
    """Make a bool tensor on the current device of type "cuda", of lengths or of a sequence of numbers.

    Args:
        data: as for `torch.BoolTensor`.
        device: one of these devices; the current one for None.

    Raises:
        DTypeError: a tensor of another dtype is given.
        TypeError: the data is none of these, or there is no device.

    >>> isinstance(torch.ones(2), torch.cuda.BoolTensor)
    False
    """

    dtype = nd.bool


_TYPES: Final = (
    FloatTensor, DoubleTensor, HalfTensor, BFloat16Tensor, ByteTensor, CharTensor, ShortTensor, IntTensor, LongTensor, BoolTensor,
)  # fmt: skip

CUDA_TENSOR_TYPES: Final[dict[str, TensorType]] = {kind.__name__: kind for kind in _TYPES}
"""By name."""
