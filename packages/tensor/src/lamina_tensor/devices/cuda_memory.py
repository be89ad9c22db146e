"""What arrays hold of the memory of devices of type "cuda", as their backend counts it, under PyTorch's names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lamina_flatarray import DeviceError

from .cuda_devices import index_of, is_available, serving

if TYPE_CHECKING:
    from lamina_flatarray import Device
    from lamina_flatarray.device_services import MemoryStats

__all__ = [
    "empty_cache", "max_memory_allocated", "max_memory_reserved", "memory_allocated", "memory_reserved", "memory_stats",
    "reset_peak_memory_stats",
]  # fmt: skip


def _counted(op: str, device: Device | str | int | None) -> MemoryStats | None:
    """What the backend counts; None where there is no device, and so nothing to count."""
    if not is_available():
        return None
    stats = serving().memory_stats(index_of(device))
    if stats is None:
        raise DeviceError(f"{op}: backend {serving().name!r} does not count its memory")
    return stats


def _peak(op: str, bytes_at_most: int | None) -> int:
    if bytes_at_most is None:
        raise DeviceError(f"{op}: backend {serving().name!r} does not keep the peaks of its memory")
    return bytes_at_most


def empty_cache() -> None:
    """Give memory that is kept for later arrays, and that none holds now, back to the system, on all devices.

    >>> torch.cuda.empty_cache()
    """
    if is_available():
        serving().empty_cache()


def memory_allocated(device: Device | str | int | None = None) -> int:
    """Count the bytes that arrays hold on a device.

    Args:
        device: the device, its name or its index; the current one for None.

    Returns:
        A number of bytes; 0 where there is no device.

    Raises:
        DeviceError: there is no such device beside others, or its backend does not count.

    >>> before = torch.cuda.memory_allocated()
    >>> if torch.cuda.is_available():
    ...     x = torch.ones(1000, device="cuda")
    ...     assert torch.cuda.memory_allocated() == before + 4000
    """
    stats = _counted("memory_allocated", device)
    return 0 if stats is None else stats.allocated


def memory_reserved(device: Device | str | int | None = None) -> int:
    """Count the bytes that are taken from a device: what arrays hold, and what is kept for later ones.

    Args:
        device: the device; the current one for None.

    Returns:
        A number of bytes; 0 where there is no device.

    Raises:
        DeviceError: there is no such device beside others, or its backend does not count.

    >>> torch.cuda.memory_reserved() >= torch.cuda.memory_allocated()
    True
    """
    stats = _counted("memory_reserved", device)
    return 0 if stats is None else stats.reserved


def max_memory_allocated(device: Device | str | int | None = None) -> int:
    """Tell the most bytes that arrays held on a device since `reset_peak_memory_stats`.

    Args:
        device: the device; the current one for None.

    Returns:
        A number of bytes; 0 where there is no device.

    Raises:
        DeviceError: there is no such device beside others, or its backend does not count.

    >>> torch.cuda.max_memory_allocated() >= torch.cuda.memory_allocated()
    True
    """
    stats = _counted("max_memory_allocated", device)
    return 0 if stats is None else _peak("max_memory_allocated", stats.peak_allocated)


def max_memory_reserved(device: Device | str | int | None = None) -> int:
    """Tell the most bytes that were taken from a device since `reset_peak_memory_stats`.

    Args:
        device: the device; the current one for None.

    Returns:
        A number of bytes; 0 where there is no device.

    Raises:
        DeviceError: there is no such device beside others, or its backend does not count.

    >>> torch.cuda.max_memory_reserved() >= torch.cuda.memory_reserved()
    True
    """
    stats = _counted("max_memory_reserved", device)
    return 0 if stats is None else _peak("max_memory_reserved", stats.peak_reserved)


def memory_stats(device: Device | str | int | None = None) -> dict[str, int]:
    """Tell all that is counted of a device's memory, by PyTorch's keys.

    Args:
        device: the device; the current one for None.

    Returns:
        A dict of those of PyTorch's keys whose numbers are known; empty where there is no device.

    Raises:
        DeviceError: there is no such device beside others, or its backend does not count.

    >>> stats = torch.cuda.memory_stats()
    >>> stats.get("allocated_bytes.all.current", 0) == torch.cuda.memory_allocated()
    True
    """
    stats = _counted("memory_stats", device)
    if stats is None:
        return {}
    by_key = {
        "allocated_bytes.all.current": stats.allocated, "allocated_bytes.all.peak": stats.peak_allocated,
        "reserved_bytes.all.current": stats.reserved, "reserved_bytes.all.peak": stats.peak_reserved,
        "allocation.all.current": stats.blocks, "allocation.all.allocated": stats.allocations,
    }  # fmt: skip
    return {key: number for key, number in by_key.items() if number is not None}


def reset_peak_memory_stats(device: Device | str | int | None = None) -> None:
    """Start to count anew what `max_memory_allocated` and `max_memory_reserved` tell. Without a device, it does nothing.

    Args:
        device: the device, its name or its index; the current one for None.

    Raises:
        DeviceError: there is no such device beside others.

    >>> torch.cuda.reset_peak_memory_stats()
    >>> torch.cuda.max_memory_allocated() == torch.cuda.memory_allocated()
    True
    """
    if is_available():
        serving().reset_peak_memory_stats(index_of(device))
