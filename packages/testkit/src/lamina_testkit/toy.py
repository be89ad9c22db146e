"""A toy backend: the required kernels only, flat row-major operands only, on a device of its own.

It shows how little a backend must bring: everything else of the stack is derived from these.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from lamina_flatarray.contract import Backend, Kernel
from lamina_flatarray.numpy_backend import NumpyBackend
from lamina_flatarray.ops import OPS

__all__ = ["ToyBackend"]


class ToyMemory:
    """Bytes that the host cannot see, but through `copy_in` and `copy_out`."""

    __slots__ = ("_bytes",)

    def __init__(self, nbytes: int) -> None:
        self._bytes = np.full(nbytes, 0xA5, np.uint8)  # poisoned: whoever reads what was never written will notice


class _Shown:
    """An operand as the reference's kernels read it: over the bytes that the memory hides."""

    __slots__ = ("flat", "layout", "native")

    def __init__(self, operand: Any) -> None:
        self.flat = _ShownFlat(operand.flat)
        self.layout = operand.layout
        self.native = None


class _ShownFlat:
    __slots__ = ("dtype", "memory", "offset")

    def __init__(self, flat: Any) -> None:
        self.memory = flat.memory._bytes
        self.offset = flat.offset
        self.dtype = flat.dtype


def _shown(x: Any) -> Any:
    if isinstance(x, (list, tuple)):
        return type(x)(map(_shown, x))
    return _Shown(x) if hasattr(x, "layout") else x


class ToyBackend(Backend):
    """Required kernels, borrowed from the reference; refuses operands that are not row-major, but in `copy`."""

    name = "toy"
    device_type = "toy"
    reads_strides = False

    def __init__(self) -> None:
        self._reference = NumpyBackend()
        self._declared = {op: names for op, names in self._reference.capabilities().items() if OPS[op].required}

    def capabilities(self) -> Mapping[str, tuple[str, ...]]:
        """Return the required ops alone, for all dtypes that the reference has."""
        return self._declared

    def allocate(self, nbytes: int, index: int) -> ToyMemory:
        """Return poisoned bytes."""
        return ToyMemory(nbytes)

    def copy_in(self, memory: Any, offset: int, source: memoryview) -> None:
        """Copy host bytes into the hidden ones."""
        memory._bytes[offset : offset + source.nbytes] = source

    def copy_out(self, memory: Any, offset: int, target: memoryview) -> None:
        """Copy hidden bytes out."""
        target[:] = memory._bytes[offset : offset + target.nbytes]

    def kernel(self, op: str) -> Kernel:
        """Return the reference's kernel, which refuses operands that are not row-major from the start of their memory."""
        reference = self._reference.kernel(op)

        def kernel(out: Any, *inputs: Any, **params: Any) -> None:
            for x in (*(out if isinstance(out, tuple) else (out,)), *inputs):
                if op != "copy" and hasattr(x, "layout") and not (x.layout.contiguous and x.layout.offset == 0):
                    raise AssertionError(f"{op}: a backend that does not read strides was given {x.layout}")
            reference(_shown(out), *_shown(inputs), **params)

        return kernel
