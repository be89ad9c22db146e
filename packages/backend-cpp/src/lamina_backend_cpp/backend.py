"""CppBackend: what the native module serves, and the numpy backend's kernels, on the same memory, for the rest."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pluggy

from lamina_flatarray.backends import registry
from lamina_flatarray.backends.kernel_table import decompositions
from lamina_flatarray.contract import Backend, Kernel

from . import threads
from .native import MISSING, module

__all__ = ["CppBackend", "lamina_backend"]

_hookimpl = pluggy.HookimplMarker("lamina")
_crc32 = getattr(module, "crc32", None)


class CppBackend(Backend):
    """Native kernels on the host, and memory from a caching pool; what has none runs the kernels of `numpy` on the same memory."""

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
        """Why there is no native part, and what to install; None where there is one."""
        return MISSING

    def capabilities(self) -> Mapping[str, tuple[str, ...]]:
        """As the native module registered its kernels: there is no second list."""
        return self._capabilities

    def kernel(self, op: str) -> Kernel:
        """The native kernel of an op, connected to the one that takes what it leaves (a rare layout, say).

        Raises:
            KeyError: there is none.
        """
        kernel: Any = module.kernel(op)
        if kernel.inherited is None:
            kernel.inherited = _Inherited(kernel)
        return kernel  # type: ignore[no-any-return]

    def get_num_threads(self) -> int:
        """How many threads large kernels use."""
        return threads.get_num_threads()

    def set_num_threads(self, n: int) -> None:
        """Use `n` threads from now on, also in other Python threads."""
        threads.set_num_threads(n)

    def allocate(self, nbytes: int, index: int) -> Any:
        """Memory from the pool, aligned to 64 bytes.

        Raises:
            ValueError: `nbytes` is negative.
            MemoryError: there is not enough.
        """
        return module.allocate(nbytes)

    def allocator(self, index: int) -> Callable[[int], Any]:
        """The native allocation itself, for tables to call without a Python frame in between."""
        return module.allocate if module is not None else lambda nbytes: self.allocate(nbytes, index)

    def reader(self, nested: bool) -> Callable[[Any], Any] | None:
        """What reads items without NumPy; it leaves float16 and bfloat16 to others."""
        return None if module is None else module.reader(_left, nested)  # type: ignore[no-any-return]

    def crc32(self, data: Any, value: int = 0) -> int:
        """The CRC-32 of bytes, by the processor's own instructions where it has them."""
        return super().crc32(data, value) if _crc32 is None else _crc32(data, value)

    def memory_stats(self) -> dict[str, int]:
        """What the pool has done and holds: hits, misses, live_bytes, live_blocks, cached_bytes, cached_blocks, limit."""
        stats: dict[str, int] = module.memory_stats()
        return stats

    def empty_cache(self) -> None:
        """Give all freed blocks back to the system."""
        module.empty_cache()

    def set_memory_limit(self, nbytes: int) -> None:
        """Keep at most this many bytes of freed blocks.

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
    """The hook of the plug-in: one backend per process."""
    return CppBackend()
