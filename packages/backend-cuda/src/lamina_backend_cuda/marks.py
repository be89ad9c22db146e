"""Marks of a program in what CUDA's profilers record."""

from __future__ import annotations

import threading

from lamina_flatarray.device_services import Marks

from .interface import Port

__all__ = ["NvtxMarks", "RangesOfThread"]


class RangesOfThread(threading.local):
    """How many ranges each thread has begun and not ended: NVTX tells it only where a profiler listens."""

    begun = 0


class NvtxMarks(Marks):
    """The part of the backend that tells NVTX and the runtime.

    Attributes:
        port: how they are reached.
        ranges: those of this thread that have begun.
    """

    port: Port
    ranges: RangesOfThread

    def mark(self, message: str) -> None:
        """Mark this moment."""
        self.port.mark(message)

    def push_range(self, message: str) -> int:
        """Begin a range, and return in how many it lies."""
        self.port.push_range(message)
        self.ranges.begun += 1
        return self.ranges.begun - 1

    def pop_range(self) -> int:
        """End a range, and return in how many it lay; -1, and nothing done, where none has begun."""
        if self.ranges.begun == 0:
            return -1
        self.port.pop_range()
        self.ranges.begun -= 1
        return self.ranges.begun

    def start_recording(self) -> None:
        """Have profilers that were told to wait for the program begin."""
        self.port.record_profile(True)

    def stop_recording(self) -> None:
        """Have them stop."""
        self.port.record_profile(False)
