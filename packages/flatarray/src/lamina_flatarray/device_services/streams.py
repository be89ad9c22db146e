"""Streams and events: orders of work on a device, and moments in them. By default there is one order, and the host waits for it."""

from __future__ import annotations

from time import perf_counter
from typing import Any

from ..errors import DeviceError

__all__ = ["Streams"]


class Streams:
    """What a backend does for programs that queue work in several orders at once.

    What a stream and an event are is the backend's own; nobody else looks inside. Work is queued on the current stream of the
    thread. Who uses memory on another stream than it was last used on has that stream wait for an event first. With the
    defaults, all of a device's work is one order, whose only stream is None.

    >>> Streams().current_stream(0) is None
    True
    """

    def synchronize(self, index: int) -> None:
        """Wait until all work queued on a device is done. One that never queues has nothing to wait for.

        Args:
            index: which of the backend's devices.
        """

    def new_stream(self, index: int) -> Any:
        """Return a stream of a device, which may be one that was given out before where there are many.

        Args:
            index: which of the backend's devices.

        Returns:
            The backend's own object; None for the only stream.
        """
        return None

    def current_stream(self, index: int) -> Any:
        """Return the stream on which this thread queues work for a device.

        Args:
            index: which of the backend's devices.

        Returns:
            The backend's own object; None for the only stream.
        """
        return None

    def default_stream(self, index: int) -> Any:
        """Return the stream on which threads queue work that have chosen none.

        Args:
            index: which of the backend's devices.

        Returns:
            The backend's own object; None for the only stream.
        """
        return None

    def set_stream(self, index: int, stream: Any) -> None:
        """Have this thread queue its work for a device on a stream from now on.

        Args:
            index: which of the backend's devices.
            stream: what `new_stream`, `current_stream` or `default_stream` returned for that device.
        """

    def number_of_stream(self, index: int, stream: Any) -> int:
        """Return what other libraries know a stream by.

        Args:
            index: which of the backend's devices.
            stream: the stream.

        Returns:
            A number, such as CUDA's handle.

        Raises:
            DeviceError: streams of this backend have none.
        """
        raise DeviceError("streams: those of this backend have no number by which other libraries know them")

    def stream_by_number(self, index: int, number: int) -> Any:
        """Return another library's stream, on which work may be queued as on one's own; its owner keeps it meanwhile.

        Args:
            index: which of the backend's devices.
            number: what the other library knows it by.

        Returns:
            The backend's own object.

        Raises:
            DeviceError: streams of this backend have no numbers.
        """
        raise DeviceError("streams: this backend queues no work on streams of other libraries")

    def synchronize_stream(self, index: int, stream: Any) -> None:
        """Wait until all work queued on a stream is done.

        Args:
            index: which of the backend's devices.
            stream: the stream.
        """
        self.synchronize(index)

    def record_event(self, index: int, stream: Any) -> Any:
        """Return an event that is over when all is done that is queued on a stream by now. By default the host waits.

        Args:
            index: which of the backend's devices.
            stream: the stream.

        Returns:
            The backend's own object.
        """
        self.synchronize_stream(index, stream)
        return perf_counter()

    def wait_event(self, index: int, stream: Any, event: Any) -> None:
        """Have what is queued on a stream from now on wait for an event.

        Args:
            index: which of the backend's devices.
            stream: the stream that waits.
            event: what `record_event` returned.
        """

    def event_done(self, event: Any) -> bool:
        """Return whether an event is over.

        Args:
            event: what `record_event` returned.

        Returns:
            A bool.
        """
        return True

    def synchronize_event(self, event: Any) -> None:
        """Wait until an event is over.

        Args:
            event: what `record_event` returned.
        """

    def elapsed_ms(self, start: Any, end: Any) -> float:
        """Return the time between two events that are over.

        Args:
            start, end: what `record_event` returned.

        Returns:
            Milliseconds.
        """
        return float(end - start) * 1e3
