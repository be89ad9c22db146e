"""Tensors in another dtype, on another device, in another order in memory, or as NumPy's arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, overload

import numpy as np

from lamina_flatarray import AutogradError, Device, DeviceError, DType
from lamina_flatarray.backends.registry import kernels
from lamina_flatarray.modes import NO_GRAD, word
from lamina_ndarray.creation import conversion

from ...devices.memory_formats import contiguous_format, preserve_format
from ...dispatch.tensor_functions import af
from ...dispatch.torch_function import torch_function
from ...tensor_fields import AnyTensor, TensorFields
from ..shapes import memory_order
from ..shapes.memory_order import converted, ordered
from .names_of_types import tensor_type, type_name

if TYPE_CHECKING:
    from ...devices.memory_formats import memory_format as MemoryFormat
    from ...tensor_class import Tensor
    from .tensor_types import TensorType

__all__ = ["ConversionMethods"]


_NAMES: Final = {
    "device": ("device", "dtype", "non_blocking", "copy"),
    "dtype": ("dtype", "non_blocking", "copy"),
    "other": ("other", "non_blocking", "copy"),
}
"""What the positional arguments of `to` are, by the kind of the first."""


class ConversionMethods(TensorFields):
    """Methods that convert a tensor to another dtype, device or order in memory.

    Each returns the tensor itself where nothing changes.

    >>> x = torch.tensor([1, 2])
    >>> x.to(torch.float64)
    tensor([1., 2.], dtype=lamina.float64)
    >>> x.to("cpu") is x
    True
    """

    __slots__ = ()

    @overload
    def to(
        self, dtype: DType, non_blocking: bool = False, copy: bool = False, *, memory_format: MemoryFormat | None = None
    ) -> Tensor: ...
    @overload
    def to(
        self,
        device: Device | str | int | None = None,
        dtype: DType | None = None,
        non_blocking: bool = False,
        copy: bool = False,
        *,
        memory_format: MemoryFormat | None = None,
    ) -> Tensor: ...
    @overload
    def to(
        self, other: Tensor, /, non_blocking: bool = False, copy: bool = False, *, memory_format: MemoryFormat | None = None
    ) -> Tensor: ...
    @torch_function
    def to(self, *args: Any, **kwargs: Any) -> Tensor:
        """Convert a tensor to another dtype, move it to another device, or both.

        Args:
            dtype: the dtype to convert to.
            device: where to put it.
            other: a tensor whose dtype and device to take, as the first argument.
            non_blocking: may be given, and changes nothing.
            copy: whether to copy even where nothing changes.
            memory_format: the order of the dims in memory.

        Returns:
            The converted tensor; the tensor itself where nothing changes and `copy` is False.

        Raises:
            TypeError: the arguments are none of these.

        >>> torch.tensor([1, 2]).to(torch.float32)
        tensor([1., 2.])
        """
        if len(args) == 1 and not kwargs:  # most calls
            first = args[0]
            if isinstance(first, DType):
                return self if first is self.array.flat.dtype else af.astype(self, first)  # type: ignore[return-value]
            if isinstance(first, (str, Device)):
                flat = self.array.flat
                return self if kernels(first, flat.dtype) is flat.kernels else af.to_device(self, first)  # type: ignore[return-value]
        return _converted(self, args, kwargs)

    @overload
    def type(self, dtype: None = None, non_blocking: bool = False) -> str: ...
    @overload
    def type(self, dtype: DType | TensorType | str, non_blocking: bool = False) -> Tensor: ...
    @torch_function
    def type(self, dtype: DType | TensorType | str | None = None, non_blocking: bool = False) -> Tensor | str:
        """Return PyTorch's name of the tensor's type, or convert the tensor to a dtype.

        Args:
            dtype: a dtype; a type such as `torch.FloatTensor` or `torch.cuda.FloatTensor`, or the name of one, whose device is
                meant, too; None to ask for the name.
            non_blocking: may be given, and changes nothing.

        Returns:
            A string such as "torch.FloatTensor", or the tensor in the given dtype.

        Raises:
            ValueError: there is no type of that name.
            TypeError: `dtype` is none of these; or PyTorch has no name for the tensor's dtype.

        >>> torch.ones(2).type()
        'torch.FloatTensor'
        >>> torch.ones(2).type(torch.int64)
        tensor([1, 1])
        """
        if dtype is None:
            return type_name(self.array)
        if isinstance(dtype, DType):
            return af.astype(self, dtype)
        kind = tensor_type(dtype)
        converted = af.astype(self, kind.dtype)
        return converted if self.array.device.type == kind.device_type else af.to_device(converted, kind.device_type)

    @torch_function
    def type_as(self, other: Tensor) -> Tensor:
        """Convert a tensor to another one's dtype, on its device.

        Args:
            other: the tensor whose dtype and device to take.

        Returns:
            The converted tensor; the tensor itself where it has both already.

        >>> torch.tensor([1, 2]).type_as(torch.ones(1))
        tensor([1., 2.])
        """
        if self.array.flat.kernels is other.array.flat.kernels:
            return self  # type: ignore[return-value]
        return af.to_device(af.astype(self, other.array.dtype), other.array.device)

    @torch_function
    def cpu(self, memory_format: MemoryFormat = preserve_format) -> Tensor:
        """Move a tensor to the host.

        Args:
            memory_format: the order of the dims in memory; by default it stays as it is.

        Returns:
            A tensor on the host; the tensor itself where it is there already.

        >>> torch.ones(2).cpu().device
        device(type='cpu')
        """
        flat = self.array.flat
        if memory_format is preserve_format and kernels("cpu", flat.dtype) is flat.kernels:
            return self  # type: ignore[return-value]
        return self.to("cpu", memory_format=memory_format)

    @torch_function
    def cuda(
        self, device: Device | str | int | None = None, non_blocking: bool = False, memory_format: MemoryFormat = preserve_format
    ) -> Tensor:
        """Move a tensor to a device of type "cuda".

        Args:
            device: which one, by index or name; by default the current one.
            non_blocking: may be given, and changes nothing.
            memory_format: the order of the dims in memory.

        Returns:
            A tensor on the device; the tensor itself where it is there already.

        Raises:
            DeviceError: there is no such device.

        >>> if torch.cuda.is_available():
        ...     assert torch.ones(2).cuda().is_cuda
        """
        place = Device("cuda", device) if device is None or isinstance(device, int) else device
        return self.to(place, memory_format=memory_format)

    @torch_function
    def pin_memory(self, device: Device | str | None = None) -> Tensor:
        """Refuse to copy a tensor to pinned memory, which a device would copy from faster.

        Args:
            device: the device that would copy from it; accepted and ignored.

        Returns:
            Nothing: it always raises.

        Raises:
            DeviceError: no backend has a use for such memory.

        >>> torch.ones(2).pin_memory()
        Traceback (most recent call last):
            ...
        lamina_flatarray.errors.DeviceError: pin_memory: ...
        """
        raise DeviceError("pin_memory: no backend that is there has use for pinned memory; leave the call out")

    @torch_function
    def contiguous(self: Any, memory_format: MemoryFormat = contiguous_format) -> Tensor:
        """Copy a tensor to memory without gaps, unless it lies so already.

        Args:
            memory_format: the order of the dims in memory, by default row-major.

        Returns:
            A tensor of the same items, with the strides of the format; the tensor itself where it has them.

        Raises:
            ShapeError: the format wants another number of dims.

        >>> torch.ones(2, 3).t().contiguous().stride()
        (2, 1)
        """
        return memory_order.contiguous(self, memory_format=memory_format)

    @torch_function
    def numpy(self, *, force: bool = False) -> np.ndarray[Any, Any]:
        """Return a NumPy array over the same memory.

        Args:
            force: whether to detach the tensor and to copy it to the host where that is needed.

        Returns:
            An array of the same shape and dtype.

        Raises:
            AutogradError: the tensor requires gradients.
            DeviceError: the memory is not on the host.

        >>> torch.ones(2).numpy()
        array([1., 1.], dtype=float32)
        """
        if self._requires_grad and not word.get() & NO_GRAD and not force:  # its own history: a record is apart
            raise AutogradError("Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.")
        return conversion.numpy(conversion.to_device(self.array, "cpu") if force else self.array)

    def to_numpy(self) -> np.ndarray[Any, Any]:
        """Return a NumPy array over the same memory: `numpy` by the name that Matplotlib and other packages look for.

        PyTorch has no such method: those packages know its class.

        Returns:
            An array of the same shape and dtype.

        Raises:
            AutogradError: the tensor requires gradients.
            DeviceError: the memory is not on the host.

        >>> torch.ones(2).to_numpy()
        array([1., 1.], dtype=float32)
        """
        return self.numpy()


def _converted(tensor: ConversionMethods, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Tensor:
    """What `to` makes of any arguments.

    Raises:
        TypeError: they are none that it takes.
    """
    if "other" in kwargs:
        raise _invalid(args, kwargs)
    if args:
        first = args[0]
        kind = "dtype" if isinstance(first, DType) else "other" if isinstance(first, AnyTensor) else "device"
        names = _NAMES[kind]
        if len(args) > len(names) or any(name in kwargs for name in names[: len(args)]):
            raise _invalid(args, kwargs)
        kwargs = {**dict(zip(names, args, strict=False)), **kwargs}
    device, dtype, other = kwargs.pop("device", None), kwargs.pop("dtype", None), kwargs.pop("other", None)
    format, copy = kwargs.pop("memory_format", None), kwargs.pop("copy", False)
    non_blocking = kwargs.pop("non_blocking", False)
    if kwargs or not isinstance(copy, bool) or not isinstance(non_blocking, bool) or not isinstance(dtype, DType | None):
        raise _invalid(args, kwargs)
    if other is not None:
        if not isinstance(other, AnyTensor) or device is not None or dtype is not None:
            raise _invalid(args, kwargs)
        device, dtype = other.array.device, other.array.dtype
    result: Any = tensor if dtype is None else af.astype(tensor, dtype)
    if device is not None:
        result = af.to_device(result, _device(device, args, kwargs))
    if format is not None:
        laid = converted if result is tensor else ordered
        result = laid(result, format, "to")
    return af.copy(result) if copy and result is tensor else result


def _device(device: Any, args: Any, kwargs: Any) -> Device:
    if isinstance(device, int) and not isinstance(device, bool):
        return Device("cuda", device)
    if not isinstance(device, (str, Device)):
        raise _invalid(args, kwargs)
    return Device(device)


def _invalid(args: Any, kwargs: Any) -> TypeError:
    types = ", ".join([*(type(a).__name__ for a in args), *(f"{k}={type(v).__name__}" for k, v in kwargs.items())])
    return TypeError(
        f"to() received an invalid combination of arguments - got ({types}), but expected (device, dtype, non_blocking, copy), "
        "(dtype, non_blocking, copy) or (other, non_blocking, copy), and memory_format by name"
    )
