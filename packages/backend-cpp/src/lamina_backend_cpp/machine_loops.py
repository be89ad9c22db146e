"""Which steps of a fused kernel become one loop of machine code."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, Final, TypeAlias

from lamina_flatarray import fusing_engines
from lamina_flatarray.dtypes import DType
from lamina_flatarray.fused_steps import FusedStep

__all__ = ["machine_loops"]

_MOST_SLOTS: Final = 32

Row: TypeAlias = tuple[int, int, int, int, list[int], list[int], Any]


def machine_loops(
    steps: Sequence[FusedStep], totals: Sequence[FusedStep], dtypes: Sequence[DType], operands: int, reduced: Sequence[bool],
) -> list[Row]:  # fmt: skip
    """Return loops that a fusing engine makes of runs of steps.

    Args:
        steps: those of a fused kernel, without its totals.
        totals: what it reduces after them.
        dtypes: of its operands and temporaries.
        operands: how many of these are operands.
        reduced: whether each step gives one item a row; those of a loop are alike in this.

    Returns:
        Rows of the first step, how many, the address of a loop, its width, the slots of its results, those of its inputs, and what keeps
        the loop; none where no engine is installed.
    """
    engine = fusing_engines.first()
    if engine is None:
        return []
    made: list[Row] = []
    takes = [step.op != "copy" and engine.takes(step) for step in steps]  # of a cast, a step does not tell from which dtype
    for begin, end in _runs([*zip(takes, reduced, strict=True)]):
        run = steps[begin:end]
        inputs, later = _read(run), {*_read([*steps[end:], *totals])}
        results = [slot for slot in _written(run) if slot < operands or slot in later]
        if len(inputs) + len(results) <= _MOST_SLOTS:
            loop = engine.loop(run, results, inputs, dict(enumerate(dtypes)))
            made.append((begin, end - begin, loop.address, loop.width, results, inputs, loop.owner))
    return made


def _runs(kinds: Sequence[tuple[bool, bool]]) -> Iterator[tuple[int, int]]:
    """Where two steps or more, one after the other, are taken and alike."""
    begin = 0
    for (taken, _), alike in groupby(kinds):
        end = begin + len([*alike])
        if taken and end - begin > 1:
            yield begin, end
        begin = end


def _read(steps: Sequence[FusedStep]) -> list[int]:
    """The slots that steps read before they write them."""
    found: dict[int, None] = {}
    written: set[int] = set()
    for step in steps:
        found.update((x[0], None) for x in step.inputs if isinstance(x, tuple) and x[0] not in written)
        written.add(step.result)
    return [*found]


def _written(steps: Sequence[FusedStep]) -> list[int]:
    return [*{step.result: None for step in steps}]
