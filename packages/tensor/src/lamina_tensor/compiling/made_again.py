"""What a backward pass makes again instead of reading it: a few cheap steps take less time than memory does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from lamina_flatarray.backends.kernel_table import origin
from lamina_flatarray.ops import OPS
from lamina_ndarray.programs.program import fills_memory
from lamina_ndarray.programs.recorder import Call, Operand, Storage, operands_in

__all__ = ["made_again", "with_what_is_made_again"]

_MOST_STEPS: Final = 8
"""How many steps are taken for one value. Each is an instruction or two for a vector of items, which memory takes longer for."""

_RULES: Final = {
    "promote", "arithmetic", "real_arithmetic", "magnitude", "number", "real", "where", "compare", "compare_real", "bitwise",
}  # fmt: skip
_CHEAP: Final = {op.name for op in OPS.values() if op.family == "map" and op.domain == "any" and op.rule in _RULES}
"""Arithmetic, comparisons and choices: what is defined for all numbers, and computed in their dtype."""


def made_again(
    calls: Sequence[Call], storages: Sequence[Storage], between: Sequence[int], there: Collection[int]
) -> dict[int, list[Call]]:
    """Find values that are not to be kept for a backward pass, as it can make them of what it reads anyway.

    Args:
        calls: those before the pass.
        storages: the memory that calls meet.
        between: the storages of values that are read before and in it.
        there: the storages that it reads of what nobody but the caller writes into.

    Returns:
        Of each such value, the calls that make it of what is kept or there, in order.
    """
    written = Counter(x.storage for call in calls for x in operands_in(call.out))
    kept = set(between)
    steps: dict[int, list[Call]] = {number: [] for number in there if number not in written}  # of what can be had in a pass
    for call in calls:
        for number in {x.storage for x in operands_in(call.out)}:
            if written[number] > 1:
                continue
            sources = [x.storage for x in operands_in(call.inputs, call.params)]
            if _is_cheap(call) and fills_memory(call.out, storages[number]) and all(x in steps for x in sources):
                before = {id(each): each for source in sources for each in steps[source]}
                if len(before) < _MOST_STEPS:
                    steps[number] = [*before.values(), call]
                    continue
            if number in kept:
                steps[number] = []
    return {number: steps[number] for number in between if steps.get(number)}


def with_what_is_made_again(calls: Sequence[Call], again: Mapping[int, Sequence[Call]]) -> list[Call]:
    """Return the calls of a pass, each behind those that make what it reads and nothing has kept.

    Args:
        calls: the calls.
        again: what `made_again` gave.
    """
    result: list[Call] = []
    made: set[int] = set()
    for call in calls:
        for x in operands_in(call.inputs, call.params):
            for step in again.get(x.storage, ()):
                if step.out.storage not in made:
                    made.add(step.out.storage)
                    result.append(step)
        result.append(call)
    return result


def _is_cheap(call: Call) -> bool:
    if not (call.op in _CHEAP or _squares(call)) or not isinstance(call.out, Operand):
        return False
    backend, dtype = call.kernels.backend, call.kernels.dtype
    return origin(backend, call.op, dtype) == "native" and backend.fuses(call.op, dtype)


def _squares(call: Call) -> bool:
    return call.op == "pow" and isinstance(call.inputs[1], (int, float)) and call.inputs[1] == 2
