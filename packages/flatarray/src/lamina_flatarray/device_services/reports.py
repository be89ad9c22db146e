"""What is known of a device, and what its memory holds: for people and programs that look, never for kernels."""

from __future__ import annotations

from typing import NamedTuple

from ..errors import DeviceError

__all__ = ["DeviceProperties", "MemoryStats", "Reports"]


class DeviceProperties(NamedTuple):
    """What is known of one device; a number is 0 where the backend does not tell.

    Attributes:
        name: what its maker calls it.
        capability: the version of what it can do, (major, minor), as its maker counts.
        total_memory: bytes of memory.
        multi_processor_count: how many processors it has, each of many lanes.
        vector_instructions: of a CPU, what its maker calls those that kernels use; "" where they use none, or nobody tells.
    """

    name: str
    capability: tuple[int, int] = (0, 0)
    total_memory: int = 0
    multi_processor_count: int = 0
    vector_instructions: str = ""


class MemoryStats(NamedTuple):
    """What arrays hold of a device's memory, and what a pool keeps, all in bytes but for the last two.

    Attributes:
        allocated: what arrays hold.
        peak_allocated: the most that they held since the last reset; None where nobody keeps it.
        reserved: what is taken from the system: what arrays hold, and what is kept for later ones.
        peak_reserved: the most of it since the last reset, or None.
        blocks: how many pieces of memory are held.
        allocations: how many there ever were.

    >>> MemoryStats(8, 8, 512, 512, 1, 1).reserved
    512
    """

    allocated: int
    peak_allocated: int | None
    reserved: int
    peak_reserved: int | None
    blocks: int
    allocations: int


class Reports:
    """What a backend tells of its devices.

    Attributes:
        name: of the backend.

    >>> class Silent(Reports):
    ...     name = "silent"
    >>> Silent().device_properties(1).name, Silent().memory_stats(1)
    ('silent:1', None)
    """

    name: str

    def device_properties(self, index: int) -> DeviceProperties:
        """Return what is known of a device. By default it is only named, after the backend.

        Args:
            index: which of the backend's devices.

        Returns:
            A `DeviceProperties`.
        """
        return DeviceProperties(f"{self.name}:{index}")

    def memory_stats(self, index: int = 0) -> MemoryStats | None:
        """Return what arrays hold of a device's memory. By default nobody counts.

        Args:
            index: which of the backend's devices.

        Returns:
            A `MemoryStats`, or None where nobody counts.
        """
        return None

    def reset_peak_memory_stats(self, index: int = 0) -> None:
        """Count the peaks of `memory_stats` from now on.

        Args:
            index: which of the backend's devices.
        """

    def empty_cache(self) -> None:
        """Give memory that is kept, and that no array holds, back to the system. Without a pool there is none."""

    def memory_info(self, index: int = 0) -> tuple[int, int] | None:
        """Return how much of a device's memory no program holds, and how much it has, as the device tells. By default it is not asked.

        Args:
            index: which of the backend's devices.

        Returns:
            Free and total bytes, or None where they are not known.
        """
        return None

    def memory_share(self, index: int = 0) -> float:
        """Return the share of a device's memory that this process may take. By default it is not limited.

        Args:
            index: which of the backend's devices.

        Returns:
            A number between 0 and 1.
        """
        return 1.0

    def limit_memory(self, index: int, share: float) -> None:
        """Refuse allocations with which this process would take more than a share of a device's memory.

        Args:
            index: which of the backend's devices.
            share: a number between 0 and 1.

        Raises:
            DeviceError: the backend keeps no limit.
        """
        raise DeviceError(f"memory: backend {self.name!r} keeps no limit of what is taken of {self.name}:{index}")

    def reaches(self, index: int, other: int) -> bool:
        """Return whether kernels of one device can read the memory of another one. By default none can.

        Args:
            index, other: which of the backend's devices.

        Returns:
            A bool.
        """
        return False
