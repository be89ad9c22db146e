"""Streams and events of devices of type "cuda": kernels run in one order, so a stream orders nothing, and an event waits."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Self

from lamina_flatarray import DeviceError

from .cuda_devices import current_device, get_device_properties, synchronize

if TYPE_CHECKING:
    from lamina_flatarray import Device

__all__ = ["Event", "Stream", "current_stream"]


class Stream:
    """A stream of a device. Kernels run in one order, so a block within a stream is as any other.

    Args:
        device: the device, its name or its index; the current one for None.
        priority: accepted: there is one order.
        **kwargs: accepted: PyTorch's numbers of an existing stream.

    Raises:
        DeviceError: there is no device.

    >>> if torch.cuda.is_available():
    ...     stream = torch.cuda.Stream()
    ...     with stream:
    ...         x = torch.ones(3, device="cuda") + 1
    ...     event = stream.record_event()
    ...     assert stream.query() and event.query()
    """

    def __init__(self, device: Device | str | int | None = None, priority: int = 0, **kwargs: int) -> None:
        self.device_index = get_device_properties(device).index

    def synchronize(self) -> None:
        """Wait until all kernels have run."""
        synchronize(self.device_index)

    def query(self) -> bool:
        """Wait until all kernels have run, and return True.

        Returns:
            True.
        """
        self.synchronize()
        return True

    def wait_stream(self, stream: Stream) -> None:
        """Wait for another stream: kernels run in one order, so it does nothing.

        Args:
            stream: the other stream.
        """

    def wait_event(self, event: Event) -> None:
        """Wait for an event: kernels run in one order, so it does nothing.

        Args:
            event: the event.
        """

    def record_event(self, event: Event | None = None) -> Event:
        """Record an event.

        Args:
            event: the event; a new one for None.

        Returns:
            The event.
        """
        event = event or Event()
        event.record(self)
        return event

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass


def current_stream(device: Device | str | int | None = None) -> Stream:
    """Make a stream that stands for the one that kernels run on.

    Args:
        device: the device, its name or its index; the current one for None.

    Returns:
        A new `Stream` of that device.

    Raises:
        DeviceError: there is no device.

    >>> if torch.cuda.is_available():
    ...     torch.cuda.current_stream().synchronize()
    """
    return Stream(device)


class Event:
    """A moment at which all kernels before it have run: `record` waits for them.

    Args:
        enable_timing: whether `elapsed_time` may be called.
        blocking, interprocess, external: accepted, without a meaning here.

    Raises:
        DeviceError: there is no device.

    >>> if torch.cuda.is_available():
    ...     start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    ...     start.record()
    ...     x = torch.ones(100, 100, device="cuda").sum()
    ...     end.record()
    ...     assert start.elapsed_time(end) > 0
    """

    def __init__(self, enable_timing: bool = False, blocking: bool = False, interprocess: bool = False, external: bool = False) -> None:
        self.device_index = current_device()
        self.enable_timing = enable_timing
        self._at: float | None = None

    def record(self, stream: Stream | None = None) -> None:
        """Wait until all kernels have run, and keep the time.

        Args:
            stream: accepted: there is one order.
        """
        synchronize(self.device_index)
        self._at = perf_counter()

    def synchronize(self) -> None:
        """Wait for the event: it is over, so it does nothing."""

    def query(self) -> bool:
        """Whether the event is over: always True.

        Returns:
            True.
        """
        return True

    def wait(self, stream: Stream | None = None) -> None:
        """Let a stream wait for the event: it is over, so it does nothing.

        Args:
            stream: the stream that would wait.
        """

    def elapsed_time(self, end_event: Event) -> float:
        """Compute the time from this event to another one.

        Args:
            end_event: the other one.

        Returns:
            Milliseconds.

        Raises:
            DeviceError: one of both is not recorded, or tells no time.
        """
        if self._at is None or end_event._at is None or not (self.enable_timing and end_event.enable_timing):
            raise DeviceError("elapsed_time: both events must be recorded, and made with enable_timing=True")
        return (end_event._at - self._at) * 1e3
