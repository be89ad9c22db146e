"""One device: its streams, its memory and what of it is in use, and the kernels that are compiled for it."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Mapping
from typing import Any, Final
from weakref import WeakSet, WeakValueDictionary, finalize

from lamina_flatarray.device_services import MemoryStats
from lamina_flatarray.errors import DeviceError
from lamina_flatarray.fork_safety import fork_safe

from .interface import Function, Port, Product, Properties
from .late_errors import LateErrors
from .launch_plans import Recording
from .memory import AdoptedMemory, CudaMemory

__all__ = ["CudaDevice"]

_BLOCKS_OF_A_MULTIPROCESSOR: Final = 16
_SIDE_STREAMS: Final = 8  # beside the default one; who asks for more is given them in turn
_ADOPTED: Final = 64  # owners of other libraries' memory that are kept until work is done, at most


class _OfThread(threading.local):
    """What each thread has of its own: the stream that it chose, and what it records."""

    stream: Any = None
    recording: Recording | None = None


class _OfForkedChild:
    """The same in a process that was forked after the device was used: CUDA cannot be used there."""

    recording = None

    @property
    def stream(self) -> Any:
        """Refuse to queue anything.

        Raises:
            DeviceError: always.
        """
        raise DeviceError(
            "cuda: this process was forked from one that had used CUDA, which serves no forked child; start it with the method 'spawn' "
            "or 'forkserver' (torch.multiprocessing, DataLoader's multiprocessing_context), or keep to the host in it"
        )


class CudaDevice:
    """A device, on whose streams work is queued: on the default one where a thread has chosen none.

    Args:
        port: how it is reached.
        index: which it is.
        properties: what is known of it.

    Attributes:
        port, index, properties: as given.
        default_stream: the stream of threads that have chosen none.
        memory_share: how much of its memory this process may take, between 0 and 1.
    """

    def __init__(self, port: Port, index: int, properties: Properties) -> None:
        self.port = port
        self.index = index
        self.properties = properties
        self.default_stream = port.stream(index)
        self._side_streams: list[Any] = []
        self._external_streams: WeakValueDictionary[int, Any] = WeakValueDictionary()  # by number, as long as somebody has them
        self._given_out = 0
        self._own: _OfThread | _OfForkedChild = _OfThread()
        _known.add(self)
        self._modules: dict[str, dict[str, Function]] = {}  # by source; bounded by ops and dtypes
        self._lock = fork_safe(threading.RLock())
        self.memory_share = 1.0
        self._live_bytes = self._live_blocks = self._peak = self._allocations = self._peak_reserved = 0
        self._late_errors: dict[int, LateErrors] = {}  # by the number of the stream
        self._at_once = os.environ.get("CUDA_LAUNCH_BLOCKING") == "1"
        self._adopted: deque[tuple[Any, Any]] = deque()  # events, and the owners of memory that is used until then

    # -- streams ----------------------------------------------------------------------------------------------------

    @property
    def stream(self) -> Any:
        """The stream on which this thread queues work."""
        return self._own.stream or self.default_stream

    @stream.setter
    def stream(self, stream: Any) -> None:
        """Queue what this thread does from now on on a stream."""
        self._own.stream = stream  # type: ignore[misc]  # a forked child refuses it

    def new_stream(self) -> Any:
        """Return a stream beside the default one: a new one, until there are many, then those in turn.

        Returns:
            A stream of the port.
        """
        with self._lock:
            if len(self._side_streams) < _SIDE_STREAMS:
                self._side_streams = [*self._side_streams, self.port.stream(self.index)]
            self._given_out += 1
            return self._side_streams[(self._given_out - 1) % _SIDE_STREAMS]

    def external_stream(self, number: int) -> Any:
        """Return another library's stream, for work to be queued on.

        Args:
            number: CUDA's handle of it, or 1 or 2 for CUDA's own.

        Returns:
            A stream of the port: one of this device's own where that has the number.
        """
        with self._lock:
            for stream in self._streams():
                if self.port.number(stream) == number:
                    return stream
            stream = self._external_streams[number] = self.port.external_stream(number, self.index)
            return stream

    def _streams(self) -> list[Any]:
        """All streams on which work may be queued."""
        return [self.default_stream, *self._side_streams, *self._external_streams.values()]

    def synchronize(self) -> None:
        """Wait for all streams of the device.

        Raises:
            IndexOutOfRange: a kernel found a position outside.
        """
        for stream in {self.stream, *self._streams()}:
            self.port.synchronize(stream)
        for errors in list(self._late_errors.values()):
            errors.tell()

    @property
    def late_errors(self) -> LateErrors:
        """What kernels of this thread's stream find wrong."""
        stream = self.stream
        number = self.port.number(stream)
        errors = self._late_errors.get(number)
        if errors is None:
            with self._lock:
                errors = self._late_errors.get(number)
                if errors is None:
                    errors = self._late_errors[number] = LateErrors(self.port, stream, self._at_once)
                    finalize(stream, self._late_errors.pop, number, None).atexit = False
        if self._own.recording is not None:
            self._own.recording.errors = errors.begin, errors.nbytes
        return errors

    def tell_errors(self, stream: Any) -> None:
        """Raise for what kernels of a stream have found wrong, for which this waits if there is something to look at.

        Args:
            stream: a stream of the port.

        Raises:
            IndexOutOfRange: a position lay outside, or a target was no class.
        """
        errors = self._late_errors.get(self.port.number(stream)) if self._late_errors else None
        if errors is not None:
            errors.tell()

    # -- memory -----------------------------------------------------------------------------------------------------

    def allocate(self, nbytes: int) -> CudaMemory:
        """Return uninitialised memory.

        Args:
            nbytes: how many bytes are wanted, 0 or more.

        Returns:
            Memory of this device.

        Raises:
            ValueError: `nbytes` is negative.
            MemoryError: there is not enough, or this process may not take so much.
        """
        if nbytes < 0:
            raise ValueError(f"cuda: {nbytes} bytes wanted; it wants 0 or more")
        stream = self.stream
        if self.memory_share < 1.0:
            self._keep_to_share(nbytes)
        memory = CudaMemory(self.port.allocate(nbytes, stream), self, stream)
        with self._lock:
            self._live_bytes += nbytes
            self._live_blocks += 1
            self._allocations += 1
            if self._live_bytes > self._peak:
                self._peak = self._live_bytes
        if self._own.recording is not None:
            self._own.recording.scratch.append(memory)
        return memory

    def _keep_to_share(self, nbytes: int) -> None:
        """Raise where the process would take more than its share; what is kept and not in use is given back before that."""
        most = int(self.memory_share * self.properties.total_memory)
        used, held = self.port.held_bytes(self.index)
        if used + nbytes > most:
            raise MemoryError(f"cuda:{self.index}: {nbytes} bytes wanted beside {used}; this process may take {most}")
        if held + nbytes > most:
            self.release()

    def forget(self, nbytes: int, stream: Any) -> None:
        """Count memory as no longer in use. It is used again on its own stream, which therefore waits for the others first.

        Args:
            nbytes: how many bytes it had.
            stream: the stream that it was made for.
        """
        if self._side_streams or self._external_streams:
            for other in self._streams():
                if other is not stream:
                    self.port.wait(stream, self.port.record(other))
        with self._lock:
            self._live_bytes -= nbytes
            self._live_blocks -= 1

    def adopt(self, address: int, nbytes: int, owner: Any) -> AdoptedMemory:
        """Return another library's memory as memory of this device. It is not counted.

        Args:
            address: of the first byte.
            nbytes: how many bytes there are.
            owner: what keeps them.

        Returns:
            Memory of this device.
        """
        return AdoptedMemory(address, nbytes, self, owner)

    def let_go(self, owner: Any) -> None:
        """Keep an owner of adopted memory until all that is queued by now is done.

        Args:
            owner: what keeps the memory.
        """
        if isinstance(self._own, _OfForkedChild):
            return  # the parent's work is none of ours
        streams = self._streams()
        with self._lock:
            self._adopted.append(([self.port.record(stream) for stream in streams], owner))
            while self._adopted and (len(self._adopted) > _ADOPTED or all(map(self.port.done, self._adopted[0][0]))):
                for event in self._adopted.popleft()[0]:
                    self.port.finish(event)

    def memory_stats(self) -> MemoryStats:
        """Return what arrays hold, did at most, and what the pool keeps.

        Returns:
            A `MemoryStats`.
        """
        reserved = self._note_reserved()
        with self._lock:
            return MemoryStats(
                self._live_bytes, self._peak, reserved, self._peak_reserved, self._live_blocks, self._allocations
            )

    def reset_peak(self) -> None:
        """Count the most that arrays hold, and that the pool keeps, from now on."""
        with self._lock:
            self._peak, self._peak_reserved = self._live_bytes, 0
        self._note_reserved()

    def release(self) -> None:
        """Give memory that the pool keeps, and that nobody uses, back to the system."""
        self._note_reserved()
        self.port.release(self.index)

    def _note_reserved(self) -> int:
        """What the pool keeps. It only grows between two releases, so its peak is seen by looking before each."""
        reserved = self.port.held_bytes(self.index)[1]
        with self._lock:
            self._peak_reserved = max(self._peak_reserved, reserved)
        return reserved

    # -- kernels ----------------------------------------------------------------------------------------------------

    def functions(self, source: str, signatures: Mapping[str, tuple[str, ...]]) -> dict[str, Function]:
        """Return the kernels of a source, compiled when they are first wanted.

        Args:
            source: CUDA C++.
            signatures: from the name of each kernel to the formats of its parameters.

        Returns:
            The kernels by name.
        """
        functions = self._modules.get(source)
        if functions is None:
            with self._lock:
                functions = self._modules.get(source)
                if functions is None:
                    functions = self._modules[source] = self.port.compile(source, signatures, self.stream)
        return functions

    def launch(self, function: Function, threads: int, values: tuple[Any, ...], block: int = 256) -> None:
        """Queue a kernel whose threads stride over their work, on no more blocks than keep the device busy.

        Args:
            function: the kernel.
            threads: how many threads could be of use.
            values: what its parameters take.
            block: how many threads a block has.
        """
        grid = max(1, min(self.properties.multiprocessors * _BLOCKS_OF_A_MULTIPROCESSOR, -(-threads // block)))
        if self._own.recording is not None:
            self._own.recording.launched(function, grid, block, values)
        self.port.launch(function, grid, block, values, self.stream)

    def spoil(self) -> None:
        """Have what this thread records, if it does, not repeated: the host reads or writes items meanwhile."""
        if self._own.recording is not None:
            self._own.recording.fits = False

    def multiply(self, product: Product) -> bool:
        """Queue a product of the vendor's library.

        Args:
            product: what is multiplied.

        Returns:
            Whether there is one; else nothing was done.
        """
        done = self.port.multiply(product, self.stream)
        if done and self._own.recording is not None:
            self._own.recording.multiplied(product)
        return done

    @property
    def recording(self) -> Recording | None:
        """What this thread records of a kernel, if it does."""
        return self._own.recording

    @recording.setter
    def recording(self, recording: Recording | None) -> None:
        """Record what this thread queues from now on, or no more."""
        self._own.recording = recording

    def after_fork(self) -> None:
        """Be of no use in a child of a process that used the device, but for letting go of what it had."""
        self._own = _OfForkedChild()
        self._side_streams = []
        self._external_streams.clear()
        self._adopted.clear()


_known: Final[WeakSet[CudaDevice]] = WeakSet()


def _in_child() -> None:
    for device in _known:
        device.after_fork()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_in_child)
