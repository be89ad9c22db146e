"""The kit of fusing engines: engines that do something wrong are caught. A right one is checked in its own distribution."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np
import pytest

from lamina_flatarray.backends import registry
from lamina_flatarray.dtypes import DType
from lamina_flatarray.fused_steps import FusedStep
from lamina_flatarray.fusing_engines import FusingEngine, MachineLoop
from lamina_testkit.fusing_engines.__main__ import run

WIDTH = 4


class Interpreting(FusingEngine):
    """Gives loops that are NumPy's, of sums, products and the greater of two in float32."""

    name = "interpreting"
    ufuncs: Mapping[str, Callable[..., Any]] = {"add": np.add, "multiply": np.multiply, "maximum": np.maximum}

    def takes(self, step: FusedStep) -> bool:
        """Two arrays, or one and a number."""
        return step.op in self.ufuncs and step.dtype.name == "float32"

    def loop(self, steps: Sequence[FusedStep], results: Sequence[int], inputs: Sequence[int], dtypes: Mapping[int, DType]) -> MachineLoop:
        """Return a callback from C."""
        if not all(map(self.takes, steps)):
            raise ValueError("loop: a step is not taken")
        places = [*results, *inputs]

        def body(slots: Any, strides: Any, row_strides: Any, vectors: int, rows: int) -> None:
            for row, i in product(range(rows), range(vectors)):
                at = [slots[k] + row * row_strides[k] + i * strides[k] for k in range(len(places))]
                read = [self.read if strides[len(results) + k] else self.repeated for k in range(len(inputs))]
                values = {slot: read[k](at[len(results) + k]) for k, slot in enumerate(inputs)}
                for step in steps:
                    operands = [values[x[0]] if isinstance(x, tuple) else np.float32(x) for x in step.inputs]
                    with np.errstate(all="ignore"):
                        values[step.result] = self.ufuncs[step.op](*operands)
                for k, slot in enumerate(results):
                    self.write(at[k], values[slot])

        numbers = ctypes.POINTER(ctypes.c_int64)
        kind = ctypes.CFUNCTYPE(None, ctypes.POINTER(ctypes.c_size_t), numbers, numbers, ctypes.c_int64, ctypes.c_int64)
        callback = kind(body)
        return MachineLoop(ctypes.cast(callback, ctypes.c_void_p).value or 0, WIDTH, callback)

    def read(self, address: int) -> Any:
        """One vector."""
        return np.frombuffer(ctypes.string_at(address, 4 * WIDTH), np.float32)

    def repeated(self, address: int) -> Any:
        """One item, which stands for a row."""
        return np.repeat(np.frombuffer(ctypes.string_at(address, 4), np.float32), WIDTH)

    def write(self, address: int, values: Any) -> None:
        """One vector."""
        ctypes.memmove(address, values.tobytes(), 4 * WIDTH)


class LosingNaN(Interpreting):
    """Gives the number where the other is NaN."""

    ufuncs = {**Interpreting.ufuncs, "maximum": np.fmax}


class Rounding(Interpreting):
    """Adds in float16."""

    ufuncs = {**Interpreting.ufuncs, "add": lambda a, b: (a.astype(np.float16) + np.float16(b)).astype(np.float32)}


class Overrunning(Interpreting):
    """Writes one item too many."""

    def write(self, address: int, values: Any) -> None:
        """Write the last item twice."""
        ctypes.memmove(address, values.tobytes() + values.tobytes()[-4:], 4 * WIDTH + 4)


class Aligned(Interpreting):
    """Reads from where a vector would begin that is aligned as a register is."""

    def read(self, address: int) -> Any:
        """Read from before the vector."""
        return super().read(address & -16)


class Greedy(Interpreting):
    """Makes a loop of whatever it is given, and does nothing in it."""

    def loop(self, steps: Sequence[FusedStep], results: Sequence[int], inputs: Sequence[int], dtypes: Mapping[int, DType]) -> MachineLoop:
        """Leave out what is not known."""
        return super().loop([step for step in steps if self.takes(step)], [], inputs, dtypes)


def test_an_engine_without_faults_passes() -> None:
    assert run(Interpreting(), registry.backend("numpy")) == []


@pytest.mark.parametrize(
    ("engine", "check", "told"),
    [
        (LosingNaN, "each_step", "maximum"), (Rounding, "each_step", "add"), (Overrunning, "each_step", "outside"),
        (Aligned, "each_step", "instead of"), (Greedy, "what_is_not_taken", "loop made something of"),
    ],
)  # fmt: skip
def test_a_fault_is_caught(engine: type[Interpreting], check: str, told: str) -> None:
    failed = run(engine(), registry.backend("numpy"))
    assert any(check in line and told in line for line in failed), failed
