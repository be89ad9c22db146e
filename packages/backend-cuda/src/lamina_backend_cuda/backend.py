"""CudaBackend: memory, streams and kernels of NVIDIA devices, by a port that may be another one in tests."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping

import pluggy

from lamina_flatarray.contract import Backend, Kernel

from . import ops
from .device import CudaDevice
from .interface import Facts, Port
from .memory import CudaMemory
from .port import CupyPort
from .readiness import OLDEST, problem

__all__ = ["CudaBackend", "lamina_backend"]

_hookimpl = pluggy.HookimplMarker("lamina")


class CudaBackend(Backend):
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

    def __init__(self, port: Port | None = None) -> None:
        self.port = CupyPort() if port is None else port
        self._facts: Facts | None = None
        self._devices: dict[int, CudaDevice] = {}
        self._lock = threading.Lock()

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
        known = self._devices.get(index)
        if known is None:
            devices = self.facts().devices
            if not 0 <= index < len(devices):
                raise RuntimeError(f"cuda:{index}: there is no such device, but {len(devices)}")
            if devices[index].capability < OLDEST:
                raise RuntimeError(f"cuda:{index}: {problem(Facts(('cupy',), '', 10**6, 0, (devices[index],)))}")
            with self._lock:
                known = self._devices.get(index)
                if known is None:
                    known = self._devices[index] = CudaDevice(self.port, index, devices[index])
        return known

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
        self.port.copy_in(memory.address + offset, source, memory.device.stream)

    def copy_out(self, memory: CudaMemory, offset: int, target: memoryview) -> None:
        """Wait for what is queued, and copy to host bytes.

        Args:
            memory: what `allocate` returned.
            offset: where to read, in bytes.
            target: where the bytes go; its length tells how many.
        """
        memory.check(offset, target.nbytes)
        self.port.copy_out(memory.address + offset, target, memory.device.stream)

    def synchronize(self, index: int) -> None:
        """Wait until all work queued on a device is done.

        Args:
            index: which of the devices.
        """
        self.port.synchronize(self.device(index).stream)

    def memory_stats(self, index: int = 0) -> dict[str, int]:
        """Return what arrays hold on a device, did at most, and what the pool keeps.

        Args:
            index: which of the devices.

        Returns:
            A dict of live_bytes, peak_bytes, live_blocks, allocations, used_bytes and reserved_bytes.
        """
        return self.device(index).memory_stats()

    def reset_peak(self, index: int = 0) -> None:
        """Count the most that arrays hold from now on.

        Args:
            index: which of the devices.
        """
        self.device(index).reset_peak()

    def empty_cache(self) -> None:
        """Give memory that the pool keeps, and that nobody uses, back to the system."""
        for index in list(self._devices):
            self.port.release(index)

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
