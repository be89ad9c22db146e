"""What tensors are made with where a program says nothing: the device, per thread, and the dtype, in PyTorch's spelling."""

from __future__ import annotations

from typing import Any

from lamina_flatarray import DTypeError, set_default_dtype
from lamina_flatarray.backends.choice import change_device, get_default_device

from ..methods.tensor_types import tensor_type

__all__ = ["get_default_device", "set_default_device", "set_default_tensor_type"]


def set_default_device(device: Any) -> None:
    """Set the device of tensors made without one, in this thread; None stands for "cpu".

    Raises:
        BackendError: nobody serves it.
    """
    change_device(device)


def set_default_tensor_type(t: Any) -> None:
    """Set the default dtype by a type such as `DoubleTensor`, or by its name.

    Raises:
        DTypeError: it is none, or none of floating-point numbers.
    """
    try:
        set_default_dtype(tensor_type(t).dtype)
    except (ValueError, DTypeError):
        raise DTypeError(f"set_default_tensor_type: {t!r}: only floating-point types are supported as the default type") from None
