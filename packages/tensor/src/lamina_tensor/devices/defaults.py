"""What tensors are made with where a program says nothing: the device, per thread, and the dtype, in PyTorch's spelling."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lamina_flatarray import BackendError, DTypeError, get_default_dtype, set_default_dtype
from lamina_flatarray.backends.choice import change_device, get_default_device

from ..methods.memory.names_of_types import tensor_type

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
    """Set the default dtype by a type of tensors, and with a type of "cuda" the default device in this thread, until one of the host's.

    Args:
        t: the type, such as `torch.DoubleTensor` or `torch.cuda.FloatTensor`, or its name.

    Raises:
        DTypeError: it is none, or none of floating-point numbers.
        BackendError: no backend serves its device.

    >>> torch.set_default_tensor_type(torch.FloatTensor)
    >>> torch.get_default_dtype()
    lamina.float32
    """
    before = get_default_dtype()
    try:
        kind = tensor_type(t)
        set_default_dtype(kind.dtype)
    except (ValueError, DTypeError):
        raise DTypeError(f"set_default_tensor_type: {t!r}: only floating-point types are supported as the default type") from None
    if "cuda" in (kind.device_type, get_default_device().type):
        try:
            change_device(kind.device_type)
        except BackendError:
            set_default_dtype(before)
            raise
