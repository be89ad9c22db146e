"""One device: its stream, its memory and what of it is in use, and the kernels that are compiled for it."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any, Final

from .interface import Function, Port, Properties
from .memory import CudaMemory

__all__ = ["CudaDevice"]

_BLOCKS_OF_A_MULTIPROCESSOR: Final = 16


class CudaDevice:
    """A device, on whose one stream all work of lamina is queued in order.

    Args:
        port: how it is reached.
        index: which it is.
        properties: what is known of it.

    Attributes:
        port, index, properties: as given.
        stream: the stream.
    """

    def __init__(self, port: Port, index: int, properties: Properties) -> None:
        self.port = port
        self.index = index
        self.properties = properties
        self.stream = port.stream(index)
        self._modules: dict[str, dict[str, Function]] = {}  # by source; bounded by ops and dtypes
        self._lock = threading.RLock()
        self._live_bytes = self._live_blocks = self._peak = self._allocations = 0

    # -- memory -----------------------------------------------------------------------------------------------------

    def allocate(self, nbytes: int) -> CudaMemory:
        """Return uninitialised memory.

        Args:
            nbytes: how many bytes are wanted, 0 or more.

        Returns:
            Memory of this device.

        Raises:
            ValueError: `nbytes` is negative.
            MemoryError: there is not enough.
        """
        if nbytes < 0:
            raise ValueError(f"cuda: {nbytes} bytes wanted; it wants 0 or more")
        memory = CudaMemory(self.port.allocate(nbytes, self.stream), self)
        with self._lock:
            self._live_bytes += nbytes
            self._live_blocks += 1
            self._allocations += 1
            self._peak = max(self._peak, self._live_bytes)
        return memory

    def forget(self, nbytes: int) -> None:
        """Count memory as no longer in use.

        Args:
            nbytes: how many bytes it had.
        """
        with self._lock:
            self._live_bytes -= nbytes
            self._live_blocks -= 1

    def memory_stats(self) -> dict[str, int]:
        """Return what arrays hold, did at most, and what the pool keeps.

        Returns:
            A dict of live_bytes, peak_bytes, live_blocks, allocations, used_bytes and reserved_bytes.
        """
        used, reserved = self.port.held_bytes(self.index)
        with self._lock:
            return {
                "live_bytes": self._live_bytes, "peak_bytes": self._peak, "live_blocks": self._live_blocks,
                "allocations": self._allocations, "used_bytes": used, "reserved_bytes": reserved,
            }  # fmt: skip

    def reset_peak(self) -> None:
        """Count the most that arrays hold from now on."""
        with self._lock:
            self._peak = self._live_bytes

    # -- kernels ----------------------------------------------------------------------------------------------------

    def functions(self, source: str, signatures: Mapping[str, tuple[str, ...]]) -> dict[str, Function]:
        """Return the kernels of a source, compiled when they are first wanted.

        Args:
            source: CUDA C++.
            signatures: from the name of each kernel to the formats of its parameters.

        Returns:
            The kernels by name.
        """
        known = self._modules.get(source)
        if known is None:
            with self._lock:
                known = self._modules.get(source)
                if known is None:
                    known = self._modules[source] = self.port.compile(source, signatures, self.stream)
        return known

    def launch(self, function: Function, threads: int, values: tuple[Any, ...], block: int = 256) -> None:
        """Queue a kernel whose threads stride over their work, on no more blocks than keep the device busy.

        Args:
            function: the kernel.
            threads: how many threads could be of use.
            values: what its parameters take.
            block: how many threads a block has.
        """
        most = self.properties.multiprocessors * _BLOCKS_OF_A_MULTIPROCESSOR
        self.port.launch(function, max(1, min(most, -(-threads // block))), block, values, self.stream)
