"""CudaBackend: memory, streams and kernels of NVIDIA devices, by a port that may be another one in tests."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any, Final

import pluggy

from lamina_flatarray.contract import Backend, Kernel
from lamina_flatarray.device_services import DeviceProperties, MemoryStats
from lamina_flatarray.fork_safety import fork_safe

from . import ops
from .device import CudaDevice
from .interface import Facts, Port
from .marks import NvtxMarks, RangesOfThread
from .memory import CudaMemory
from .port import CupyPort
from .readiness import OLDEST, problem

__all__ = ["CudaBackend", "lamina_backend"]

_DLPACK_CUDA: Final = 2  # kDLCUDA
_hookimpl = pluggy.HookimplMarker("lamina")


class CudaBackend(NvtxMarks, Backend):
    """Kernels on NVIDIA devices: queued, each on the stream of its device; what has none is derived or refused, never moved to the host.

    Args:
        port: how devices are reached; CuPy for None.

    >>> backend = CudaBackend()
    >>> backend.name, backend.device_type, backend.host
    ('cuda', 'cuda', False)
    """

    name = "cuda"
    device_type = "cuda"
    protocol = (1, 0)
    checks_positions = True
    late_errors = True

    def __init__(self, port: Port | None = None) -> None:
        self.port = CupyPort() if port is None else port
        self._facts: Facts | None = None
        self._devices: dict[int, CudaDevice] = {}
        self.ranges = RangesOfThread()
        self._lock = fork_safe(threading.RLock())

    # -- what there is ----------------------------------------------------------------------------------------------

    def facts(self) -> Facts:
        """Return what is installed and found here: asked for once, and again as long as something is wrong.

        Returns:
            The facts.
        """
        if self._facts is None:
            facts = self.port.facts()
            if problem(facts) is not None:
                return facts
            self._facts = facts
        return self._facts

    def unavailable(self) -> str | None:
        """Return which of six things is wrong here, and what mends it; None where all is well.

        Returns:
            The reason, in one line, or None.
        """
        return problem(self.facts())

    def device_count(self) -> int:
        """Return how many devices there are.

        Returns:
            The number of devices; those that are too old are counted, so that indices are those of nvidia-smi.
        """
        return len(self.facts().devices)

    def device(self, index: int) -> CudaDevice:
        """Return a device, with its stream and kernels.

        Args:
            index: which of the devices.

        Returns:
            The one object for it.

        Raises:
            RuntimeError: there is no such device, or it is too old.
        """
        device = self._devices.get(index)
        if device is None:
            devices = self.facts().devices
            if not 0 <= index < len(devices):
                raise RuntimeError(f"cuda:{index}: there is no such device, but {len(devices)}")
            if devices[index].capability < OLDEST:
                raise RuntimeError(f"cuda:{index}: {problem(Facts(('cupy',), '', 10**6, 0, (devices[index],)))}")
            with self._lock:
                device = self._devices.get(index)
                if device is None:
                    device = self._devices[index] = CudaDevice(self.port, index, devices[index])
        return device

    # -- memory -----------------------------------------------------------------------------------------------------

    def allocate(self, nbytes: int, index: int) -> CudaMemory:
        """Return memory of CuPy's pool, aligned to 256 bytes.

        Args:
            nbytes: how many bytes are wanted.
            index: which of the devices they are on.

        Returns:
            Memory that goes back to the pool when nobody uses it any more.

        Raises:
            MemoryError: there is not enough.
        """
        return self.device(index).allocate(nbytes)

    def allocator(self, index: int) -> Callable[[int], CudaMemory]:
        """Return the allocation of one device.

        Args:
            index: which of the devices.

        Returns:
            A function from a number of bytes to memory.
        """
        return lambda nbytes: self.device(index).allocate(nbytes)  # a table may be made where no device is

    def copy_in(self, memory: CudaMemory, offset: int, source: memoryview) -> None:
        """Queue a copy of host bytes, through pinned memory.

        Args:
            memory: what `allocate` returned.
            offset: where to write, in bytes.
            source: the bytes to copy, which may change as soon as this returns.
        """
        memory.check(offset, source.nbytes)
        memory.device.spoil()
        self.port.copy_in(memory.address + offset, source, memory.device.stream)

    def copy_out(self, memory: CudaMemory, offset: int, target: memoryview) -> None:
        """Wait for what is queued, and copy to host bytes.

        Args:
            memory: what `allocate` returned.
            offset: where to read, in bytes.
            target: where the bytes go; its length tells how many.

        Raises:
            IndexOutOfRange: a kernel that was queued before found a position outside.
        """
        memory.check(offset, target.nbytes)
        memory.device.spoil()
        memory.device.tell_errors(memory.device.stream)
        self.port.copy_out(memory.address + offset, target, memory.device.stream)

    # -- what is known of devices -----------------------------------------------------------------------------------

    def device_properties(self, index: int) -> DeviceProperties:
        """Return what CUDA tells of a device.

        Args:
            index: which of the devices.

        Returns:
            A `DeviceProperties`.
        """
        return DeviceProperties(*self.facts().devices[index])

    def memory_stats(self, index: int = 0) -> MemoryStats:
        """Return what arrays hold on a device, did at most, and what the pool keeps.

        Args:
            index: which of the devices.

        Returns:
            A `MemoryStats`. Memory of other libraries is not counted.
        """
        return self.device(index).memory_stats()

    def memory_info(self, index: int = 0) -> tuple[int, int]:
        """Return what the driver tells of a device's memory, of which other programs may hold some.

        Args:
            index: which of the devices.

        Returns:
            Free and total bytes.
        """
        return self.port.memory_info(self.device(index).index)

    def memory_share(self, index: int = 0) -> float:
        """Return the share of a device's memory that this process may take.

        Args:
            index: which of the devices.

        Returns:
            What `limit_memory` was given; 1.0 before.
        """
        return self.device(index).memory_share

    def limit_memory(self, index: int, share: float) -> None:
        """Refuse allocations beyond a share of a device's memory.

        Args:
            index: which of the devices.
            share: a number between 0 and 1.
        """
        self.device(index).memory_share = share

    def reaches(self, index: int, other: int) -> bool:
        """Return what the driver tells of two devices.

        Args:
            index, other: which of the devices.

        Returns:
            Whether kernels of the one can read memory of the other one.
        """
        return self.port.reaches(self.device(index).index, self.device(other).index)

    def reset_peak_memory_stats(self, index: int = 0) -> None:
        """Count the peaks from now on.

        Args:
            index: which of the devices.
        """
        self.device(index).reset_peak()

    def empty_cache(self) -> None:
        """Give memory that the pool keeps, and that nobody uses, back to the system."""
        for device in list(self._devices.values()):
            device.release()

    # -- streams and events -----------------------------------------------------------------------------------------

    def synchronize(self, index: int) -> None:
        """Wait until all work queued on a device is done, on all streams of it.

        Args:
            index: which of the devices.

        Raises:
            IndexOutOfRange: a kernel found a position outside.
        """
        self.device(index).synchronize()

    def new_stream(self, index: int) -> Any:
        """Return a stream beside the default one; from the ninth on, one of those that were given out before."""
        return self.device(index).new_stream()

    def current_stream(self, index: int) -> Any:
        """Return the stream on which this thread queues work."""
        return self.device(index).stream

    def default_stream(self, index: int) -> Any:
        """Return the stream of threads that have chosen none."""
        return self.device(index).default_stream

    def set_stream(self, index: int, stream: Any) -> None:
        """Have this thread queue its work on a stream."""
        self.device(index).stream = stream

    def number_of_stream(self, index: int, stream: Any) -> int:
        """Return CUDA's handle."""
        return self.port.number(stream)

    def stream_by_number(self, index: int, number: int) -> Any:
        """Return the stream of a handle, which its owner keeps."""
        return self.device(index).external_stream(number)

    def synchronize_stream(self, index: int, stream: Any) -> None:
        """Wait until all work queued on a stream is done.

        Raises:
            IndexOutOfRange: a kernel found a position outside.
        """
        self.port.synchronize(stream)
        self.device(index).tell_errors(stream)

    def record_event(self, index: int, stream: Any) -> Any:
        """Return an event of the port."""
        return self.port.record(stream)

    def wait_event(self, index: int, stream: Any, event: Any) -> None:
        """Have a stream wait; the host goes on."""
        self.port.wait(stream, event)

    def event_done(self, event: Any) -> bool:
        """Return whether an event is over."""
        return self.port.done(event)

    def synchronize_event(self, event: Any) -> None:
        """Wait until an event is over."""
        self.port.finish(event)

    def elapsed_ms(self, start: Any, end: Any) -> float:
        """Return the milliseconds between two events, as the device took them."""
        return self.port.elapsed_ms(start, end)

    # -- memory shared with other libraries -------------------------------------------------------------------------

    def dlpack_device(self, index: int) -> tuple[int, int]:
        """Return DLPack's name of a device."""
        return _DLPACK_CUDA, index

    def address(self, memory: CudaMemory) -> int:
        """Return the address of the first byte."""
        return memory.address

    def adopt(self, address: int, nbytes: int, index: int, owner: Any) -> CudaMemory:
        """Return another library's memory as this backend's; its owner is let go when queued work is done with it."""
        return self.device(index).adopt(address, nbytes, owner)

    def stream_number(self, index: int) -> int:
        """Return CUDA's handle of this thread's stream."""
        return self.port.number(self.device(index).stream)

    def hand_over(self, index: int, stream: int | None) -> None:
        """Have a consumer's stream wait for this thread's; None is CUDA's default stream, -1 wants no order.

        Raises:
            BufferError: the number is none of a stream: 0 is not told apart from None, and is refused as DLPack asks.
        """
        if stream == -1:
            return
        if stream is not None and stream <= 0:
            raise BufferError(f"dlpack: stream {stream} given; it wants None, -1, 1, 2, or the handle of a CUDA stream")
        theirs = self.port.stream_of(1 if stream is None else stream, index)
        self.port.wait(theirs, self.port.record(self.device(index).stream))

    # -- kernels ----------------------------------------------------------------------------------------------------

    def capabilities(self) -> Mapping[str, tuple[str, ...]]:
        """Return what there are kernels for. No device is touched.

        Returns:
            A mapping from op to a tuple of dtype names.
        """
        return ops.capabilities()

    def kernel(self, op: str) -> Kernel:
        """Return the kernel of an op.

        Args:
            op: the op's name.

        Returns:
            A function `kernel(out, *inputs, **params)`, which queues its work.

        Raises:
            KeyError: there is none.
        """
        return ops.kernel(op)


@_hookimpl
def lamina_backend() -> CudaBackend:
    """Return the backend of this plug-in: the hook that lamina_flatarray calls once per process.

    Returns:
        A new backend object.

    >>> lamina_backend()
    <backend cuda for cuda>
    """
    return CudaBackend()
