"""What tensors are made with where a program says nothing: the device, per thread, and the dtype, in PyTorch's spelling."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lamina_flatarray import DTypeError, set_default_dtype
from lamina_flatarray.backends.choice import change_device, get_default_device

from ..methods.memory.tensor_types import tensor_type

if TYPE_CHECKING:
    from lamina_flatarray import Device

__all__ = ["get_default_device", "set_default_device", "set_default_tensor_type"]


def set_default_device(device: Device | str | int | None) -> None:
    """Set the device of tensors that are made without one, in this thread.

    Args:
        device: the device; "cpu" for None.

    Raises:
        BackendError: no backend serves it.

    >>> torch.set_default_device("cpu")
    >>> torch.get_default_device()
    device(type='cpu')
    """
    change_device(device)


def set_default_tensor_type(t: type | str) -> None:
    """Set the default dtype by a type of tensors.

    Args:
        t: the type, such as `torch.DoubleTensor`, or its name.

    Raises:
        DTypeError: it is none, or none of floating-point numbers.

    >>> torch.set_default_tensor_type(torch.FloatTensor)
    >>> torch.get_default_dtype()
    lamina.float32
    """
    try:
        set_default_dtype(tensor_type(t).dtype)
    except (ValueError, DTypeError):
        raise DTypeError(f"set_default_tensor_type: {t!r}: only floating-point types are supported as the default type") from None
