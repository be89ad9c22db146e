"""OpenCLBackend: what lamina asks of a backend, answered with OpenCL."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lamina_flatarray.contract import Backend, Kernel

from .devices import discover

__all__ = ["OpenCLBackend"]


class OpenCLBackend(Backend):
    """The required kernels and those of random numbers, for all dtypes, in the memory of OpenCL devices.

    >>> OpenCLBackend().device_type
    'opencl'
    """

    name = "opencl"
    device_type = "opencl"
    protocol = (1, 0)

    def unavailable(self) -> str | None:
        """Return why there is no device to run on, and what mends that; None where there is one.

        Returns:
            The reason, in one line, or None.
        """
        return discover().reason or None

    def device_count(self) -> int:
        """Return how many devices can be used, on all platforms.

        Returns:
            The number of devices.
        """
        return len(discover().devices)

    def capabilities(self) -> Mapping[str, tuple[str, ...]]:
        """Return what there are kernels for. No device is touched: all of them compute the same.

        Returns:
            A mapping from op to a tuple of dtype names.
        """
        from .capabilities import CAPABILITIES

        return CAPABILITIES

    def kernel(self, op: str) -> Kernel:
        """Return the kernel of an op.

        Args:
            op: a key of `capabilities`.

        Returns:
            A function `kernel(out, *inputs, **params)`.

        Raises:
            KeyError: there is none.
        """
        from .kernels import KERNELS  # they need pyopencl, which `unavailable` must be able to miss

        return KERNELS[op]

    def allocate(self, nbytes: int, index: int) -> Any:
        """Return uninitialised memory on a device.

        Args:
            nbytes: how many bytes are wanted, 0 or more.
            index: which of the devices they are on.

        Returns:
            A `Memory`.

        Raises:
            MemoryError: there is not enough.
        """
        import pyopencl as cl

        from .queue import Memory, queue_of

        try:
            return Memory(queue_of(index), nbytes)
        except (cl.MemoryError, cl.LogicError) as cause:  # too much at once is an invalid size
            raise MemoryError(f"allocate: opencl:{index} has no {nbytes} bytes ({cause})") from cause

    def copy_in(self, memory: Any, offset: int, source: memoryview) -> None:
        """Copy host bytes into memory at a byte offset.

        Args:
            memory: what `allocate` returned.
            offset: where to write, in bytes.
            source: the bytes to copy.
        """
        memory.queue.copy_in(memory, offset, source)

    def copy_out(self, memory: Any, offset: int, target: memoryview) -> None:
        """Copy memory from a byte offset into host bytes, once all that was queued before is done.

        Args:
            memory: what `allocate` returned.
            offset: where to read, in bytes.
            target: where the bytes go; its length tells how many.
        """
        memory.queue.copy_out(memory, offset, target)

    def synchronize(self, index: int) -> None:
        """Wait until all work queued on a device is done.

        Args:
            index: which of the devices.
        """
        from .queue import queue_of

        queue_of(index).finish()
