"""PyTorch's `torch.accelerator`: the devices that compute beside the CPU."""

from lamina_flatarray import Device
from lamina_tensor.devices.cuda_devices import current_device, device_count, is_available, synchronize

from .absent_names import explained as _explained

__all__ = ["current_accelerator", "current_device_index", "device_count", "is_available", "synchronize"]

current_device_index = current_device


def current_accelerator(check_available: bool = False) -> Device | None:
    """Return the device type that computes beside the CPU; None without one.

    Args:
        check_available: accepted as in PyTorch; the device must be usable in any case.

    Returns:
        A device without an index, or None.

    >>> torch.accelerator.current_accelerator() in (None, torch.device("cuda"))
    True
    """
    return Device("cuda") if is_available() else None


_explained(globals())
