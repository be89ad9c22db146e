"""A hostile backend: right in all that it declares, and as inconvenient as the contract allows.

Two devices, no float64, work that is done as late as can be, fresh memory full of NaN, and operands that have to be row-major.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from lamina_flatarray.contract import Backend, Kernel
from lamina_flatarray.fork_safety import fork_safe
from lamina_flatarray.numpy_backend import NumpyBackend
from lamina_flatarray.ops import OPS

__all__ = ["HostileBackend"]

_ABSENT: Final = ("float64", "complex128")
_LATEST: Final = 64  # as many calls wait at most


class HostileMemory:
    """Bytes on one of the devices, which only `copy_in` and `copy_out` can reach."""

    __slots__ = ("_bytes", "index")

    def __init__(self, nbytes: int, index: int) -> None:
        self._bytes = np.full(nbytes, 0xFF, np.uint8)  # NaN of every floating dtype, -1 of every signed one
        self.index = index


class _Operand:
    """An operand as it was when a kernel was called, over the hidden bytes."""

    __slots__ = ("flat", "layout", "native")

    def __init__(self, operand: Any) -> None:
        self.flat = _Flat(operand.flat)
        self.layout = operand.layout
        self.native = None


class _Flat:
    __slots__ = ("dtype", "memory", "offset")

    def __init__(self, flat: Any) -> None:
        self.memory, self.offset, self.dtype = flat.memory._bytes, flat.offset, flat.dtype


class HostileBackend(Backend):
    """Required kernels and random fills, borrowed from the reference, on two devices that work behind the program's back."""

    name = "hostile"
    device_type = "hostile"
    reads_strides = False

    def __init__(self) -> None:
        self._reference = NumpyBackend()
        self._waiting: deque[Callable[[], None]] = deque()
        self._in_order = fork_safe(threading.RLock())  # one call at a time, whichever thread looks
        fills = {op for op, row in OPS.items() if row.family == "random" and not row.inputs}  # how much others draw, their inputs tell
        served = {op: names for op, names in self._reference.capabilities().items() if OPS[op].required or op in fills}
        self._declared = {op: tuple(name for name in names if name not in _ABSENT) for op, names in served.items()}

    def capabilities(self) -> Mapping[str, tuple[str, ...]]:
        """Return the required ops and random fills, in what is left of the dtypes."""
        return self._declared

    def device_count(self) -> int:
        """Return 2."""
        return 2

    def allocate(self, nbytes: int, index: int) -> HostileMemory:
        """Return bytes that make NaN of whatever reads them before they are written."""
        return HostileMemory(nbytes, index)

    def copy_in(self, memory: Any, offset: int, source: memoryview) -> None:
        """Copy host bytes in, after all that was asked for before."""
        self.synchronize(memory.index)
        memory._bytes[offset : offset + source.nbytes] = source

    def copy_out(self, memory: Any, offset: int, target: memoryview) -> None:
        """Copy bytes to the host, after all that was asked for before."""
        self.synchronize(memory.index)
        target[:] = memory._bytes[offset : offset + target.nbytes]

    def synchronize(self, index: int) -> None:
        """Do what waits, of both devices."""
        with self._in_order:
            while self._waiting:
                self._waiting.popleft()()

    def kernel(self, op: str) -> Kernel:
        """Return a kernel that puts the reference's off until somebody looks.

        Args:
            op: a required op or random fill.

        Raises:
            AssertionError: when it is called with operands of an absent dtype, of two devices, or not row-major.
        """
        reference = self._reference.kernel(op)

        def kernel(out: Any, *inputs: Any, **params: Any) -> None:
            operands = [x for x in (*(out if isinstance(out, (list, tuple)) else (out,)), *inputs) if hasattr(x, "layout")]
            devices = {x.flat.memory.index for x in operands}
            assert len(devices) == 1, f"{op}: operands on the devices {sorted(devices)}"
            for x in operands:
                assert x.flat.dtype.name not in _ABSENT, f"{op}: an operand is {x.flat.dtype.name}"
                assert op == "copy" or (x.layout.contiguous and x.layout.offset == 0), f"{op}: an operand has {x.layout}"
            late_out, late_inputs = _late(out), [_late(x) for x in inputs]
            if "generator" in params:  # the stream moves on when the fill is asked for
                params["generator"], original = params["generator"].clone(), params["generator"]
                scratch = np.empty(late_out.layout.size * late_out.flat.dtype.itemsize, np.uint8)
                moved = _Operand(out)
                moved.flat.memory, moved.flat.offset = scratch, 0
                reference(moved, generator=original, **{name: value for name, value in params.items() if name != "generator"})
            with self._in_order:
                self._waiting.append(lambda: reference(late_out, *late_inputs, **params))
                if len(self._waiting) > _LATEST:
                    self._waiting.popleft()()

        return kernel


def _late(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return type(value)(map(_late, value))
    return _Operand(value) if hasattr(value, "layout") else value
