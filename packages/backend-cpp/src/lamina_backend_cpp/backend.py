"""CppBackend: what the native module serves, and the numpy backend's kernels, on the same memory, for the rest."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import pluggy

from lamina_flatarray.backends import registry
from lamina_flatarray.backends.kernel_table import decompositions
from lamina_flatarray.contract import Backend, Kernel
from lamina_flatarray.device_services import DeviceProperties, MemoryStats
from lamina_flatarray.dtypes import DType
from lamina_flatarray.fused_steps import FusedStep

from . import threads
from .machine_loops import machine_loops
from .native import MISSING, module

__all__ = ["CppBackend", "lamina_backend"]

_hookimpl = pluggy.HookimplMarker("lamina")
_crc32 = getattr(module, "crc32", None)


class CppBackend(Backend):
    """Native kernels on the host, and memory from a caching pool; what has none runs the kernels of `numpy` on the same memory.

    >>> backend = CppBackend()
    >>> backend.name, backend.device_type, backend.extends
    ('cpp', 'cpu', 'numpy')
    """

    name = "cpp"
    device_type = "cpu"
    protocol = (1, 0)
    host = True
    checks_positions = True
    extends = "numpy"
    priority = 10

    def __init__(self) -> None:
        self._capabilities: dict[str, tuple[str, ...]] = {} if module is None else module.capabilities()

    def unavailable(self) -> str | None:
        """Return why there is no native part, and what to install; None where there is one.

        Returns:
            The reason, in one line, or None.
        """
        return MISSING

    def capabilities(self) -> Mapping[str, tuple[str, ...]]:
        """Return what the native module registered as its kernels: there is no second list.

        Returns:
            A mapping from op to a tuple of dtype names.
        """
        return self._capabilities

    def kernel(self, op: str) -> Kernel:
        """Return the native kernel of an op, connected to the one that takes what it leaves (a rare layout, say).

        Args:
            op: the op's name.

        Returns:
            A function `kernel(out, *inputs, **params)`.

        Raises:
            KeyError: there is none.
        """
        kernel: Any = module.kernel(op)
        if kernel.inherited is None:
            kernel.inherited = _Inherited(kernel)
        return kernel  # type: ignore[no-any-return]

    def get_num_threads(self) -> int:
        """Return how many threads large kernels use.

        Returns:
            A number of at least 1.
        """
        return threads.get_num_threads()

    def set_num_threads(self, n: int) -> None:
        """Use `n` threads from now on, also in other Python threads.

        Args:
            n: the number of threads, from 1 to 1024.
        """
        threads.set_num_threads(n)

    def allocate(self, nbytes: int, index: int) -> Any:
        """Return memory from the pool, aligned to 64 bytes.

        Args:
            nbytes: how many bytes are wanted.
            index: which device they are on; the host is the only one.

        Returns:
            An object with the buffer protocol, which gives its block back to the pool when nobody uses it any more.

        Raises:
            ValueError: `nbytes` is negative.
            MemoryError: there is not enough.
        """
        return module.allocate(nbytes)

    def allocator(self, index: int) -> Callable[[int], Any]:
        """Return the native allocation itself, for tables to call without a Python frame in between.

        Args:
            index: which device the memory is on; the host is the only one.

        Returns:
            A function from a number of bytes to memory.
        """
        return module.allocate if module is not None else lambda nbytes: self.allocate(nbytes, index)

    def reader(self, nested: bool) -> Callable[[Any], Any] | None:
        """Return what reads items without NumPy; it leaves float16 and bfloat16 to others.

        Args:
            nested: whether it gives all items, as lists within lists; else the one item.

        Returns:
            A function of an array, which gives NotImplemented for what it leaves; None without a native part.
        """
        return None if module is None else module.reader(_left, nested)  # type: ignore[no-any-return]

    def fuses(self, op: str, dtype: DType) -> bool:
        """Return whether `fuse` takes an op: `copy`, and the maps and reductions that have loops for the dtype.

        Maps of float16 and bfloat16 have those of float32, through which their items pass.

        Args:
            op: the op's name.
            dtype: what it computes in; of `copy`, what it casts from or to.

        Returns:
            Whether it does.
        """
        return module is not None and module.fuses(op, dtype.name)

    def fuse(self, steps: Sequence[FusedStep], operands: Sequence[DType], temporaries: Sequence[DType]) -> Kernel:
        """Return one kernel for several steps, which goes through memory once, a tile or a few rows at a time.

        Where it has done much, and a fusing engine is installed, runs of maps become one loop of machine code each, of the same results.

        Args:
            steps: what to compute, in order.
            operands: the dtypes of what the kernel is called with.
            temporaries: the dtypes of values that stay in the tile.

        Returns:
            A function `kernel(*operands)`.

        Raises:
            ValueError: an op among the steps is not fused, a slot has another dtype, or there are too many of them.
        """
        parts = tuple([[step for step in steps if step.is_total is total] for total in (False, True)])
        told = [[(step.op, step.dtype.name, step.result, step.inputs, dict(step.params)) for step in part] for part in parts]
        names = [[dtype.name for dtype in dtypes] for dtypes in (operands, temporaries)]
        kernel: Kernel = module.fuse(*told, *names, partial(machine_loops, *parts, (*operands, *temporaries), len(operands)))
        return kernel

    def crc32(self, data: Any, value: int = 0) -> int:
        """Return the CRC-32 of bytes, by the processor's own instructions where it has them.

        Args:
            data: a buffer.
            value: the checksum of what came before it.

        Returns:
            The checksum, from 0 to 2**32 - 1.
        """
        return super().crc32(data, value) if _crc32 is None else _crc32(data, value)

    def device_properties(self, index: int) -> DeviceProperties:
        """Return what is known of the host: its name, and which instructions the loops that were chosen use.

        Args:
            index: which device; the host is the only one.

        Returns:
            A `DeviceProperties`.
        """
        chosen = "baseline" if module is None else module.instruction_set
        return super().device_properties(index)._replace(vector_instructions="" if chosen == "baseline" else chosen.upper())

    def memory_stats(self, index: int = 0) -> MemoryStats | None:
        """Return what arrays hold of the pool, and what it keeps.

        Args:
            index: which device; the host is the only one.

        Returns:
            A `MemoryStats` without peaks, which the pool does not keep; None without a native part.
        """
        if module is None:
            return None
        stats: dict[str, int] = module.memory_stats()
        reserved = stats["live_bytes"] + stats["cached_bytes"]
        return MemoryStats(stats["live_bytes"], None, reserved, None, stats["live_blocks"], stats["hits"] + stats["misses"])

    def empty_cache(self) -> None:
        """Give all freed blocks back to the system."""
        if module is not None:
            module.empty_cache()

    def set_memory_limit(self, nbytes: int) -> None:
        """Keep at most this many bytes of freed blocks.

        Args:
            nbytes: the number of bytes; 0 gives every block back at once.

        Raises:
            ValueError: `nbytes` is negative.
        """
        module.set_limit(nbytes)


class _Inherited:
    """Finds the kernel that a native one inherits when it is first wanted, and puts it in its own place."""

    __slots__ = ("native",)

    def __init__(self, native: Any) -> None:
        self.native = native

    def __call__(self, out: Any, *inputs: Any, **params: Any) -> None:
        op = self.native.__name__
        reference = registry.backend("numpy")
        kernel = reference.kernel(op) if op in reference.capabilities() else decompositions[op]
        self.native.inherited = kernel
        kernel(out, *inputs, **params)


def _left(array: Any) -> Any:
    return NotImplemented


@_hookimpl
def lamina_backend() -> CppBackend:
    """Return the backend of this plug-in: the hook that lamina_flatarray calls once per process.

    Returns:
        A new backend object.

    >>> lamina_backend()
    <backend cpp for cpu>
    """
    return CppBackend()
