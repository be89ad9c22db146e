"""PyTorch's `torch.accelerator`: the devices that compute beside the CPU."""

from typing import TYPE_CHECKING

from lamina_flatarray import Device
from lamina_tensor.devices.cuda_devices import (
    current_device,
    device_count,
    get_device_capability,
    is_available,
    synchronize,
)  # fmt: skip
from lamina_tensor.devices.cuda_memory import (
    empty_cache,
    max_memory_allocated,
    max_memory_reserved,
    memory_allocated,
    memory_reserved,
    memory_stats,
    reset_peak_memory_stats,
)  # fmt: skip

from .absent_names import explained

__all__ = [
    "current_accelerator", "current_device", "current_device_index", "device_count", "empty_cache",
    "get_device_capability", "is_available", "max_memory_allocated", "max_memory_reserved", "memory_allocated",
    "memory_reserved", "memory_stats", "reset_peak_memory_stats", "synchronize",
]  # fmt: skip

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

if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
