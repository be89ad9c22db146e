"""Fusing: runs of maps, casts and reductions, each as one kernel of the backend's, whose values on the way have no memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from math import inf, prod
from types import MappingProxyType
from typing import Any, NamedTuple

from lamina_flatarray import DType
from lamina_flatarray.backends.kernel_table import origin
from lamina_flatarray.dtype_rules import DTYPE_RULES
from lamina_flatarray.fused_steps import (
    FUSED_COLUMNS,
    LONGEST_FUSED_ROW,
    MOST_FUSED_OPERANDS,
    MOST_TOTALED_ITEMS,
    FusedStep,
)
from lamina_flatarray.ops import OPS

from .in_place import taken_over
from .recorder import Call, Effect, Operand, moved, operands_in
from .rows import Row

__all__ = ["Group", "fused"]

_NUMBERS = (bool, int, float, complex)
_NO_BOUNDS = {"min": -inf, "max": inf}
_MOST_STEPS = 24
_MANY_ROWS = 129  # fewer are one piece of a total, on one thread, which no more than so few items are worth:
_FEW_ITEMS = 1 << 16


class Group(NamedTuple):
    """A call of a program, and the recorded ones that became it.

    Attributes:
        call: the call.
        parts: one recorded call, or several, which are steps of one kernel.
        apart: why it is not one kernel with the group before; None where that is the first, or nobody fuses with it.
        taken: from the number of a storage that it reads last to that of a result in its memory.
    """

    call: Call
    parts: tuple[Call, ...]
    apart: str | None
    taken: Mapping[int, int] = MappingProxyType({})

    @property
    def nbytes(self) -> int:
        """How many bytes it reads and writes."""
        return moved(self.call)

    @property
    def nbytes_apart(self) -> int:
        """How many bytes its parts would, one by one."""
        return sum(map(moved, self.parts))


def fused(calls: Sequence[Call], passes_on: Callable[[int], bool], is_own: Callable[[Operand], bool]) -> Iterator[Group]:
    """Calls that do what others do, with runs of maps, casts and reductions as one call each.

    Args:
        calls: the calls.
        passes_on: whether the items of a storage are wanted by others than the calls.
        is_own: whether an operand is all that is in memory that each run has for itself.
    """
    first: dict[int, Call] = {}
    for call in calls:
        for x in operands_in(call.out, call.inputs, call.params):
            first.setdefault(x.storage, call)
    last = {x.storage: place for place, call in enumerate(calls) for x in operands_in(call.out, call.inputs, call.params)}

    def wanted_from(place: int) -> Callable[[int], bool]:
        return lambda storage: passes_on(storage) or last[storage] >= place

    def is_new(x: Operand, call: Call) -> bool:
        return first[x.storage] is call and is_own(x)

    before, run = _Run(), _Run()  # what comes first does not meet what the other writes
    for place, call in enumerate(calls):
        alone = _alone(call)
        if alone is not None:
            yield from _groups_of((before, run), wanted_from(place), is_own, is_new)
            yield Group(call, (call,), alone)
            before, run = _Run(), _Run()
            continue
        apart = run.take(call)
        if apart is not None and run.may_follow(call):
            other = before.take(call)
            if other is not None:
                yield from before.groups(partial(_either, wanted_from(place), {*run.operands}), is_own, is_new)
                before = _Run(other)
                before.take(call)
        elif apart is not None:
            yield from _groups_of((before, run), wanted_from(place), is_own, is_new)
            before, run = _Run(), _Run(apart)
            run.take(call)
    yield from _groups_of((before, run), passes_on, is_own, is_new)


def _alone(call: Call) -> str | None:
    """Why a call is a kernel of its own; None where it may be a step of one."""
    op = OPS.get(call.op)
    if isinstance(call.kernels, Effect) or op is None:
        return "it is no op"
    if not op.is_elementwise and op.family != "reduce" and call.op != "copy":
        return f"{call.op} is neither elementwise nor a reduction"
    if op.is_elementwise and _numbers(call) is None:
        return f"{call.op} is given {', '.join(call.params)} by name"
    if not isinstance(call.out, Operand) or not all(isinstance(x, Operand) or type(x) in _NUMBERS for x in call.inputs):
        return f"{call.op} has operands that are neither arrays nor numbers"
    if not call.out.layout.size:
        return "there are no items"
    if call.op == "copy":
        return _no_cast(call)
    if call.op == "pow" and isinstance(call.inputs[1], Operand):
        return "a power by an array may be one by a number, which has loops of its own"
    backend, dtype = call.kernels.backend, call.kernels.dtype
    if origin(backend, call.op, dtype) != "native" or not backend.fuses(call.op, dtype):
        return f"{backend.name} does not fuse {call.op} of {dtype.name}"
    return _no_step(call) if op.family == "reduce" else None


def _numbers(call: Call) -> list[Any] | None:
    """The parameters of an elementwise call, which are more inputs of a step; a bound that is None is infinite. None where they are no
    numbers."""
    if not call.params:
        return []
    if call.kernels.dtype.kind != "f":
        return None
    numbers = [_NO_BOUNDS.get(name) if call.params[name] is None else call.params[name] for name in OPS[call.op].params]
    return numbers if all(type(x) in (int, float) for x in numbers) else None


def _reduces(call: Call) -> bool:
    return "axes" in call.params


def _no_cast(call: Call) -> str | None:
    """Why a copy is no cast within the memory of one backend; None where it is."""
    x, out = call.inputs[0].kernels, call.out.kernels
    if x.dtype is out.dtype:
        return "copy moves items of one dtype"
    if x.backend is not out.backend or x.index != out.index:
        return "copy moves items to another device"
    for dtype in (x.dtype, out.dtype):
        if origin(out.backend, "copy", dtype) != "native" or not out.backend.fuses("copy", dtype):
            return f"{out.backend.name} does not fuse casts of {dtype.name}"
    return None


def _no_step(call: Call) -> str | None:
    """Why a reduction is neither one of rows nor a total, as they lie in memory; None where it is."""
    x, axes = call.inputs[0].layout, call.params["axes"]
    if not x.contiguous or not call.out.layout.contiguous:
        return f"what {call.op} reduces is not row-major"
    if DTYPE_RULES[OPS[call.op].rule](call.kernels.dtype) != (call.inputs[0].kernels.dtype, call.out.kernels.dtype):
        return f"{call.op} gives another dtype than by itself"
    if _reduces_rows(call):
        return None
    if not axes or tuple(axes) != tuple(range(len(axes))):
        length = prod(x.shape[axis] for axis in axes)
        return f"{call.op} reduces axes {tuple(axes)}, {length} items: neither the first axes nor a row of 2 to {LONGEST_FUSED_ROW} items"
    items, columns = prod(x.shape[: len(axes)]), prod(x.shape[len(axes) :])
    if len(axes) == x.ndim:
        return None if 1 < items <= MOST_TOTALED_ITEMS else f"{items} items are reduced; a kernel takes 2 to {MOST_TOTALED_ITEMS}"
    if columns not in FUSED_COLUMNS or items == 1:
        return f"{columns} columns of {items} items are reduced; a kernel takes {FUSED_COLUMNS.start} to {FUSED_COLUMNS.stop - 1}"
    if items < _MANY_ROWS and items * columns > _FEW_ITEMS:
        return f"{items} rows are too few for several threads"
    return None


def _reduces_rows(call: Call) -> bool:
    """Whether a reduction is of the last axes, and of as many items as a row has."""
    shape, axes = call.inputs[0].layout.shape, tuple(call.params["axes"])
    is_last = axes == tuple(range(len(shape) - len(axes), len(shape)))
    return bool(axes) and is_last and 1 < prod(shape[-len(axes) :]) <= LONGEST_FUSED_ROW


def _is_total(call: Call) -> bool:
    return _reduces(call) and not _reduces_rows(call)


def _fitted(row: Row, call: Call) -> Call | None:
    """A call as `Row.fitted` gives it; a total as it is, if it is one of the whole shape."""
    if not _is_total(call):
        return row.fitted(call)
    return call if call.inputs[0].layout.shape == row.shape else None


def _either(is_wanted: Callable[[int], bool], later: set[int], storage: int) -> bool:
    return is_wanted(storage) or storage in later


def _groups_of(
    runs: Sequence[_Run], is_wanted: Callable[[int], bool], is_own: Callable[[Operand], bool], is_new: Callable[[Operand, Call], bool]
) -> Iterator[Group]:
    for place, run in enumerate(runs):
        later = {storage for other in runs[place + 1 :] for storage in other.operands}
        yield from run.groups(partial(_either, is_wanted, later), is_own, is_new)


class _Run:
    """Ops one after the other, of one shape and backend; reductions of rows of that shape, with what is done to their results; totals."""

    def __init__(self, apart: str | None = None) -> None:
        self._apart = apart
        self._calls: list[Call] = []
        self._fitted: list[Call] = []  # the same, on operands of the shapes that one kernel is given
        self._row: Row | None = None
        self.operands: dict[int, set[Operand]] = {}  # by storage
        self._written: set[int] = set()
        self._alone: str | None = None  # why its only call is no step of a kernel

    @staticmethod
    def several(calls: Sequence[Call], apart: str | None) -> list[_Run]:
        """The runs that calls make which may be steps."""
        runs = [_Run(apart)]
        for call in calls:
            apart = runs[-1].take(call)
            if apart is not None:
                runs.append(_Run(apart))
                runs[-1].take(call)
        return runs

    def take(self, call: Call) -> str | None:
        """Take a call into the run, or tell why it does not fit there; the first one is taken anyway."""
        if self._alone is not None:
            return self._alone
        reason = self._fits(call)
        if reason is not None and not self._calls:
            self._calls, self._fitted, self._alone = [call], [call], reason
            self.operands = {x.storage: {x} for x in operands_in(call.out, call.inputs)}
            self._written = {call.out.storage}
            return None
        return reason

    def _fits(self, call: Call) -> str | None:
        """Take a call as a step, or tell why it does not fit."""
        row = self._row
        if self._calls:
            first = self._calls[0]
            if len(self._calls) == _MOST_STEPS:
                return f"a kernel has {_MOST_STEPS} steps at most"
            if first.kernels.backend is not call.kernels.backend or first.kernels.index != call.kernels.index:
                return "it is on another device"
        is_total, totals = _is_total(call), [one for one in self._calls if _is_total(one)]
        first_axes = [len(one.params["axes"]) for one in (*totals, *[call] * is_total)]
        if len({*first_axes}) > 1:
            return f"it reduces the first {first_axes[-1]} axes, the kernel before {first_axes[0]}"
        if _reduces(call) and not is_total:
            own = Row(call.inputs[0].layout.shape, len(call.params["axes"]))
            if row not in (None, own):
                return f"it reduces {own}, the kernel before {row}"
            row = own
        if row is not None and first_axes and first_axes[0] > len(row.shape) - row.axes:
            return f"it reduces {row} and the first {first_axes[0]} axes"
        fitted = [*self._fitted, call]
        if row is not None:
            fitted = [one for one in map(partial(_fitted, row), [*self._calls, call]) if one is not None]
        shapes = [list((one.inputs[0] if _is_total(one) else one.out).layout.shape) for one in (*self._calls[:1], call)]
        if shapes[0] != shapes[-1] and (row is None or len(fitted) <= len(self._calls)):
            return f"the shapes are {shapes[0]} and {shapes[-1]}"
        others = [] if is_total else [x for x in operands_in(call.inputs) if x.layout.shape != call.out.layout.shape]
        if len(fitted) <= len(self._calls) or (row is None and others):
            return "an operand has another shape"
        operands: dict[int, set[Operand]] = {}
        for one in fitted:
            for operand in operands_in(one.out, one.inputs):
                operands.setdefault(operand.storage, set()).add(operand)
        written = {*self._written, call.out.storage}
        if any(len(operands[storage]) > 1 for storage in written):
            return "it reads what is written in another order of items"
        if {x.storage for x in operands_in(call.out, call.inputs)} & {one.out.storage for one in totals}:
            return "it reads or writes a total"
        if call.out.storage in {one.inputs[0].storage for one in totals}:
            return "it writes over what is reduced"
        self._calls.append(call)
        self._fitted, self._row, self.operands, self._written = fitted, row, operands, written
        return None

    def may_follow(self, call: Call) -> bool:
        """Whether a call of fewer items, as the cast of a bias is, may be made before the run instead of after it."""
        if not self._calls or call.out.layout.size >= max(one.out.layout.size for one in self._calls):
            return False
        reads_or_writes = {x.storage for x in operands_in(call.out, call.inputs)}
        return not reads_or_writes & self._written and call.out.storage not in self.operands

    def groups(
        self, is_wanted: Callable[[int], bool], is_own: Callable[[Operand], bool], is_new: Callable[[Operand, Call], bool]
    ) -> Iterator[Group]:
        """The run as one call, or as it is.

        Args:
            is_wanted: whether the items of a storage are wanted after the run.
            is_own: whether an operand is all that is in memory that each run has for itself.
            is_new: the same, and whether nobody used that memory before a call.
        """
        results = {call.out: None for call in self._fitted if is_wanted(call.out.storage)}
        if self._alone is not None or (len(self._calls) > 1 and not results):
            yield from [Group(call, (call,), self._apart) for call in self._calls]
            return
        needed = self._needed(is_wanted)
        if len(needed) < len(self._calls):
            yield from _groups_of(_Run.several(needed, self._apart), is_wanted, is_own, is_new)
            return
        inputs: dict[Operand, None] = {}
        made: set[int] = set()
        for call in self._fitted:
            for operand in operands_in(call.inputs):
                if operand.storage not in made and operand not in results:
                    inputs[operand] = None
            made.add(call.out.storage)
        over = taken_over(self._fitted, results, inputs, _is_total, lambda x: is_own(x) and not is_wanted(x.storage),
                          lambda x, place: is_new(x, self._calls[place]))  # fmt: skip
        taken = {x.storage: result.storage for x, result in over.items()}
        if len(self._calls) < 2:
            yield from [Group(call, (call,), self._apart, taken) for call in self._calls]
            return
        operands = [*sorted(results, key=lambda x: -x.layout.size), *[x for x in inputs if x not in over]]
        if len(operands) > MOST_FUSED_OPERANDS:
            half = len(self._calls) // 2
            most = f"a kernel has {MOST_FUSED_OPERANDS} operands at most"
            runs = [*_Run.several(self._calls[:half], self._apart), *_Run.several(self._calls[half:], most)]
            yield from _groups_of(runs, is_wanted, is_own, is_new)
            return
        slots = {operand: slot for slot, operand in enumerate(operands)}
        slots |= {x: slots[result] for x, result in over.items()}
        steps, temporaries = self._steps(slots, len(operands))
        kernels = self._calls[0].kernels
        kernel = kernels.backend.fuse(steps, [operand.kernels.dtype for operand in operands], temporaries)
        name = "+".join(call.op for call in self._calls)
        yield Group(Call(name, {name: kernel}, operands[0], tuple(operands[1:]), {}), tuple(self._calls), self._apart, taken)

    def _needed(self, is_wanted: Callable[[int], bool]) -> list[Call]:
        """The calls of which anybody reads something: a total that nobody does has nowhere to go but to memory."""
        needed: list[Call] = []
        read: set[int] = set()
        for call in reversed(self._calls):
            if len(self._calls) == 1 or is_wanted(call.out.storage) or call.out.storage in read:
                needed.insert(0, call)
                read |= {x.storage for x in operands_in(call.inputs)}
        return needed

    def _steps(self, slots: dict[Operand, int], operands: int) -> tuple[list[FusedStep], list[DType]]:
        """The steps, and the dtypes of what has no memory; such a slot is used again when its value is not needed any more."""
        last = {x: place for place, call in enumerate(self._fitted) for x in operands_in(call.out, call.inputs)}
        totaled = {call.inputs[0] for call in self._fitted if _is_total(call)}  # it is reduced after all steps
        free: dict[tuple[DType, int], list[int]] = {}
        temporaries: list[DType] = []
        steps: list[FusedStep] = []
        for place, call in enumerate(self._fitted):
            given = call.inputs if _reduces(call) else (*call.inputs, *(_numbers(call) or ()))
            inputs: tuple[Any, ...] = tuple([(slots[x],) if isinstance(x, Operand) else x for x in given])
            for x in set(operands_in(call.inputs)):
                if slots[x] >= operands and last[x] == place and x not in totaled:
                    free.setdefault((x.kernels.dtype, x.layout.size), []).append(slots[x])
            if call.out not in slots:
                dtype = call.out.kernels.dtype
                spare = free.get((dtype, call.out.layout.size))
                slots[call.out] = spare.pop() if spare else operands + len(temporaries)
                if slots[call.out] == operands + len(temporaries):
                    temporaries.append(dtype)
            dtype = call.out.kernels.dtype if call.op == "copy" else call.kernels.dtype
            params = call.params if _reduces(call) else {}
            steps.append(FusedStep(call.op, dtype, slots[call.out], inputs, params, _is_total(call)))
        return steps, temporaries
