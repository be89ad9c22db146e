"""Streams and events as vector clocks: what is surely done before what, and memory that is used without such an order.

L. Lamport, Time, clocks, and the ordering of events in a distributed system, CACM 21 (1978); F. Mattern, Virtual time and
global states of distributed systems (1989).
"""

from itertools import count
from threading import RLock
from time import perf_counter
from weakref import WeakValueDictionary, ref

from .refusals import Refused

__all__ = ["HOST", "ExternalStream", "HostEvent", "HostStream", "Use"]

_NUMBERS = count(3)  # 1 and 2 are CUDA's own streams
_LOCK = RLock()  # threads share the clocks of the host and of streams, which must not go back

HOST: dict[int, int] = {}
"""What the host has waited for: by stream, up to which piece of its work."""


class HostEvent:
    """A moment in the work of a stream: what is done by then, and when it was."""

    def __init__(self, clock: dict[int, int]) -> None:
        self.clock = dict(clock)
        self.at = perf_counter()

    def over(self) -> bool:
        """Whether the host has waited for all of it: a device may be that late."""
        return all(HOST.get(number, 0) >= tick for number, tick in self.clock.items())


class HostStream:
    """A stream of one device: how far it is, and how far it knows others to be."""

    known: WeakValueDictionary[int, "HostStream"] = WeakValueDictionary()

    def __init__(self, index: int) -> None:
        self.index = index
        self.number = next(_NUMBERS)
        self.clock = {self.number: 0}
        self.known[self.number] = self

    def queue(self) -> None:
        """One more piece of work, which begins after all that the host has waited for."""
        with _LOCK:
            self.meet(HOST)
            self.clock[self.number] += 1

    def meet(self, other: dict[int, int]) -> None:
        """Know of all that another clock knows of."""
        with _LOCK:
            for number, tick in other.items():
                self.clock[number] = max(self.clock.get(number, 0), tick)

    def waited_for(self) -> None:
        """The host has seen all of this stream's work done."""
        with _LOCK:
            for number, tick in self.clock.items():
                HOST[number] = max(HOST.get(number, 0), tick)


class ExternalStream:
    """A stream whose owner is somebody else: it is of no use any more when its owner has let it go."""

    def __init__(self, owned: HostStream) -> None:
        self.index, self.number = owned.index, owned.number
        self._owned = ref(owned)

    def __getattr__(self, name: str):
        owned = self._owned()
        if owned is None:
            raise Refused(f"stream {self.number} is used, which its owner has destroyed")
        return getattr(owned, name)


class Use:
    """Who wrote a block last, and who has read it since."""

    def __init__(self, maker: HostStream) -> None:
        self.writer = (maker.number, maker.clock[maker.number])
        self.readers: dict[int, int] = {}

    def read_by(self, stream: HostStream, what: str) -> None:
        """Refuse to read what is perhaps not written yet."""
        with _LOCK:
            self._after(stream, *self.writer, f"{what} reads memory that")
            self.readers[stream.number] = stream.clock[stream.number]

    def written_by(self, stream: HostStream, what: str) -> None:
        """Refuse to overwrite what others perhaps still write or read."""
        with _LOCK:
            self._after(stream, *self.writer, f"{what} writes memory that")
            for number, tick in self.readers.items():
                self._after(stream, number, tick, f"{what} writes memory that")
            self.writer = (stream.number, stream.clock[stream.number])
            self.readers = {}

    def _after(self, stream: HostStream, number: int, tick: int, who: str) -> None:
        if stream.clock.get(number, 0) < tick:
            raise Refused(f"{who} stream {number} uses, on stream {stream.number}, which has not waited for it")
