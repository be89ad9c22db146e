"""What there is of devices of type "cuda": how many, and whether any."""

from __future__ import annotations

from dataclasses import dataclass

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
    """Count the devices of type "cuda" that the backend which serves them finds.

    Returns:
        Their number; 0 without such a backend.

    >>> torch.cuda.device_count() >= 0
    True
    """
    try:
        return registry.backend_for("cuda").device_count()
    except BackendError:
        return 0


def is_available() -> bool:
    """Whether there is a device of type "cuda".

    Returns:
        A bool.

    >>> torch.cuda.is_available() == (torch.cuda.device_count() > 0)
    True
    """
    return device_count() > 0


def current_device() -> int:
    """The index of the device that "cuda" stands for.

    Returns:
        The index, which is always 0.

    Raises:
        DeviceError: there is none.

    >>> if torch.cuda.is_available():
    ...     assert torch.cuda.current_device() == 0
    """
    if not is_available():
        raise DeviceError("cuda: there is no device of this type; to see all backends run: lamina doctor")
    return 0


@dataclass(frozen=True)
class DeviceProperties:
    """What is known of a device.

    Attributes:
        name: the name of the backend that serves it, and the device's index there.
        index: its index.
    """

    name: str
    index: int


def get_device_properties(device: Device | str | int | None = None) -> DeviceProperties:
    """Look up what is known of a device.

    Args:
        device: the device, its name or its index; the current one for None.

    Returns:
        Its name and index.

    Raises:
        DeviceError: there is none.

    >>> if torch.cuda.is_available():
    ...     properties = torch.cuda.get_device_properties(0)
    ...     assert properties.index == 0
    """
    current = current_device()
    index = device if isinstance(device, int) else current if device is None else Device(device).index or current
    if not 0 <= index < device_count():
        raise DeviceError(f"cuda: there is no device {index}, but {device_count()} of this type")
    return DeviceProperties(f"{registry.backend_for('cuda').name}:{index}", index)


def get_device_name(device: Device | str | int | None = None) -> str:
    """Look up the name of a device.

    Args:
        device: the device, its name or its index; the current one for None.

    Returns:
        The `name` of `get_device_properties`.

    Raises:
        DeviceError: there is none.

    >>> names = [torch.cuda.get_device_name(i) for i in range(torch.cuda.device_count())]
    >>> len(names) == torch.cuda.device_count()
    True
    """
    return get_device_properties(device).name


def synchronize(device: Device | str | int | None = None) -> None:
    """Wait until all kernels of a device have run.

    Args:
        device: the device, its name or its index; the current one for None.

    Raises:
        DeviceError: there is none.

    >>> if torch.cuda.is_available():
    ...     x = torch.ones(1000, device="cuda").sum()
    ...     torch.cuda.synchronize()
    """
    current = current_device()
    index = device if isinstance(device, int) else current if device is None else Device(device).index or current
    registry.backend_for("cuda").synchronize(index)


def manual_seed(seed: int) -> None:
    """Seed the generator of devices of type "cuda". Without one, it does nothing.

    Args:
        seed: the seed.

    >>> torch.cuda.manual_seed(0)
    """
    if is_available():
        generator_of("cuda").manual_seed(seed)


def manual_seed_all(seed: int) -> None:
    """Seed the generators of all devices of type "cuda": there is one.

    Args:
        seed: the seed.

    >>> torch.cuda.manual_seed_all(0)
    """
    manual_seed(seed)


def set_device(device: Device | str | int) -> None:
    """Choose the current device, which "cuda" stands for. It can only be the first one.

    Args:
        device: the device, its name or its index.

    Raises:
        DeviceError: there is none, or another one is asked for.

    >>> if torch.cuda.is_available():
    ...     torch.cuda.set_device(0)
    """
    index = device if isinstance(device, int) else Device(device).index or 0
    if index != current_device():
        raise DeviceError(f"cuda: device {index} cannot be made the current one; name it where arrays are made")


def is_bf16_supported(including_emulation: bool = True) -> bool:
    """Whether the current device computes in bfloat16, as all do.

    Args:
        including_emulation: accepted: the answer is the same without.

    Returns:
        A bool: False only where there is no device.

    >>> torch.cuda.is_bf16_supported() == torch.cuda.is_available()
    True
    """
    return is_available()


def empty_cache() -> None:
    """Release cached memory. Nothing is cached here, so it does nothing.

    >>> torch.cuda.empty_cache()
    """


def memory_allocated(device: Device | str | int | None = None) -> int:
    """Count the bytes that are in use on a device. Backends do not count them, so it is 0.

    Args:
        device: the device, its name or its index; the current one for None.

    Returns:
        0.

    >>> torch.cuda.memory_allocated()
    0
    """
    return 0


def memory_reserved(device: Device | str | int | None = None) -> int:
    """Count the bytes that are reserved on a device: as `memory_allocated`.

    Args:
        device: the device; the current one for None.

    Returns:
        0.

    >>> torch.cuda.memory_reserved()
    0
    """
    return memory_allocated(device)


def max_memory_allocated(device: Device | str | int | None = None) -> int:
    """Count the bytes that were in use on a device at most: as `memory_allocated`.

    Args:
        device: the device; the current one for None.

    Returns:
        0.

    >>> torch.cuda.max_memory_allocated()
    0
    """
    return memory_allocated(device)


def reset_peak_memory_stats(device: Device | str | int | None = None) -> None:
    """Start to count anew what `max_memory_allocated` counts: nothing, so it does nothing.

    Args:
        device: the device, its name or its index; the current one for None.

    >>> torch.cuda.reset_peak_memory_stats()
    """
