"""What arrays hold of the memory of devices of type "cuda", as their backend counts it, under PyTorch's names."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

from lamina_flatarray import ArgumentTypeError, ArgumentValueError, DeviceError

from .cuda_devices import index_of, is_available, serving

if TYPE_CHECKING:
    from lamina_flatarray import Device
    from lamina_flatarray.device_services import MemoryStats

__all__ = [
    "empty_cache", "get_per_process_memory_fraction", "max_memory_allocated", "max_memory_cached", "max_memory_reserved",
    "mem_get_info", "memory_allocated", "memory_cached", "memory_reserved", "memory_stats", "memory_stats_as_nested_dict",
    "memory_summary", "reset_max_memory_allocated", "reset_max_memory_cached", "reset_peak_memory_stats",
    "set_per_process_memory_fraction",
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


def memory_stats_as_nested_dict(device: Device | str | int | None = None) -> dict[str, Any]:
    """Tell what `memory_stats` tells, as dicts within dicts.

    Args:
        device: the device; the current one for None.

    Returns:
        A dict from the first part of a key to those of its further parts; empty where there is no device.

    Raises:
        DeviceError: there is no such device beside others, or its backend does not count.

    >>> stats = torch.cuda.memory_stats_as_nested_dict()
    >>> not stats or stats["allocated_bytes"]["all"]["current"] == torch.cuda.memory_allocated()
    True
    """
    nested: dict[str, Any] = {}
    for key, number in memory_stats(device).items():
        *outer, last = key.split(".")
        level = nested
        for part in outer:
            level = level.setdefault(part, {})
        level[last] = number
    return nested


def memory_summary(device: Device | str | int | None = None, abbreviated: bool = False) -> str:
    """Write what is counted of a device's memory as a table for people.

    Args:
        device: the device; the current one for None.
        abbreviated: accepted: there are no parts of the pool that could be left out.

    Returns:
        Lines of text: what arrays hold, what is taken from the device, and pieces of memory, now and at most, and of pieces how
        many were ever made and let go.

    Raises:
        DeviceError: there is no such device, or its backend does not count.

    >>> if torch.cuda.is_available():
    ...     assert "Allocated memory" in torch.cuda.memory_summary()
    """
    index = index_of(device)
    stats = memory_stats(index)

    def sized(key: str) -> str:
        return _size(stats[key]) if key in stats else "-"

    made, there = stats["allocation.all.allocated"], stats["allocation.all.current"]
    rows = [
        ("Metric", "Cur Usage", "Peak Usage", "Tot Alloc", "Tot Freed"),
        ("Allocated memory", sized("allocated_bytes.all.current"), sized("allocated_bytes.all.peak"), "-", "-"),
        ("GPU reserved memory", sized("reserved_bytes.all.current"), sized("reserved_bytes.all.peak"), "-", "-"),
        ("Allocations", str(there), "-", str(made), str(made - there)),
    ]
    lines = [f"| {name:<20} | " + " | ".join(f"{cell:>11}" for cell in cells) + " |" for name, *cells in rows]
    rule = f"|{'-' * (len(lines[0]) - 2)}|"
    title = f"|{f' Memory of cuda:{index}':<{len(rule) - 2}}|"
    return "\n".join([title, rule, *lines]) + "\n"


def _size(nbytes: int) -> str:
    """At most six digits and their unit."""
    unit = max(0, min(5, (nbytes.bit_length() - 10) // 10))
    return f"{nbytes >> 10 * unit} {('B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB')[unit]}"


def mem_get_info(device: Device | str | int | None = None) -> tuple[int, int]:
    """Ask a device how much of its memory no program holds, and how much it has.

    Args:
        device: the device, its name or its index; the current one for None.

    Returns:
        Free and total bytes.

    Raises:
        DeviceError: there is no such device, or its backend does not tell.

    >>> if torch.cuda.is_available():
    ...     free, total = torch.cuda.mem_get_info()
    ...     assert 0 <= free <= total
    """
    index = index_of(device)
    found = serving().memory_info(index)
    if found is None:
        raise DeviceError(f"mem_get_info: backend {serving().name!r} does not ask its devices")
    return found


def set_per_process_memory_fraction(fraction: float, device: Device | str | int | None = None) -> None:
    """Limit what this process takes of a device's memory: more is refused as if there were no more.

    Args:
        fraction: the share of the whole memory, between 0 and 1.
        device: the device, its name or its index; the current one for None.

    Raises:
        ArgumentTypeError: `fraction` is no float.
        ArgumentValueError: it is less than 0, or more than 1.
        DeviceError: there is no such device, or its backend keeps no limit.

    >>> if torch.cuda.is_available():
    ...     torch.cuda.set_per_process_memory_fraction(1.0)
    """
    index = index_of(device)
    if not isinstance(fraction, float):
        raise ArgumentTypeError(f"set_per_process_memory_fraction: {fraction!r} given; it wants a float")
    if not 0 <= fraction <= 1:
        raise ArgumentValueError(f"set_per_process_memory_fraction: {fraction} given; it wants a number from 0 to 1")
    serving().limit_memory(index, fraction)


def get_per_process_memory_fraction(device: Device | str | int | None = None) -> float:
    """Tell the share of a device's memory that this process may take.

    Args:
        device: the device, its name or its index; the current one for None.

    Returns:
        What `set_per_process_memory_fraction` was given; 1.0 before.

    Raises:
        DeviceError: there is no such device.

    >>> if torch.cuda.is_available():
    ...     assert torch.cuda.get_per_process_memory_fraction() == 1.0
    """
    index = index_of(device)
    return serving().memory_share(index)


def memory_cached(device: Device | str | int | None = None) -> int:
    """The old name of `memory_reserved`.

    Args:
        device: the device; the current one for None.

    Returns:
        A number of bytes; 0 where there is no device.

    Raises:
        DeviceError: there is no such device beside others, or its backend does not count.

    >>> import warnings
    >>> with warnings.catch_warnings(action="ignore"):
    ...     torch.cuda.memory_cached() == torch.cuda.memory_reserved()
    True
    """
    _renamed("memory_cached", "memory_reserved")
    return memory_reserved(device)


def max_memory_cached(device: Device | str | int | None = None) -> int:
    """The old name of `max_memory_reserved`.

    Args:
        device: the device; the current one for None.

    Returns:
        A number of bytes; 0 where there is no device.

    Raises:
        DeviceError: there is no such device beside others, or its backend does not count.

    >>> import warnings
    >>> with warnings.catch_warnings(action="ignore"):
    ...     torch.cuda.max_memory_cached() == torch.cuda.max_memory_reserved()
    True
    """
    _renamed("max_memory_cached", "max_memory_reserved")
    return max_memory_reserved(device)


def reset_max_memory_allocated(device: Device | str | int | None = None) -> None:
    """An old name of `reset_peak_memory_stats`, which resets all peaks.

    Args:
        device: the device, its name or its index; the current one for None.

    Raises:
        DeviceError: there is no such device beside others.

    >>> import warnings
    >>> with warnings.catch_warnings(action="ignore"):
    ...     torch.cuda.reset_max_memory_allocated()
    """
    _renamed("reset_max_memory_allocated", "reset_peak_memory_stats")
    reset_peak_memory_stats(device)


def reset_max_memory_cached(device: Device | str | int | None = None) -> None:
    """An old name of `reset_peak_memory_stats`, which resets all peaks.

    Args:
        device: the device, its name or its index; the current one for None.

    Raises:
        DeviceError: there is no such device beside others.

    >>> import warnings
    >>> with warnings.catch_warnings(action="ignore"):
    ...     torch.cuda.reset_max_memory_cached()
    """
    _renamed("reset_max_memory_cached", "reset_peak_memory_stats")
    reset_peak_memory_stats(device)


def _renamed(old: str, new: str) -> None:
    warnings.warn(f"torch.cuda.{old} is now called torch.cuda.{new}", FutureWarning, stacklevel=3)
