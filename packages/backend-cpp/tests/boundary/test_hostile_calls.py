"""Every native kernel called with nonsense, and with arguments that are nearly right: it works or raises, and writes nowhere else."""

from __future__ import annotations

from collections.abc import Iterator
from struct import pack
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from native_operands import BACKEND, Layout

from lamina_flatarray import FlatArray, Strided, dtype_of
from lamina_flatarray.backends.kernel_table import KernelTable
from lamina_flatarray.dtypes import DTYPES
from lamina_flatarray.ops import OPS

MARGIN = 64
"""Bytes before and behind each operand's memory, which no kernel may touch."""
MARK = 0xA5
SMALL = st.integers(0, 4)
WILD = st.sampled_from(
    [None, -1, 0, 1, 3, 7, 2**31, 2**63, 10**30, 0.5, float("nan"), "text", (), (1,), (1, 1), (0, -1), [], object(), 1j, True]
)


class Inside:
    """Memory of operands with marked margins, to be looked at after the call."""

    def __init__(self) -> None:
        self.blocks: list[np.ndarray[Any, Any]] = []
        self.sound = False  # whether operands are to be as they should

    def operand(self, draw: Any, dtype: str, shape: tuple[int, ...]) -> Any:
        """An operand of random strides, sound or not."""
        strides, reach = [], 0
        for n in reversed(shape):
            step = draw(st.sampled_from([1, 1, 1, 0, 2, -1])) * max(reach + 1, 1) if strides else draw(st.sampled_from([1, 1, 1, 2, -1, 0]))
            strides.insert(0, step)
            reach += max(n - 1, 0) * abs(step)
        low = sum(min(0, (n - 1) * s) for n, s in zip(shape, strides, strict=True)) if 0 not in shape else 0
        layout = Layout(shape, tuple(strides), -low)
        kind = dtype_of(dtype)
        short = not self.sound and draw(st.integers(0, 9)) == 0  # less memory than the layout reaches
        items = max(reach + 1 - (draw(st.integers(1, 3)) if short else 0), 0)
        block = np.full(items * kind.itemsize + 2 * MARGIN, MARK, np.uint8)
        memory = block[MARGIN : block.size - MARGIN]
        memory[...] = 1 if kind.kind == "b" else draw(st.integers(0, 3))
        if not self.sound and draw(st.integers(0, 15)) == 0:
            memory.flags.writeable = False
        self.blocks.append(block)
        made = FlatArray(memory, 0, items, KernelTable.of(BACKEND, 0, kind))
        if not self.sound and draw(st.integers(0, 15)) == 0:
            layout.packed = draw(
                st.sampled_from(
                    [
                        b"",
                        b"\0" * 7,
                        pack("=2q", 3, 0),
                        pack("=2q", -1, 0),
                        pack("=4q", 1, 2**62, 4, 2**62),
                        pack("=4q", 1, 0, -3, 1),
                        pack("=6q", 2, 0, 2**62, 2**62, 1, 1),
                    ]
                )
            )
        return Strided(made, layout)

    def untouched(self) -> bool:
        """Whether all margins are as they were."""
        return all((block[:MARGIN] == MARK).all() and (block[block.size - MARGIN :] == MARK).all() for block in self.blocks)


def _parameter(draw: Any, name: str, inside: Inside, dtype: str, shape: tuple[int, ...], count: int) -> Any:
    if not inside.sound and draw(st.integers(0, 7)) == 0:
        return draw(WILD)
    if name in ("axis", "start", "stop", "step", "groups", "divisor", "n", "correction"):
        return draw(st.integers(-2, 4))
    if name == "axes":
        return draw(st.sampled_from([(), (0,), (1,), (0, 1), (0, 0), (2,), (-1,)]))
    if name in ("stride", "padding", "dilation", "kernel", "lengths"):
        return tuple(
            draw(st.lists(st.integers(0, 3), min_size=max(len(shape) - 2, 0), max_size=max(len(shape) - 2, 0) + draw(st.integers(0, 1))))
        )
    if name in ("buffers", "firsts", "seconds", "maxima", "greatest", "squares", "means", "sums", "changes", "averages", "previous",
                "step_sizes"):  # fmt: skip
        return [inside.operand(draw, dtype, shape) for _ in range(count)]
    if name in (
        "lr",
        "momentum",
        "next_momentum",
        "product",
        "alpha",
        "rho",
        "length",
        "lambd",
        "share",
        "shrink",
        "grow",
        "shortest",
        "longest",
        "order",
        "beta1",
        "beta2",
        "eps",
        "weight_decay",
        "value",
        "low",
        "high",
        "mean",
        "std",
        "probability",
        "min",
        "max",
    ):
        return draw(st.sampled_from([0.0, 0.5, 1, -1.0, 1e30]))
    return draw(st.booleans())


@st.composite
def calls(draw: Any, op: str) -> tuple[Any, tuple[Any, ...], dict[str, Any], Inside]:
    """Arguments for a kernel: of one dtype and shape for the most part."""
    row, inside = OPS[op], Inside()
    inside.sound = draw(st.booleans())
    native = BACKEND.capabilities()[op]
    dtype = draw(st.sampled_from(native))
    shape = tuple(draw(st.lists(st.integers(0, 5) if draw(st.booleans()) else st.integers(1, 4), max_size=4)))

    def operand(wanted: str) -> Any:
        odd = 11 if inside.sound else draw(st.integers(0, 11))
        if odd == 0:
            return draw(WILD)
        of = draw(st.sampled_from(list(DTYPES))) if odd == 1 else wanted
        own = tuple(draw(st.lists(SMALL, max_size=3))) if odd in (2, 3) else shape
        return inside.operand(draw, of, own)

    inputs = []
    for name in row.inputs:
        wanted = "bool" if name == "condition" else "int64" if "ind" in name else dtype
        several = [operand(wanted) for _ in range(draw(st.integers(0, 3)) if name[0] in "*[" else 1)]
        inputs += [several] if name[0] == "[" else several
    count = len(inputs) if any(name.startswith("*") for name in row.inputs) else 1
    outs = [
        operand(draw(st.sampled_from([dtype, dtype, "bool", "int64"])))
        for _ in range(max(count if row.rule == "update" else row.outputs, 1))
    ]
    out = outs if row.rule == "update" else tuple(outs) if row.outputs > 1 else outs[0]
    if draw(st.integers(0, 7)) == 0 and inputs and isinstance(out, Strided) and isinstance(inputs[0], Strided):
        out = Strided(inputs[0].flat, out.layout)  # they share memory, under another layout
    params = {name: _parameter(draw, name, inside, dtype, shape, count) for name in row.params if inside.sound or draw(st.integers(0, 30))}
    return out, tuple(inputs), params, inside


@pytest.fixture
def alone() -> Iterator[Any]:
    """Makes a kernel refuse what it would hand on."""
    changed: list[tuple[Any, Any]] = []

    def kernel_of(op: str) -> Any:
        kernel: Any = BACKEND.kernel(op)

        def refuse(*_: Any, **__: Any) -> None:
            raise LookupError(f"{op}: handed on")  # an error as good as any: only native code is under test

        changed.append((kernel, kernel.inherited))
        kernel.inherited = refuse
        return kernel

    yield kernel_of
    for kernel, inherited in changed:
        kernel.inherited = inherited


@pytest.mark.parametrize("op", sorted(BACKEND.capabilities()))
def test_nonsense_is_refused_or_does_no_harm(op: str, alone: Any) -> None:
    kernel, worked = alone(op), []

    @settings(max_examples=40, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(calls(op))
    def call(arguments: tuple[Any, tuple[Any, ...], dict[str, Any], Inside]) -> None:
        out, inputs, params, inside = arguments
        try:
            kernel(out, *inputs, **params)
        except Exception as error:  # any of Python's; what may not happen is a crash, or a write elsewhere
            assert not isinstance(error, SystemError), error
        else:
            worked.append(op)
        assert inside.untouched()

    call()
    rare = op == "concat" or OPS[op].rule == "real_to_complex"  # a list, or a result of another dtype than the inputs
    if OPS[op].family in ("copy", "map") and not rare:  # one shape is right for all there, so some examples are right
        assert worked, "no call was right by chance: the examples are too wild to test what a kernel does"
