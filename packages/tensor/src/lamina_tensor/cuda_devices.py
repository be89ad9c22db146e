"""What there is of devices of type "cuda": how many, and whether any."""

from __future__ import annotations

from typing import Any

from lamina_flatarray import BackendError, DeviceError, registry
from lamina_flatarray.devices import Device

__all__ = ["current_device", "device_count", "is_available", "synchronize"]


def device_count() -> int:
    """How many devices of type "cuda" the backend that serves them finds; 0 without one."""
    try:
        return registry.backend_for("cuda").device_count()
    except BackendError:
        return 0


def is_available() -> bool:
    """Whether there is a device of type "cuda"."""
    return device_count() > 0


def current_device() -> int:
    """The index of the device that "cuda" stands for.

    Raises:
        DeviceError: there is none.
    """
    if not is_available():
        raise DeviceError("cuda: there is no device of this type; to see all backends run: lamina doctor")
    return 0


def synchronize(device: Any = None) -> None:
    """Wait until all kernels of a device have run: an index, a device, or None for the current one.

    Raises:
        DeviceError: there is none.
    """
    current = current_device()
    index = device if isinstance(device, int) else current if device is None else Device(device).index or current
    registry.backend_for("cuda").synchronize(index)
