"""Fusing: runs of map ops in a program, each run as one kernel of the backend's, whose values on the way have no memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import prod
from typing import Any, NamedTuple

from lamina_flatarray import DType
from lamina_flatarray.backends.kernel_table import origin
from lamina_flatarray.fused_steps import MOST_FUSED_OPERANDS, FusedStep
from lamina_flatarray.ops import OPS

from .recorder import Call, Effect, Operand, operands_in

__all__ = ["Group", "fused"]

_NUMBERS = (bool, int, float, complex)
_MOST_STEPS = 24


class Group(NamedTuple):
    """A call of a program, and the recorded ones that became it.

    Attributes:
        call: the call.
        parts: one recorded call, or several, which are steps of one kernel.
        apart: why it is not one kernel with the group before; None where that is the first, or nobody fuses with it.
    """

    call: Call
    parts: tuple[Call, ...]
    apart: str | None

    @property
    def nbytes(self) -> int:
        """How many bytes it reads and writes."""
        return _moved(self.call)

    @property
    def nbytes_apart(self) -> int:
        """How many bytes its parts would, one by one."""
        return sum(map(_moved, self.parts))


def _moved(call: Call) -> int:
    """The bytes of the operands of a call, each once; items that are repeated count once, too."""
    return sum(
        x.kernels.itemsize * prod(n for n, stride in zip(x.layout.shape, x.layout.strides, strict=True) if stride)
        for x in {*operands_in(call.out, call.inputs, call.params)}
    )


def fused(calls: Sequence[Call], passes_on: Callable[[int], bool]) -> Iterator[Group]:
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
        alone = _alone(call)
        if alone is not None:
            yield from run.groups(wanted_from(place))
            yield Group(call, (call,), alone)
            run = _Run()
            continue
        apart = run.take(call)
        if apart is not None:
            yield from run.groups(wanted_from(place))
            run = _Run(apart)
            run.take(call)
    yield from run.groups(passes_on)


def _alone(call: Call) -> str | None:
    """Why a call is a kernel of its own; None where it may be a step of one."""
    op = OPS.get(call.op)
    if isinstance(call.kernels, Effect) or op is None:
        return "it is no op"
    if op.family != "map":
        return f"{call.op} is not elementwise"
    if call.params:
        return f"{call.op} is given {', '.join(call.params)} by name"
    if not isinstance(call.out, Operand) or not all(isinstance(x, Operand) or type(x) in _NUMBERS for x in call.inputs):
        return f"{call.op} has operands that are neither arrays nor numbers"
    if not call.out.layout.size:
        return "there are no items"
    backend, dtype = call.kernels.backend, call.kernels.dtype
    if origin(backend, call.op, dtype) != "native" or not backend.fuses(call.op, dtype):
        return f"{backend.name} does not fuse {call.op} of {dtype.name}"
    return None


class _Run:
    """Map ops one after the other, of one shape and backend."""

    def __init__(self, apart: str | None = None) -> None:
        self._apart = apart
        self._calls: list[Call] = []
        self._operands: dict[int, set[Operand]] = {}  # by storage
        self._written: set[int] = set()

    @classmethod
    def of(cls, calls: Sequence[Call], apart: str | None) -> _Run:
        """A run of calls that are known to fit together."""
        run = cls(apart)
        for call in calls:
            run.take(call)
        return run

    def take(self, call: Call) -> str | None:
        """Take a call into the run, or tell why it does not fit there."""
        operands = list(operands_in(call.out, call.inputs))
        if self._calls:
            first = self._calls[0]
            if len(self._calls) == _MOST_STEPS:
                return f"a kernel has {_MOST_STEPS} steps at most"
            if first.kernels.backend is not call.kernels.backend or first.kernels.index != call.kernels.index:
                return "it is on another device"
            if first.out.layout.shape != call.out.layout.shape:
                return f"the shapes are {list(first.out.layout.shape)} and {list(call.out.layout.shape)}"
        together: dict[int, set[Operand]] = {}
        for operand in operands:
            together.setdefault(operand.storage, set()).add(operand)
        if any(operand.layout.shape != call.out.layout.shape for operand in operands):
            return "an operand has another shape"
        written = {*self._written, call.out.storage}
        joined = {storage: self._operands.get(storage, set()) | together.get(storage, set()) for storage in {*self._operands, *together}}
        if any(len(joined[storage]) > 1 for storage in written):
            return "it reads what is written in another order of items"
        self._calls.append(call)
        self._operands, self._written = joined, written
        return None

    def groups(self, is_wanted: Callable[[int], bool]) -> Iterator[Group]:
        """The run as one call, or as it is.

        Args:
            is_wanted: whether the items of a storage are wanted after the run.
        """
        results = {call.out: None for call in self._calls if is_wanted(call.out.storage)}
        if len(self._calls) < 2 or not results:
            yield from [Group(call, (call,), self._apart) for call in self._calls]
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
            most = f"a kernel has {MOST_FUSED_OPERANDS} operands at most"
            first, second = _Run.of(self._calls[:half], self._apart), _Run.of(self._calls[half:], most)
            yield from first.groups(lambda storage: is_wanted(storage) or storage in second._operands)
            yield from second.groups(is_wanted)
            return
        slots = {operand: slot for slot, operand in enumerate(operands)}
        steps, temporaries = self._steps(slots)
        kernels = self._calls[0].kernels
        kernel = kernels.backend.fuse(steps, [operand.kernels.dtype for operand in operands], temporaries)
        name = "+".join(call.op for call in self._calls)
        yield Group(Call(name, {name: kernel}, operands[0], tuple(operands[1:]), {}), tuple(self._calls), self._apart)

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
