"""Fusing: runs of map ops in a program, each run as one kernel of the backend's, whose values on the way have no memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from lamina_flatarray import DType
from lamina_flatarray.backends.kernel_table import origin
from lamina_flatarray.fused_steps import MOST_FUSED_OPERANDS, FusedStep
from lamina_flatarray.ops import OPS

from .recorder import Call, Operand, operands_in

__all__ = ["fused"]

_NUMBERS = (bool, int, float, complex)
_MOST_STEPS = 24


def fused(calls: Sequence[Call], passes_on: Callable[[int], bool]) -> Iterator[Call]:
    """Calls that do what others do, with runs of map ops as one call each.

    Args:
        calls: the calls.
        passes_on: whether the items of a storage are wanted by others than the calls.
    """
    last = {x.storage: place for place, call in enumerate(calls) for x in operands_in(call.out, call.inputs, call.params)}

    def wanted_from(place: int) -> Callable[[int], bool]:
        return lambda storage: passes_on(storage) or last[storage] >= place

    run = _Run()
    for place, call in enumerate(calls):
        if not _is_fusable(call):
            yield from run.calls(wanted_from(place))
            yield call
            run = _Run()
        elif not run.takes(call):
            yield from run.calls(wanted_from(place))
            run = _Run()
            run.takes(call)
    yield from run.calls(passes_on)


def _is_fusable(call: Call) -> bool:
    op = OPS.get(call.op)
    if op is None or op.family != "map" or call.params or not isinstance(call.out, Operand) or not call.out.layout.size:
        return False
    if not all(isinstance(x, Operand) or type(x) in _NUMBERS for x in call.inputs):
        return False
    backend = call.kernels.backend
    return origin(backend, call.op, call.kernels.dtype) == "native" and backend.fuses(call.op, call.kernels.dtype)


class _Run:
    """Map ops one after the other, of one shape and backend."""

    def __init__(self) -> None:
        self._calls: list[Call] = []
        self._operands: dict[int, set[Operand]] = {}  # by storage
        self._written: set[int] = set()

    @classmethod
    def of(cls, calls: Sequence[Call]) -> _Run:
        """A run of calls that are known to fit together."""
        run = cls()
        for call in calls:
            run.takes(call)
        return run

    def takes(self, call: Call) -> bool:
        """Take a call into the run, if it fits there."""
        operands = list(operands_in(call.out, call.inputs))
        if self._calls:
            first = self._calls[0]
            if len(self._calls) == _MOST_STEPS or first.kernels.backend is not call.kernels.backend:
                return False
            if first.kernels.index != call.kernels.index or first.out.layout.shape != call.out.layout.shape:
                return False
        together: dict[int, set[Operand]] = {}
        for operand in operands:
            together.setdefault(operand.storage, set()).add(operand)
        if any(operand.layout.shape != call.out.layout.shape for operand in operands):
            return False
        written = {*self._written, call.out.storage}
        joined = {storage: self._operands.get(storage, set()) | together.get(storage, set()) for storage in {*self._operands, *together}}
        if any(len(joined[storage]) > 1 for storage in written):
            return False
        self._calls.append(call)
        self._operands, self._written = joined, written
        return True

    def calls(self, is_wanted: Callable[[int], bool]) -> Iterator[Call]:
        """The run as one call, or as it is.

        Args:
            is_wanted: whether the items of a storage are wanted after the run.
        """
        results = {call.out: None for call in self._calls if is_wanted(call.out.storage)}
        if len(self._calls) < 2 or not results:
            yield from self._calls
            return
        inputs: dict[Operand, None] = {}
        made: set[int] = set()
        for call in self._calls:
            for operand in operands_in(call.inputs):
                if operand.storage not in made and operand not in results:
                    inputs[operand] = None
            made.add(call.out.storage)
        operands = [*results, *inputs]
        if len(operands) > MOST_FUSED_OPERANDS:
            half = len(self._calls) // 2
            first, second = _Run.of(self._calls[:half]), _Run.of(self._calls[half:])
            yield from first.calls(lambda storage: is_wanted(storage) or storage in second._operands)
            yield from second.calls(is_wanted)
            return
        slots = {operand: slot for slot, operand in enumerate(operands)}
        steps, temporaries = self._steps(slots)
        kernels = self._calls[0].kernels
        kernel = kernels.backend.fuse(steps, [operand.kernels.dtype for operand in operands], temporaries)
        name = "+".join(call.op for call in self._calls)
        yield Call(name, {name: kernel}, operands[0], tuple(operands[1:]), {})

    def _steps(self, slots: dict[Operand, int]) -> tuple[list[FusedStep], list[DType]]:
        """The steps, and the dtypes of what has no memory; such a slot is used again when its value is not needed any more."""
        operands = len(slots)
        last = {x: place for place, call in enumerate(self._calls) for x in operands_in(call.out, call.inputs)}
        free: dict[DType, list[int]] = {}
        temporaries: list[DType] = []
        steps: list[FusedStep] = []
        for place, call in enumerate(self._calls):
            inputs: tuple[Any, ...] = tuple([(slots[x],) if isinstance(x, Operand) else x for x in call.inputs])
            for x in set(operands_in(call.inputs)):
                if slots[x] >= operands and last[x] == place:
                    free.setdefault(x.kernels.dtype, []).append(slots[x])
            if call.out not in slots:
                dtype = call.out.kernels.dtype
                spare = free.get(dtype)
                slots[call.out] = spare.pop() if spare else operands + len(temporaries)
                if slots[call.out] == operands + len(temporaries):
                    temporaries.append(dtype)
            steps.append(FusedStep(call.op, call.kernels.dtype, slots[call.out], inputs))
        return steps, temporaries
