"""What there is of devices of type "cuda": how many, and whether any."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lamina_flatarray import BackendError, DeviceError
from lamina_flatarray.backends import registry
from lamina_flatarray.devices import Device
from lamina_ndarray.creation.sampling import generator_of

__all__ = [
    "current_device", "device_count", "empty_cache", "get_device_name", "get_device_properties", "is_available",
    "is_bf16_supported", "manual_seed", "manual_seed_all", "max_memory_allocated", "memory_allocated", "memory_reserved",
    "reset_peak_memory_stats", "set_device", "synchronize",
]  # fmt: skip


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


@dataclass(frozen=True)
class DeviceProperties:
    """What is told of a device.

    Attributes:
        name: of the backend that serves it, and which of its devices it is.
        index: which it is.
    """

    name: str
    index: int


def get_device_properties(device: Any = None) -> DeviceProperties:
    """What is known of a device: an index, a device, or None for the current one.

    Raises:
        DeviceError: there is none.
    """
    current = current_device()
    index = device if isinstance(device, int) else current if device is None else Device(device).index or current
    if not 0 <= index < device_count():
        raise DeviceError(f"cuda: there is no device {index}, but {device_count()} of this type")
    return DeviceProperties(f"{registry.backend_for('cuda').name}:{index}", index)


def get_device_name(device: Any = None) -> str:
    """The name among `get_device_properties`.

    Raises:
        DeviceError: there is none.
    """
    return get_device_properties(device).name


def synchronize(device: Any = None) -> None:
    """Wait until all kernels of a device have run: an index, a device, or None for the current one.

    Raises:
        DeviceError: there is none.
    """
    current = current_device()
    index = device if isinstance(device, int) else current if device is None else Device(device).index or current
    registry.backend_for("cuda").synchronize(index)


def manual_seed(seed: int) -> None:
    """Seed the generator of "cuda"; without a device, nothing."""
    if is_available():
        generator_of("cuda").manual_seed(seed)


manual_seed_all = manual_seed


def set_device(device: Any) -> None:
    """Choose what "cuda" stands for: only the first device can be.

    Raises:
        DeviceError: there is none, or another one is asked for.
    """
    index = device if isinstance(device, int) else Device(device).index or 0
    if index != current_device():
        raise DeviceError(f"cuda: device {index} cannot be made the current one; name it where arrays are made")


def is_bf16_supported() -> bool:
    """Whether there is a device, all of which compute in bfloat16."""
    return is_available()


def empty_cache() -> None:
    """Nothing: without a device nothing is cached."""


def memory_allocated(device: Any = None) -> int:
    """Bytes in use on a device, as far as its backend counts them: 0 without one."""
    return 0


memory_reserved = max_memory_allocated = memory_allocated


def reset_peak_memory_stats(device: Any = None) -> None:
    """Nothing: see `memory_allocated`."""
