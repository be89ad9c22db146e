"""Streams and events of devices of type "cuda": kernels run in one order, so a stream orders nothing, and an event waits."""

from __future__ import annotations

from time import perf_counter
from typing import Any, Self

from lamina_flatarray import DeviceError

from .cuda_devices import current_device, get_device_properties, synchronize

__all__ = ["Event", "Stream", "current_stream"]


class Stream:
    """The order that a device's kernels run in. `with stream: ...` changes nothing.

    Raises:
        DeviceError: there is no device.
    """

    def __init__(self, device: Any = None, priority: int = 0) -> None:
        self.device_index = get_device_properties(device).index

    def synchronize(self) -> None:
        """Wait until all kernels have run."""
        synchronize(self.device_index)

    def query(self) -> bool:
        """True, once all kernels have run."""
        self.synchronize()
        return True

    def wait_stream(self, stream: Stream) -> None:
        """Nothing: the order is one."""

    def wait_event(self, event: Event) -> None:
        """Nothing, likewise."""

    def record_event(self, event: Event | None = None) -> Event:
        """Record an event, a new one if none is given."""
        event = event or Event()
        event.record(self)
        return event

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass


def current_stream(device: Any = None) -> Stream:
    """The stream that kernels run on.

    Raises:
        DeviceError: there is no device.
    """
    return Stream(device)


class Event:
    """A moment at which all kernels before it have run: `record` waits for them.

    Raises:
        DeviceError: there is no device.
    """

    def __init__(self, enable_timing: bool = False, blocking: bool = False, interprocess: bool = False) -> None:
        self.device_index = current_device()
        self.enable_timing = enable_timing
        self._at: float | None = None

    def record(self, stream: Stream | None = None) -> None:
        """Let this be the moment."""
        synchronize(self.device_index)
        self._at = perf_counter()

    def synchronize(self) -> None:
        """Wait for it: it is over."""

    def query(self) -> bool:
        """True: it is over."""
        return True

    def wait(self, stream: Stream | None = None) -> None:
        """Nothing: it is over."""

    def elapsed_time(self, end_event: Event) -> float:
        """Milliseconds to another event.

        Raises:
            DeviceError: one of both is not recorded, or tells no time.
        """
        if self._at is None or end_event._at is None or not (self.enable_timing and end_event.enable_timing):
            raise DeviceError("elapsed_time: both events must be recorded, and made with enable_timing=True")
        return (end_event._at - self._at) * 1e3
