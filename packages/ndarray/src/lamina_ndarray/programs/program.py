"""Program: recorded kernel calls over memory of their own, made again without what decided on them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Any, Final, NamedTuple, TypeAlias

from lamina_flatarray import FlatArray, Strided
from lamina_flatarray.twins import compiled

from ..array_fields import array_of, empty_of
from .arena import Arena
from .constants import without_constants
from .fusing import Group, fused
from .in_place import followed
from .recomputing import recomputed
from .recorder import Call, Effect, Numbers, Operand, Storage, mapped, operands_in, renumbered

__all__ = [
    "CONSTANT", "GIVEN", "KEPT", "LATE", "SCRATCH", "STATE", "KernelCall", "Maker", "Program", "Role", "fills_memory", "maker", "run",
]  # fmt: skip

GIVEN: Final = "given"
"""Memory that each run is given: an argument's, or what an earlier program kept."""
STATE: Final = "state"
"""Memory that stays: of a parameter, a buffer or another tensor that the program's function refers to."""
CONSTANT: Final = "constant"
"""Memory with numbers that Python wrote."""
KEPT: Final = "kept"
"""Memory that each run makes anew, as somebody has it afterwards."""
LATE: Final = "late"
"""Such memory of a leaf's gradient, which is made when it is first needed: the gradients of the run before are gone then."""
SCRATCH: Final = "scratch"
"""Memory that is over with the run."""

_ALIGNED: Final = 64
"""Places in an arena are multiples of this many bytes, as those are that backends give out."""

Role: TypeAlias = tuple[str, Any]
"""What a storage is to a program; with it: which of the given ones and from which byte of it on, which of the kept ones, or the flat array
that stays."""


Maker: TypeAlias = Callable[[], Any]

Doing: TypeAlias = tuple[Callable[..., None], tuple[Any, ...]]
"""A function, and the operands that it is called with."""

Bound: TypeAlias = tuple[str, Any, tuple[Any, ...], tuple[str, ...] | None]
"""A call: the op, its table, the arguments by position and then those by name, and their names."""


def run(
    given_rows: Sequence[tuple[FlatArray, int, int]], given: Sequence[tuple[Any, int]], kept_rows: Sequence[tuple[FlatArray, int]],
    kept: Sequence[Any], calls: Sequence[Bound], moving: Sequence[Any],
) -> None:  # fmt: skip
    """Make kernel calls on arrays that are put over memory before, and leave it after.

    Args:
        given_rows: flat arrays over what is given: which, and how many bytes after its beginning.
        given: memory, and the byte where it begins.
        kept_rows: flat arrays over what is kept, and which.
        kept: memory.
        calls: the calls.
        moving: the arrays over these flat arrays.
    """
    try:
        for flat, place, offset in given_rows:
            flat.memory, start = given[place]
            flat.offset = start + offset
        for flat, place in kept_rows:
            flat.memory = kept[place]
        for op, kernels, operands, names in calls:
            if names is None:
                kernels[op](*operands)
            else:
                by_position = len(operands) - len(names)
                kernels[op](*operands[:by_position], **dict(zip(names, operands[by_position:], strict=True)))
    finally:  # what was given or kept is others'
        for array in moving:
            array.native = array.flat.memory = None


if compiled is not None:
    run = compiled.run


class Program:
    """Kernel calls in the order in which they were recorded.

    What is over with a run lies in an arena, where storages that are not needed at the same time lie in one place.

    Args:
        recorded: the calls.
        storages: the memory that they meet.
        roles: what each storage is to the program.
        arena: where what is over with a run lies.
        effect: gives the function that does what an effect does, or what several do that join, of the arrays that it reads; None where
            there are no effects.
        make: gives, of rows of a flat array and which late memory, the function that makes that memory in a run and puts them over it;
            None where there is none.

    Attributes:
        calls: the calls.
        kernels: how many of them are kernels'.
        scratch_bytes: the bytes of the arena that it uses.
        unshared_bytes: what they would be if no two storages shared any.
    """

    def __init__(
        self, recorded: Sequence[Call], storages: Sequence[Storage], roles: Sequence[Role], arena: Arena,
        effect: Callable[[Sequence[Call]], Doing] | None = None,
        make: Callable[[list[tuple[FlatArray, int]]], Callable[[], None]] | None = None,
    ) -> None:  # fmt: skip
        self._storages, self.roles = storages, roles
        calls, more = recomputed(recorded, storages, lambda number: roles[number][0] == SCRATCH, self._fills)
        self._storages, self.roles = [*storages, *more], [*roles, *[(SCRATCH, None)] * len(more)]
        calls, constants = without_constants(calls, lambda x: self.roles[x.storage][0] == SCRATCH and self._fills(x))
        for number, flat in constants.items():
            self.roles[number] = CONSTANT, flat
        self._groups = list(fused(calls, lambda number: self.roles[number][0] != SCRATCH, self._is_own))
        self._effect = effect
        self._flats: dict[tuple[int, int, int, Any], FlatArray] = {}
        self._arrays: dict[tuple[Any, Any, bool], Any] = {}
        self._given_rows: list[tuple[FlatArray, int, int]] = []
        self._kept_rows: list[tuple[FlatArray, int]] = []
        self._late_rows: list[tuple[FlatArray, int]] = []
        self._places: dict[int, tuple[Any, int]] = {}  # of scratch storages: memory, and where they begin in it
        self.scratch_bytes = self.unshared_bytes = 0
        self._put_in_place()
        calls = [group.call for group in self._groups]
        self._share(calls, arena)
        runs = list(_joined(calls))
        self.calls = [self._bound(run) for run in runs]
        self.kernels = sum(not isinstance(call.kernels, Effect) for call in calls)
        if make is not None and self._late_rows:
            late = {number for number, role in enumerate(roles) if role[0] == LATE}
            first = next(i for i, run in enumerate(runs) if late & {x.storage for x in _operands(run)})
            self.calls.insert(first, (LATE, {LATE: make(self._late_rows)}, (), None))
        moving = {id(flat) for flat, *_ in (*self._given_rows, *self._kept_rows, *self._late_rows)}
        self._moving = [array for array in self._arrays.values() if id(array.flat) in moving]

    def steps(self) -> list[KernelCall]:
        """Return what is told of each kernel call."""
        return [_told(group) for group in self._groups if not isinstance(group.call.kernels, Effect)]

    def rows(self) -> tuple[list[tuple[FlatArray, int, int]], list[tuple[FlatArray, int]], list[Bound], list[Any]]:
        """Return what the function `run` is told beside memory: rows of what is given and kept, the calls, and the arrays over these."""
        return self._given_rows, self._kept_rows, self.calls, self._moving

    def run(self, given: Sequence[tuple[Any, int]], kept: Sequence[Any]) -> None:
        """Make the calls.

        Args:
            given: per given storage, its memory and the byte where it begins.
            kept: per kept storage, memory for it.
        """
        run(self._given_rows, given, self._kept_rows, kept, self.calls, self._moving)

    def _is_own(self, operand: Operand) -> bool:
        return self.roles[operand.storage][0] in (SCRATCH, KEPT) and self._fills(operand)

    def _fills(self, operand: Operand) -> bool:
        return fills_memory(operand, self._storages[operand.storage])

    def _put_in_place(self) -> None:
        """Let what is read for the last time lie in the memory of the result that takes its place."""
        used = {x.storage for group in self._groups for x in operands_in(group.call.out, group.call.inputs, group.call.params)}
        self.unshared_bytes = sum(self._storages[number].nbytes for number in used if self.roles[number][0] == SCRATCH)
        taken = {number: into for group in self._groups for number, into in group.taken.items()}
        lies = followed(range(len(self._storages)), taken)
        self._groups = [group._replace(call=renumbered(group.call, lies)) for group in self._groups]

    def _bound(self, run: Sequence[Call]) -> Bound:
        call = run[0]
        if self._effect is not None and isinstance(call.kernels, Effect):
            function, reads = self._effect(run)
            return call.op, {call.op: function}, self._with_arrays(reads), None
        params = self._with_arrays(call.params)
        operands = (self._with_arrays(call.out), *self._with_arrays(call.inputs), *params.values())
        return call.op, call.kernels, operands, tuple(params) or None

    def _with_arrays(self, value: Any) -> Any:
        return mapped(value, self._bound_value)

    def _bound_value(self, value: Any) -> Any:
        if isinstance(value, Operand):
            return self._array(value)
        return value.array if isinstance(value, Numbers) else value

    def _array(self, operand: Operand) -> Any:
        flat = self._flat(operand)
        key = (id(flat), operand.layout, operand.plain)
        if key not in self._arrays:
            self._arrays[key] = (array_of if operand.plain else Strided)(flat, operand.layout)
        return self._arrays[key]

    def _flat(self, operand: Operand) -> FlatArray:
        key = (operand.storage, operand.offset, operand.size, operand.kernels)
        if key in self._flats:
            return self._flats[key]
        kind, which = self.roles[operand.storage]
        memory, begin = which.memory if kind in (STATE, CONSTANT) else None, 0
        if kind == SCRATCH:
            memory, begin = self._places[operand.storage]
        flat = FlatArray(memory, begin + operand.offset, operand.size, operand.kernels)
        if kind == GIVEN:
            place, start = which
            self._given_rows.append((flat, place, operand.offset - start))
        elif kind == KEPT:
            self._kept_rows.append((flat, which))
        elif kind == LATE:
            self._late_rows.append((flat, which))
        self._flats[key] = flat
        return flat

    def _share(self, calls: Sequence[Call], arena: Arena) -> None:
        """Give each scratch storage a place in the arena of its backend, which is its own from its first call to its last.

        The largest get the lowest place that is free in their time (Pisarchyk & Lee 2020, "greedy by size").
        """
        spans: dict[int, list[int]] = {}
        for place, call in enumerate(calls):
            for operand in operands_in(call.out, call.inputs, call.params):
                if self.roles[operand.storage][0] == SCRATCH:
                    spans.setdefault(operand.storage, [place, place])[1] = place
        arenas: dict[Any, list[tuple[int, int, int]]] = {}  # by the table that gives memory: storage, begin and end
        for number in sorted(spans, key=lambda number: -self._storages[number].nbytes):
            storage, (first, last) = self._storages[number], spans[number]
            size = -(-storage.nbytes // _ALIGNED) * _ALIGNED
            placed = arenas.setdefault((storage.kernels.backend, storage.kernels.index), [])
            begin = 0
            for other, start, end in sorted(placed, key=lambda row: row[1]):
                if spans[other][0] <= last and first <= spans[other][1]:
                    if start - begin >= size:
                        break
                    begin = max(begin, end)
            placed.append((number, begin, begin + size))
        for placed in arenas.values():
            nbytes = max(end for _, _, end in placed)
            memory = arena.memory(self._storages[placed[0][0]].kernels, nbytes)
            self.scratch_bytes += nbytes
            self._places.update((number, (memory, begin)) for number, begin, _ in placed)


def _joined(calls: Sequence[Call]) -> Iterator[list[Call]]:
    """Each call by itself, but effects that follow one another, and join, together."""
    for _, run in groupby(enumerate(calls), lambda numbered: type(numbered[1].kernels) if _joins(numbered[1]) else numbered[0]):
        yield [call for _, call in run]


def _joins(call: Call) -> bool:
    return isinstance(call.kernels, Effect) and call.kernels.joins


def _operands(run: Sequence[Call]) -> Iterator[Operand]:
    for call in run:
        yield from operands_in(call.out, call.inputs, call.params)


class KernelCall(NamedTuple):
    """What is told of a kernel call of a program.

    Attributes:
        ops: the ops that it does.
        dtype: of its result.
        shape: of its result.
        nbytes: the bytes that it reads and writes.
        nbytes_apart: those that its ops would, one by one.
        apart: why it is not one kernel with the call before; None where there is none, or nothing to join.
    """

    ops: tuple[str, ...]
    dtype: str
    shape: tuple[int, ...]
    nbytes: int
    nbytes_apart: int
    apart: str | None


def _told(group: Group) -> KernelCall:
    out, ops = next(operands_in(group.call.out)), tuple([part.op for part in group.parts])
    return KernelCall(ops, out.kernels.dtype.name, tuple(out.layout.shape), group.nbytes, group.nbytes_apart, group.apart)


def fills_memory(operand: Operand, storage: Storage) -> bool:
    """Return whether an operand's items are all that its storage holds, from the beginning.

    Args:
        operand: the operand.
        storage: what it lies in.
    """
    layout = operand.layout
    whole: bool = operand.offset == layout.offset == 0 and layout.is_dense()
    return whole and layout.size * operand.kernels.itemsize == storage.nbytes


def maker(operand: Operand, storage: Storage) -> Maker:
    """Return what makes a new array of what an operand is, over as much memory as its storage has.

    Args:
        operand: a result of a program, or what it keeps.
        storage: what it lies in.
    """
    kernels, layout, nbytes = operand.kernels, operand.layout, storage.nbytes
    if fills_memory(operand, storage):
        return lambda: empty_of(kernels, layout)
    begin, size = operand.offset, operand.size
    return lambda: array_of(FlatArray(kernels.allocate(nbytes), begin, size, kernels), layout)
