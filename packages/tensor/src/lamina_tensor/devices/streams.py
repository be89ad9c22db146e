"""Streams and events of any device type: on the CPU there is one order of work, the program's own."""

from __future__ import annotations

from typing import Self

from lamina_flatarray import ArgumentValueError, Device, DeviceError

from . import cuda_streams
from .cuda_devices import is_available

__all__ = ["Event", "Stream"]


def _device_of(device: Device | str | int | None, function: str) -> Device:
    """The device; without one, that of the accelerator, or the CPU.

    Raises:
        DeviceError: nothing serves it.
    """
    if device is None:
        return Device("cuda") if is_available() else Device("cpu")
    of = Device("cuda", device) if isinstance(device, int) else Device(device)
    if of.type != "cpu" and not (of.type == "cuda" and is_available()):
        raise DeviceError(f"torch.{function}: no backend serves devices of type {of.type!r} here")
    return of


class Stream:
    """A stream of a device, an order of work: of "cuda" as `torch.cuda.Stream`, and on the CPU the one order that there is.

    Args:
        device: the device; None for the accelerator's type, or the CPU without one.
        priority: accepted: all streams have one priority.

    Attributes:
        device: the device.
        stream_id: 0 on the CPU.

    Raises:
        DeviceError: nothing serves the device.

    >>> torch.Stream("cpu").query()
    True
    """

    device: Device
    stream_id: int = 0

    def __init__(self, device: Device | str | int | None = None, *, priority: int = 0) -> None:
        self.device = _device_of(device, "Stream")
        self._of_cuda = cuda_streams.Stream(self.device, priority) if self.device.type == "cuda" else None

    @property
    def device_index(self) -> int:
        """The index of the device; -1 on the CPU, which has none."""
        return -1 if self._of_cuda is None else self._of_cuda.device_index

    def query(self) -> bool:
        """Tell whether all that is queued here has run; on the CPU it always has.

        Returns:
            A bool.
        """
        return self._of_cuda is None or self._of_cuda.query()

    def synchronize(self) -> None:
        """Wait until all that is queued here has run."""
        if self._of_cuda is not None:
            self._of_cuda.synchronize()

    def wait_stream(self, other: Stream) -> None:
        """Have what is queued here from now on wait for what is queued on another stream by now.

        Args:
            other: the other stream.
        """
        if self._of_cuda is not None and other._of_cuda is not None:
            self._of_cuda.wait_stream(other._of_cuda)

    def wait_event(self, event: Event) -> None:
        """Have what is queued here from now on wait for an event; for one that is not recorded, nothing waits.

        Args:
            event: the event.
        """
        event.wait(self)

    def record_event(self, event: Event | None = None) -> Event:
        """Record an event.

        Args:
            event: the event; a new one for None.

        Returns:
            The event.

        Raises:
            DeviceError: the stream is of the CPU, where no events are recorded, as in PyTorch.
        """
        event = Event(self.device) if event is None else event
        event.record(self)
        return event

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Stream) and (self.device, self._of_cuda) == (other.device, other._of_cuda)

    def __hash__(self) -> int:
        return hash((self.device, self._of_cuda))

    def __enter__(self) -> Self:
        if self._of_cuda is not None:
            self._of_cuda.__enter__()
        return self

    def __exit__(self, *exception: object) -> None:
        if self._of_cuda is not None:
            self._of_cuda.__exit__(*exception)

    def __repr__(self) -> str:
        return f"torch.Stream device_type={self.device.type}, device_index={self.device_index}, stream_id={self.stream_id}"


class Event:
    """A moment in the work of a stream: of "cuda" as `torch.cuda.Event`; on the CPU none is recorded, and none is waited for.

    Args:
        device: the device; None for the accelerator's type, or the CPU without one.
        enable_timing: whether `elapsed_time` may be called.
        blocking, interprocess: accepted, without a meaning here.

    Attributes:
        device: the device.
        event_id: 0: a number of PyTorch's own.

    Raises:
        DeviceError: nothing serves the device.

    >>> torch.Event("cpu").query()
    True
    """

    device: Device
    event_id: int = 0

    def __init__(
        self, device: Device | str | int | None = None, *, enable_timing: bool = False, blocking: bool = False, interprocess: bool = False
    ) -> None:
        self.device = _device_of(device, "Event")
        self._enable_timing = enable_timing
        self._of_cuda = cuda_streams.Event(enable_timing) if self.device.type == "cuda" else None

    def record(self, stream: Stream | None = None) -> None:
        """Record the moment at which all is done that is queued on a stream by now.

        Args:
            stream: the stream; the current one for None.

        Raises:
            DeviceError: the event is of the CPU, where none is recorded, as in PyTorch.
        """
        if self._of_cuda is None:
            raise DeviceError("torch.Event.record: no events are recorded on the CPU, where all work is done when a function returns")
        self._of_cuda.record(None if stream is None else stream._of_cuda)

    def wait(self, stream: Stream | None = None) -> None:
        """Have what is queued on a stream from now on wait for the event; for one that is not recorded, nothing waits.

        Args:
            stream: the stream that waits; the current one for None.
        """
        if self._of_cuda is not None:
            self._of_cuda.wait(None if stream is None else stream._of_cuda)

    def query(self) -> bool:
        """Tell whether the event is over; one that is not recorded is.

        Returns:
            A bool.
        """
        return self._of_cuda is None or self._of_cuda.query()

    def synchronize(self) -> None:
        """Wait until the event is over; one that is not recorded is."""
        if self._of_cuda is not None:
            self._of_cuda.synchronize()

    def elapsed_time(self, other: Event) -> float:
        """Compute the time from this event to another one.

        Args:
            other: the other one.

        Returns:
            Milliseconds.

        Raises:
            ValueError: one of both is not made with enable_timing=True.
            DeviceError: one of both is not recorded, or is not over.
        """
        if not (self._enable_timing and other._enable_timing):
            raise ArgumentValueError("torch.Event.elapsed_time: both events must be made with enable_timing=True")
        if self._of_cuda is None or other._of_cuda is None:
            raise DeviceError("torch.Event.elapsed_time: both events must be recorded, which none is on the CPU")
        return self._of_cuda.elapsed_time(other._of_cuda)

    def __repr__(self) -> str:
        return f"torch.Event device_type={self.device.type}, event_id={self.event_id}"
