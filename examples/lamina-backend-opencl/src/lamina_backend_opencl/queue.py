"""One device at work: its memory, its queue, and the programs that were compiled for it."""

from __future__ import annotations

import os
import threading
import warnings
from functools import lru_cache
from typing import Any, Final

import numpy as np
import pyopencl as cl

from lamina_flatarray.errors import DeviceError

from .devices import discover

__all__ = ["GROUP", "Memory", "Queue", "queue_of"]

GROUP: Final = 64
"""Work items per group. Kernels are told how many items there are, and the last group's surplus returns at once."""

_PROGRAMS: Final = 4096


class Memory:
    """Bytes on a device: what flat arrays keep as their `memory`.

    Args:
        queue: the queue that all work on these bytes goes through.
        nbytes: how many there are.

    Attributes:
        queue: as given.
        buffer: the OpenCL buffer.
    """

    __slots__ = ("buffer", "queue")

    def __init__(self, queue: Queue, nbytes: int) -> None:
        self.queue = queue
        self.buffer = cl.Buffer(queue.context, cl.mem_flags.READ_WRITE, size=max(nbytes, 1))


class Queue:
    """One device: commands run in the order in which they were queued, so memory that was let go may be used at once again.

    Args:
        device: a device of pyopencl.
    """

    def __init__(self, device: Any) -> None:
        self._process = os.getpid()
        self._context = cl.Context([device])
        self._commands = cl.CommandQueue(self._context)
        self._lock = threading.Lock()  # OpenCL keeps a kernel's arguments in the kernel until it is queued
        self._compiled = lru_cache(maxsize=_PROGRAMS)(self._compile)

    @property
    def context(self) -> Any:
        """The device's context.

        Raises:
            DeviceError: in a forked process.
        """
        self._check_process()
        return self._context

    @property
    def commands(self) -> Any:
        """The device's command queue.

        Raises:
            DeviceError: in a forked process.
        """
        self._check_process()
        return self._commands

    def _check_process(self) -> None:
        """Refuse a process that was forked from the one with the device: the threads that do its work are not there."""
        if os.getpid() != self._process:
            raise DeviceError(
                "opencl: this process was forked from one that had used the device, which serves no forked child; start it with the "
                "method 'spawn' or 'forkserver', or keep to the host in it"
            )

    def _compile(self, source: str) -> Any:
        with warnings.catch_warnings():  # some compilers say of every program that it is compiled
            warnings.simplefilter("ignore", cl.CompilerWarning)
            program = cl.Program(self.context, source).build(options=["-w"])
        return program.all_kernels()[0]

    def run(self, source: str, items: int | tuple[int, ...], *arguments: Any, group: tuple[int, ...] = (GROUP,)) -> None:
        """Queue a kernel; it is compiled when it is first wanted.

        Args:
            source: OpenCL C with one kernel.
            items: how many work items there are along each axis; they are rounded up to whole groups.
            arguments: memory, NumPy scalars, and Python integers, which are passed as `long`.
            group: how many work items make a group.
        """
        counts = (items,) if isinstance(items, int) else items
        if 0 in counts:
            return
        whole = tuple(-(-count // size) * size for count, size in zip(counts, group, strict=True))
        given = [x.buffer if isinstance(x, Memory) else np.int64(x) if isinstance(x, int) else x for x in arguments]
        with self._lock:
            self._compiled(source)(self.commands, whole, group, *given)

    def copy_in(self, memory: Memory, offset: int, source: memoryview) -> None:
        """Copy host bytes to a byte offset, and wait until they may be changed again."""
        if source.nbytes:
            cl.enqueue_copy(self.commands, memory.buffer, np.frombuffer(source, np.uint8), dst_offset=offset, is_blocking=True)

    def copy_out(self, memory: Memory, offset: int, target: memoryview) -> None:
        """Wait for the bytes at a byte offset, and copy them to the host."""
        if target.nbytes:
            cl.enqueue_copy(self.commands, np.frombuffer(target, np.uint8), memory.buffer, src_offset=offset, is_blocking=True)

    def finish(self) -> None:
        """Wait until all commands are done."""
        self.commands.finish()


@lru_cache(maxsize=64)
def queue_of(index: int) -> Queue:
    """Return the one queue of the device with this index."""
    return Queue(discover().devices[index])
