"""Streams and events of devices of type "cuda": orders of work that go side by side, and moments in them.

Where a backend has one order of work, every stream is that one, and recording an event waits for it.
"""

from __future__ import annotations

from typing import Any, Self

from lamina_flatarray import Device, DeviceError

from .cuda_devices import current_device, device, index_of, serving, set_device

__all__ = [
    "Event", "ExternalStream", "Stream", "StreamContext", "current_stream", "default_stream", "get_stream_from_external", "set_stream",
    "stream",
]  # fmt: skip


class Stream:
    """A stream of a device: an order of work. Within a `with` block of it, this thread queues its work there.

    Who uses on one stream what another one computed lets it wait first, by `wait_stream` or an event.

    Args:
        device: the device, its name or its index; the current one for None.
        priority: accepted: all streams have one priority.
        **kwargs: accepted: PyTorch's numbers of an existing stream.

    Attributes:
        device_index: the index of the device.

    Raises:
        DeviceError: there is no device.

    >>> if torch.cuda.is_available():
    ...     x = torch.ones(3, device="cuda")
    ...     stream = torch.cuda.Stream()
    ...     stream.wait_stream(torch.cuda.current_stream())
    ...     with torch.cuda.stream(stream):
    ...         y = x + 1
    ...     torch.cuda.current_stream().wait_stream(stream)
    ...     assert y.tolist() == [2.0, 2.0, 2.0]
    """

    device_index: int
    _handle: Any

    def __init__(self, device: Device | str | int | None = None, priority: int = 0, **kwargs: int) -> None:
        self.device_index = index_of(device)
        self._handle = serving().new_stream(self.device_index)
        self._entered: list[StreamContext] = []

    @property
    def device(self) -> Device:
        """The device that the stream belongs to."""
        return Device("cuda", self.device_index)

    @property
    def cuda_stream(self) -> int:
        """CUDA's handle of the stream, by which other libraries know it; a backend whose streams have none raises DeviceError."""
        return serving().number_of_stream(self.device_index, self._handle)

    def __cuda_stream__(self) -> tuple[int, int]:
        """The version of the protocol by which Python's libraries hand streams to each other, and CUDA's handle."""
        return 0, self.cuda_stream

    def synchronize(self) -> None:
        """Wait until all kernels of the stream have run."""
        serving().synchronize_stream(self.device_index, self._handle)

    def query(self) -> bool:
        """Whether all kernels of the stream have run.

        Returns:
            A bool.
        """
        backend = serving()
        return backend.event_done(backend.record_event(self.device_index, self._handle))

    def wait_stream(self, stream: Stream) -> None:
        """Have what is queued here from now on wait for what is queued on another stream by now.

        Args:
            stream: the other stream.
        """
        event = serving().record_event(stream.device_index, stream._handle)
        serving().wait_event(self.device_index, self._handle, event)

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
        """
        event = event or Event()
        event.record(self)
        return event

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Stream):
            return NotImplemented
        return self.device_index == other.device_index and self._handle is other._handle

    def __hash__(self) -> int:
        return hash((self.device_index, id(self._handle)))

    def __enter__(self) -> Self:
        self._entered.append(StreamContext(self))
        self._entered[-1].__enter__()
        return self

    def __exit__(self, *exception: object) -> None:
        self._entered.pop().__exit__(*exception)


class ExternalStream(Stream):
    """Another library's stream, on which work may be queued as on any other. Who made it keeps it as long as it is used.

    Args:
        stream_ptr: CUDA's handle of it.
        device: the device that it belongs to, its name or its index; the current one for None.
        **kwargs: accepted, without a meaning here.

    Raises:
        DeviceError: there is no such device, or its backend takes no streams of others.

    >>> if torch.cuda.is_available():
    ...     theirs = torch.cuda.ExternalStream(torch.cuda.current_stream().cuda_stream)
    ...     assert theirs == torch.cuda.current_stream()
    """

    def __init__(self, stream_ptr: int, device: Device | str | int | None = None, **kwargs: Any) -> None:
        self.device_index = index_of(device)
        self._handle = serving().stream_by_number(self.device_index, stream_ptr)
        self._entered = []


def get_stream_from_external(data_ptr: int, device: Device | str | int | None = None) -> Stream:
    """Take another library's stream: see `ExternalStream`.

    Args:
        data_ptr: CUDA's handle of it.
        device: the device that it belongs to, its name or its index; the current one for None.

    Returns:
        A stream.

    Raises:
        DeviceError: there is no such device, or its backend takes no streams of others.

    >>> if torch.cuda.is_available():
    ...     theirs = torch.cuda.get_stream_from_external(torch.cuda.current_stream().cuda_stream)
    ...     assert theirs == torch.cuda.current_stream()
    """
    return ExternalStream(data_ptr, device)


def _known(index: int, handle: Any) -> Stream:
    """A stream of the backend as an object of this class."""
    stream = Stream.__new__(Stream)
    stream.device_index, stream._handle, stream._entered = index, handle, []
    return stream


def current_stream(device: Device | str | int | None = None) -> Stream:
    """The stream on which this thread queues its work.

    Args:
        device: the device, its name or its index; the current one for None.

    Returns:
        A `Stream` of that device.

    Raises:
        DeviceError: there is no device.

    >>> if torch.cuda.is_available():
    ...     torch.cuda.current_stream().synchronize()
    """
    index = index_of(device)
    return _known(index, serving().current_stream(index))


def default_stream(device: Device | str | int | None = None) -> Stream:
    """The stream on which threads queue their work that have chosen none.

    Args:
        device: the device, its name or its index; the current one for None.

    Returns:
        A `Stream` of that device.

    Raises:
        DeviceError: there is no device.

    >>> if torch.cuda.is_available():
    ...     assert torch.cuda.current_stream() == torch.cuda.default_stream()
    """
    index = index_of(device)
    return _known(index, serving().default_stream(index))


def set_stream(stream: Stream) -> None:
    """Queue the work of this thread on a stream from now on, and make its device the current one.

    Args:
        stream: the stream.

    >>> if torch.cuda.is_available():
    ...     torch.cuda.set_stream(torch.cuda.default_stream())
    """
    serving().set_stream(stream.device_index, stream._handle)
    set_device(stream.device_index)


class StreamContext:
    """A `with` block in which this thread queues its work on a stream, whose device is the current one: see `stream`.

    Args:
        stream: the stream, or None for the one that is chosen already.

    >>> with torch.cuda.StreamContext(None):
    ...     pass
    """

    def __init__(self, stream: Stream | None) -> None:
        self.stream = stream
        self._before: Any = None
        self._device = None if stream is None else device(stream.device_index)

    def __enter__(self) -> None:
        if self.stream is not None and self._device is not None:
            self._device.__enter__()
            self._before = serving().current_stream(self.stream.device_index)
            serving().set_stream(self.stream.device_index, self.stream._handle)

    def __exit__(self, *exception: object) -> None:
        if self.stream is not None and self._device is not None:
            serving().set_stream(self.stream.device_index, self._before)
            self._device.__exit__(*exception)


def stream(stream: Stream | None) -> StreamContext:
    """Queue the work of this thread on a stream within a `with` block, whose device is the current one meanwhile.

    Args:
        stream: the stream, or None for the one that is chosen already.

    Returns:
        A context manager.

    >>> with torch.cuda.stream(None):
    ...     x = torch.ones(2)
    """
    return StreamContext(stream)


class Event:
    """A moment in the work of a stream.

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
    ...     end.synchronize()
    ...     assert start.elapsed_time(end) > 0
    """

    def __init__(self, enable_timing: bool = False, blocking: bool = False, interprocess: bool = False, external: bool = False) -> None:
        self.device_index = current_device()
        self.enable_timing = enable_timing
        self._handle: Any = None

    def record(self, stream: Stream | None = None) -> None:
        """Record the moment at which all is done that is queued on a stream by now.

        Args:
            stream: the stream; the current one for None.
        """
        on = current_stream() if stream is None else stream
        self.device_index = on.device_index
        self._handle = serving().record_event(on.device_index, on._handle)

    def synchronize(self) -> None:
        """Wait until the event is over; one that is not recorded is."""
        if self._handle is not None:
            serving().synchronize_event(self._handle)

    def query(self) -> bool:
        """Whether the event is over; one that is not recorded is.

        Returns:
            A bool.
        """
        return self._handle is None or serving().event_done(self._handle)

    def wait(self, stream: Stream | None = None) -> None:
        """Have what is queued on a stream from now on wait for the event; for one that is not recorded, nothing waits.

        Args:
            stream: the stream that waits; the current one for None.
        """
        if self._handle is not None:
            on = current_stream() if stream is None else stream
            serving().wait_event(on.device_index, on._handle, self._handle)

    def elapsed_time(self, end_event: Event) -> float:
        """Compute the time from this event to another one.

        Args:
            end_event: the other one.

        Returns:
            Milliseconds.

        Raises:
            DeviceError: one of both is not recorded, is not over, or tells no time.
        """
        if self._handle is None or end_event._handle is None or not (self.enable_timing and end_event.enable_timing):
            raise DeviceError("elapsed_time: both events must be recorded, and made with enable_timing=True")
        if not (self.query() and end_event.query()):
            raise DeviceError("elapsed_time: both events must be over; wait for them with synchronize()")
        return serving().elapsed_ms(self._handle, end_event._handle)
