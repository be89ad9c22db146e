"""Tensors in another dtype or on another device: `to` and its kin."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import numpy as np

import lamina_ndarray as nd
from lamina_flatarray import AutogradError, Device, DeviceError, DType
from lamina_flatarray.backends.registry import kernels
from lamina_flatarray.modes import NO_GRAD, word
from lamina_ndarray.creation import conversion

from ..devices.memory_formats import preserve_format
from ..dispatch import array_functions as af
from ..tensor_fields import TensorFields
from .memory_order import contiguous, ordered
from .tensor_types import tensor_type, type_name

if TYPE_CHECKING:
    from ..tensor import Tensor

__all__ = ["METHODS", "to"]


_NAMES: Final = {
    "device": ("device", "dtype", "non_blocking", "copy"),
    "dtype": ("dtype", "non_blocking", "copy"),
    "other": ("other", "non_blocking", "copy"),
}
"""What the arguments by place are, by the kind of the first."""


def to(self: Tensor, *args: Any, **given: Any) -> Tensor:
    """In another dtype, on another device, or both; itself if nothing changes.

    `to(dtype, non_blocking=False, copy=False)`, `to(device=None, dtype=None, non_blocking=False, copy=False)` or
    `to(other, non_blocking=False, copy=False)`, each with `memory_format=preserve_format`.

    Raises:
        TypeError: the arguments are none of these.
    """
    if len(args) == 1 and not given:  # most calls
        if isinstance(args[0], DType):
            return self if args[0] is self.array.flat.dtype else af.astype(self, args[0])
        if isinstance(args[0], (str, Device)):
            flat = self.array.flat
            return self if kernels(args[0], flat.dtype) is flat.kernels else af.to_device(self, args[0])
    if "other" in given:
        raise _invalid(args, given)
    if args:
        first = args[0]
        kind = "dtype" if isinstance(first, DType) else "other" if isinstance(first, TensorFields) else "device"
        names = _NAMES[kind]
        if len(args) > len(names) or not names[: len(args)] or any(name in given for name in names[: len(args)]):
            raise _invalid(args, given)
        given = {**dict(zip(names, args, strict=False)), **given}
    device, dtype, other = given.pop("device", None), given.pop("dtype", None), given.pop("other", None)
    format, copy = given.pop("memory_format", None), given.pop("copy", False)
    non_blocking = given.pop("non_blocking", False)
    if given or not isinstance(copy, bool) or not isinstance(non_blocking, bool) or not isinstance(dtype, DType | None):
        raise _invalid(args, given)
    if other is not None:
        if not isinstance(other, TensorFields) or device is not None or dtype is not None:
            raise _invalid(args, given)
        device, dtype = other.array.device, other.array.dtype
    made = self if dtype is None else af.astype(self, dtype)
    if device is not None:
        made = af.to_device(made, _device(device, args, given))
    if format is not None and format is not preserve_format:
        made = ordered(made, format, "to")
    return af.copy(made) if copy and made is self else made


def _device(device: Any, args: Any, given: Any) -> Device:
    if isinstance(device, int) and not isinstance(device, bool):
        return Device("cuda", device)
    if not isinstance(device, (str, Device)):
        raise _invalid(args, given)
    return Device(device)


def _invalid(args: Any, given: Any) -> TypeError:
    came = ", ".join([*(type(a).__name__ for a in args), *(f"{k}={type(v).__name__}" for k, v in given.items())])
    return TypeError(
        f"to() received an invalid combination of arguments - got ({came}), but expected (device, dtype, non_blocking, copy), "
        "(dtype, non_blocking, copy) or (other, non_blocking, copy), and memory_format by name"
    )


def _cast(dtype: DType) -> Callable[..., Tensor]:
    def method(self: Tensor, memory_format: Any = preserve_format) -> Tensor:
        made = self if self.array.flat.dtype is dtype else af.astype(self, dtype)
        return made if memory_format is preserve_format else ordered(made, memory_format, dtype.name)

    method.__doc__ = f"In {dtype.name}; itself if it is."
    return method


def _type(self: Tensor, dtype: Any = None, non_blocking: bool = False) -> Any:
    """PyTorch's name of the tensor's type; with a dtype, such a name or a type such as `FloatTensor`, the tensor in it."""
    if dtype is None:
        return type_name(self)
    return af.astype(self, dtype if isinstance(dtype, DType) else tensor_type(dtype).dtype)


def _type_as(self: Tensor, other: Tensor) -> Tensor:
    """In another tensor's dtype, on its device."""
    if self.array.flat.kernels is other.array.flat.kernels:
        return self
    return af.to_device(af.astype(self, other.array.dtype), other.array.device)


def _cpu(self: Tensor, memory_format: Any = preserve_format) -> Tensor:
    """On the host."""
    flat = self.array.flat
    if memory_format is preserve_format and kernels("cpu", flat.dtype) is flat.kernels:
        return self
    return to(self, "cpu", memory_format=memory_format)


def _cuda(
    self: Tensor, device: Any = None, non_blocking: bool = False, memory_format: Any = preserve_format
) -> Tensor:
    """On a device of type "cuda", by default the first."""
    return to(self, Device("cuda", 0) if device is None else device, memory_format=memory_format)


def _pin_memory(self: Tensor, device: Any = None) -> Tensor:
    """In memory that a device copies from faster.

    Raises:
        DeviceError: no backend asks for such memory.
    """
    raise DeviceError("pin_memory: no backend that is there has use for pinned memory; leave the call out")


def _numpy(self: Tensor, *, force: bool = False) -> np.ndarray[Any, Any]:
    """A NumPy array over the same memory.

    Raises:
        AutogradError: gradients are recorded; `detach()` first, or `force=True`.
        DeviceError: the memory is not on the host.
    """
    if self.requires_grad and not word.get() & NO_GRAD and not force:
        raise AutogradError("Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.")
    return conversion.numpy(conversion.to_device(self.array, "cpu") if force else self.array)


METHODS: Final[dict[str, Any]] = {
    "bfloat16": _cast(nd.bfloat16),
    "bool": _cast(nd.bool),
    "byte": _cast(nd.uint8),
    "cdouble": _cast(nd.complex128),
    "cfloat": _cast(nd.complex64),
    "char": _cast(nd.int8),
    "contiguous": contiguous,
    "cpu": _cpu,
    "cuda": _cuda,
    "double": _cast(nd.float64),
    "float": _cast(nd.float32),
    "half": _cast(nd.float16),
    "int": _cast(nd.int32),
    "long": _cast(nd.int64),
    "numpy": _numpy,
    "pin_memory": _pin_memory,
    "short": _cast(nd.int16),
    "to": to,
    "type": _type,
    "type_as": _type_as,
}
