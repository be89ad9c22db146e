"""Constants: single items that kernel calls make of nothing but numbers, such as the gradient that a backward pass begins with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Final

from lamina_flatarray import FlatArray
from lamina_flatarray.ops import OPS

from ..array_fields import array_of
from .recorder import Call, Effect, Numbers, Operand, mapped, operands_in

__all__ = ["without_constants"]

_MADE_OF_NUMBERS: Final = {"fill", *[op.name for op in OPS.values() if op.family == "map"]}


def without_constants(calls: Sequence[Call], scratch: Callable[[Operand], bool]) -> tuple[list[Call], dict[int, FlatArray]]:
    """Return the calls whose results are not the same in every run, and the results of the others, which are made here.

    Args:
        calls: the calls.
        scratch: whether an operand is all that its memory holds, which is over with a run.

    Returns:
        The calls that stay; the memory of the other results, by storage.
    """
    writes = Counter(x.storage for call in calls for x in operands_in(call.out))
    made: dict[int, FlatArray] = {}
    rest: list[Call] = []

    def bound(value: Any) -> Any:
        if isinstance(value, Operand):
            return array_of(made[value.storage], value.layout)
        return value.array if isinstance(value, Numbers) else value

    for call in calls:
        out = call.out
        is_one = call.op in _MADE_OF_NUMBERS and isinstance(out, Operand) and out.layout.size == 1
        if isinstance(call.kernels, Effect) or not is_one or writes[out.storage] > 1 or not scratch(out) or not _is_of(call, made):
            rest.append(call)
            continue
        flat = FlatArray(out.kernels.allocate(out.size * out.kernels.itemsize), 0, out.size, out.kernels)
        call.kernels[call.op](array_of(flat, out.layout), *mapped(call.inputs, bound), **mapped(call.params, bound))
        made[out.storage] = flat
    return rest, made


def _is_of(call: Call, made: dict[int, FlatArray]) -> bool:
    """Whether a call reads nothing but numbers, and what was made of them."""
    return all(x.storage in made and x.offset == 0 and x.kernels is made[x.storage].kernels for x in operands_in(call.inputs, call.params))
