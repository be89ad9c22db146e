"""The devices of type "cuda": how many there are, what is known of them, and which of them is the current one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lamina_flatarray import BackendError, DeviceError
from lamina_flatarray.backends import registry
from lamina_flatarray.devices import Device, current_index, set_current_index

if TYPE_CHECKING:
    from lamina_flatarray import Backend

__all__ = [
    "current_device", "device", "device_count", "get_device_capability", "get_device_name", "get_device_properties",
    "is_available", "is_bf16_supported", "set_device", "synchronize",
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
    """The index of the device that "cuda" stands for in this thread.

    Returns:
        The index; 0 unless `set_device` or a block of `device` chose another.

    Raises:
        DeviceError: there is none.

    >>> if torch.cuda.is_available():
    ...     with torch.cuda.device(0):
    ...         assert torch.cuda.current_device() == 0
    """
    if not is_available():
        raise DeviceError("cuda: there is no device of this type; to see all backends run: lamina doctor")
    return current_index("cuda")


def serving() -> Backend:
    """The backend that serves these devices."""
    return registry.backend_for("cuda")


def index_of(device: Device | str | int | None) -> int:
    """The index of a device of type "cuda", which there must be; that of the current one for None."""
    index = current_device()
    if isinstance(device, int):
        index = device
    elif device is not None:
        place = Device(device)
        if place.type != "cuda":
            raise DeviceError(f"cuda: device {str(place)!r} given; it wants one of type 'cuda'")
        index = index if place.index is None else place.index
    if not 0 <= index < device_count():
        raise DeviceError(f"cuda: there is no device {index}, but {device_count()} of this type")
    return index


def set_device(device: Device | str | int | None) -> None:
    """Choose the current device of this thread, which "cuda" stands for.

    Args:
        device: the device, its name or its index; for None or a negative index nothing changes.

    Raises:
        DeviceError: there is no such device.

    >>> if torch.cuda.is_available():
    ...     torch.cuda.set_device(0)
    """
    if device is not None and not (isinstance(device, int) and device < 0):
        set_current_index("cuda", index_of(device))


class device:
    """Make a device the current one within a `with` block.

    Args:
        device: the device, its name or its index; for None or a negative index nothing changes.

    Raises:
        DeviceError: there is no such device.

    >>> if torch.cuda.is_available():
    ...     with torch.cuda.device("cuda:0"):
    ...         assert str(torch.ones(2, device="cuda").device) == "cuda:0"
    """

    def __init__(self, device: Device | str | int | None) -> None:
        self.idx = -1 if device is None or (isinstance(device, int) and device < 0) else index_of(device)
        self.prev_idx = -1

    def __enter__(self) -> None:
        self.prev_idx = current_index("cuda")
        set_device(self.idx)

    def __exit__(self, *exception: Any) -> None:
        set_current_index("cuda", self.prev_idx)


@dataclass(frozen=True)
class DeviceProperties:
    """What is known of a device; a number is 0 where its backend does not tell.

    Attributes:
        name: what its maker calls it.
        index: its index.
        major, minor: its compute capability.
        total_memory: bytes of memory.
        multi_processor_count: how many streaming multiprocessors it has.
    """

    name: str
    index: int
    major: int = 0
    minor: int = 0
    total_memory: int = 0
    multi_processor_count: int = 0


def get_device_properties(device: Device | str | int | None = None) -> DeviceProperties:
    """Look up what is known of a device.

    Args:
        device: the device, its name or its index; the current one for None.

    Returns:
        Its name, index, compute capability, bytes of memory, and number of multiprocessors.

    Raises:
        DeviceError: there is no such device.

    >>> if torch.cuda.is_available():
    ...     properties = torch.cuda.get_device_properties(0)
    ...     assert properties.index == 0
    """
    index = index_of(device)
    traits = serving().device_properties(index)
    return DeviceProperties(traits.name, index, *traits.capability, traits.total_memory, traits.multi_processor_count)


def get_device_name(device: Device | str | int | None = None) -> str:
    """Look up the name of a device.

    Args:
        device: the device, its name or its index; the current one for None.

    Returns:
        The `name` of `get_device_properties`.

    Raises:
        DeviceError: there is no such device.

    >>> names = [torch.cuda.get_device_name(i) for i in range(torch.cuda.device_count())]
    >>> len(names) == torch.cuda.device_count()
    True
    """
    return get_device_properties(device).name


def get_device_capability(device: Device | str | int | None = None) -> tuple[int, int]:
    """Look up the compute capability of a device.

    Args:
        device: the device, its name or its index; the current one for None.

    Returns:
        Its major and minor number; (0, 0) where its backend does not tell.

    Raises:
        DeviceError: there is no such device.

    >>> if torch.cuda.is_available():
    ...     major, minor = torch.cuda.get_device_capability()
    """
    return serving().device_properties(index_of(device)).capability


def synchronize(device: Device | str | int | None = None) -> None:
    """Wait until all kernels of a device have run, on all of its streams.

    Args:
        device: the device, its name or its index; the current one for None.

    Raises:
        DeviceError: there is no such device.

    >>> if torch.cuda.is_available():
    ...     x = torch.ones(1000, device="cuda").sum()
    ...     torch.cuda.synchronize()
    """
    serving().synchronize(index_of(device))


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
