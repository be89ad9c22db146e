"""The devices of type "cuda": how many there are, what is known of them, and which of them is the current one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lamina_flatarray import BackendError, DeviceError, get_default_dtype
from lamina_flatarray.backends import registry
from lamina_flatarray.devices import Device, current_index, set_current_index
from lamina_flatarray.errors import NoDevice

from ..tensor_fields import AnyTensor

if TYPE_CHECKING:
    from lamina_flatarray import Backend

__all__ = [
    "can_device_access_peer", "current_device", "device", "device_count", "device_of", "get_arch_list", "get_device_capability",
    "get_device_name", "get_device_properties", "get_gencode_flags", "init", "ipc_collect", "is_available", "is_bf16_supported",
    "is_initialized", "is_tf32_supported", "set_device", "synchronize",
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


def is_initialized() -> bool:
    """Whether something was done on a device of type "cuda" in this process: before, none was touched.

    Returns:
        A bool; False where there is no device.

    >>> if torch.cuda.is_available():
    ...     torch.cuda.init()
    ...     assert torch.cuda.is_initialized()
    """
    return any(table.device.type == "cuda" for table in registry.every_table())


def init() -> None:
    """Make the current device ready, as the first array on it does anyway.

    Raises:
        NoDevice: there is none.

    >>> if torch.cuda.is_available():
    ...     torch.cuda.init()
    """
    registry.kernels(Device("cuda", current_device()), get_default_dtype())


def current_device() -> int:
    """The index of the device that "cuda" stands for in this thread.

    Returns:
        The index; 0 unless `set_device` or a block of `device` chose another.

    Raises:
        NoDevice: there is none.

    >>> if torch.cuda.is_available():
    ...     with torch.cuda.device(0):
    ...         assert torch.cuda.current_device() == 0
    """
    if not is_available():
        raise NoDevice("cuda: there is no device of this type; to see all backends run: lamina doctor")
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


class device_of(device):
    """Make the device of a tensor the current one within a `with` block; for a tensor elsewhere nothing changes.

    Args:
        obj: the tensor.

    >>> with torch.cuda.device_of(torch.ones(2)):
    ...     pass
    """

    def __init__(self, obj: AnyTensor) -> None:
        place = obj.array.device
        super().__init__(place if place.type == "cuda" else None)


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
    index = index_of(device)
    return serving().device_properties(index).capability


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
    index = index_of(device)
    serving().synchronize(index)


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


def is_tf32_supported() -> bool:
    """Whether the current device has products of float32 rounded to 10 bits, as those of compute capability 8.0 and newer have.

    Returns:
        A bool; False where there is no device. Kernels here do not use them.

    >>> torch.cuda.is_tf32_supported() and not torch.cuda.is_available()
    False
    """
    return is_available() and get_device_capability() >= (8, 0)


def can_device_access_peer(device: Device | str | int, peer_device: Device | str | int) -> bool:
    """Whether kernels of one device can read the memory of another one.

    Args:
        device: the device, its name or its index.
        peer_device: the other one.

    Returns:
        A bool.

    Raises:
        DeviceError: there is no such device.

    >>> if torch.cuda.device_count() > 1:
    ...     answer = torch.cuda.can_device_access_peer(0, 1)
    """
    index, other = index_of(device), index_of(peer_device)
    return serving().reaches(index, other)


def get_arch_list() -> list[str]:
    """List the architectures that kernels are compiled for: those of the devices that are here.

    Returns:
        Names such as "sm_90", each once; none where there is no device, or its backend does not tell.

    >>> [] if torch.cuda.is_available() else torch.cuda.get_arch_list()
    []
    """
    capabilities = {serving().device_properties(index).capability for index in range(device_count())}
    return [f"sm_{major}{minor}" for major, minor in sorted(capabilities) if major]


def get_gencode_flags() -> str:
    """Return what NVIDIA's compiler is told to compile for the devices that are here.

    Returns:
        Options of nvcc in one string, one for each name of `get_arch_list`; empty where there is none.

    >>> torch.cuda.get_gencode_flags().count("-gencode") == len(torch.cuda.get_arch_list())
    True
    """
    numbers = [name.removeprefix("sm_") for name in get_arch_list()]
    return " ".join(f"-gencode compute=compute_{number},code=sm_{number}" for number in numbers)


def ipc_collect() -> None:
    """Do nothing but look for a device: memory of devices is not shared between processes, so none is to be collected.

    Raises:
        NoDevice: there is none.

    >>> if torch.cuda.is_available():
    ...     torch.cuda.ipc_collect()
    """
    current_device()
