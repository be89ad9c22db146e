"""Program: recorded kernel calls over memory of their own, made again without what decided on them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

from lamina_flatarray import FlatArray, Strided
from lamina_flatarray.twins import compiled
from lamina_ndarray.array_fields import array_of

from .effects import Action, Given
from .fusing import fused
from .recorder import Call, Numbers, Operand, Recorder, mapped, operands_in

__all__ = ["CONSTANT", "GIVEN", "KEPT", "SCRATCH", "STATE", "Program", "Role"]

GIVEN: Final = "given"
"""Memory that each run is given: an argument's, or what an earlier program kept."""
STATE: Final = "state"
"""Memory that stays: of a parameter, a buffer or another tensor that the program's function refers to."""
CONSTANT: Final = "constant"
"""Memory with numbers that Python wrote."""
KEPT: Final = "kept"
"""Memory that each run makes anew, as somebody has it afterwards."""
SCRATCH: Final = "scratch"
"""Memory that is over with the run."""

Role: TypeAlias = tuple[str, Any]
"""What a storage is to a program; with it: which of the given ones and from which byte of it on, which of the kept ones, or the flat array
that stays."""


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

    What is over with a run lies in blocks that stay, shared by storages that are not needed at the same time.

    Args:
        recorder: what the calls were recorded by.
        begin, end: which of its calls are the program's.
        roles: what each storage of the recorder is to the program.
        effect: gives the function that does what a call that is no kernel's does.

    Attributes:
        calls: the calls.
        kernels: how many of them are kernels'.
        scratch_bytes: the bytes of all blocks.
        unshared_bytes: what they would be if no two storages shared one.
    """

    def __init__(
        self, recorder: Recorder, begin: int, end: int, roles: Sequence[Role], effect: Callable[[Call], Callable[[], None]]
    ) -> None:
        calls = list(fused(recorder.calls[begin:end], lambda number: roles[number][0] != SCRATCH))
        self._storages = recorder.storages
        self.roles = roles
        self._effect = effect
        self._flats: dict[tuple[int, int, int, Any], FlatArray] = {}
        self._arrays: dict[tuple[Any, Any, bool], Any] = {}
        self._given_rows: list[tuple[FlatArray, int, int]] = []
        self._kept_rows: list[tuple[FlatArray, int]] = []
        self._blocks: dict[int, Any] = {}
        self.scratch_bytes = self.unshared_bytes = 0
        self._share(calls)
        self.calls = [self._bound(call) for call in calls]
        self.kernels = sum(not isinstance(call.kernels, (Action, Given)) for call in calls)
        moving = {id(flat) for flat, *_ in (*self._given_rows, *self._kept_rows)}
        self._moving = [array for array in self._arrays.values() if id(array.flat) in moving]

    def run(self, given: Sequence[tuple[Any, int]], kept: Sequence[Any]) -> None:
        """Make the calls.

        Args:
            given: per given storage, its memory and the byte where it begins.
            kept: per kept storage, memory for it.
        """
        run(self._given_rows, given, self._kept_rows, kept, self.calls, self._moving)

    def _bound(self, call: Call) -> Bound:
        if isinstance(call.kernels, (Action, Given)):
            return call.op, {call.op: self._effect(call)}, (), None
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
        memory = self._blocks[operand.storage] if kind == SCRATCH else which.memory if kind in (STATE, CONSTANT) else None
        flat = FlatArray(memory, operand.offset, operand.size, operand.kernels)
        if kind == GIVEN:
            place, begin = which
            self._given_rows.append((flat, place, operand.offset - begin))
        elif kind == KEPT:
            self._kept_rows.append((flat, which))
        self._flats[key] = flat
        return flat

    def _share(self, calls: Sequence[Call]) -> None:
        """Give each scratch storage a block, which it has from its first call to its last."""
        spans: dict[int, list[int]] = {}

        for place, call in enumerate(calls):
            for operand in operands_in(call.out, call.inputs, call.params):
                if self.roles[operand.storage][0] == SCRATCH:
                    spans.setdefault(operand.storage, [place, place])[1] = place
        blocks: list[list[Any]] = []  # bytes, the place of the last call that uses it, the storages that share it
        for number, (first, last) in sorted(spans.items(), key=lambda item: item[1][0]):
            storage = self._storages[number]
            self.unshared_bytes += storage.nbytes
            free = [block for block in blocks if block[1] < first and block[3] is storage.kernels.backend]
            fits = [block for block in free if block[0] >= storage.nbytes]
            block = min(fits, key=lambda block: block[0]) if fits else max(free, key=lambda block: block[0], default=None)
            if block is None:
                block = [0, 0, [], storage.kernels.backend, storage.kernels.allocate]
                blocks.append(block)
            block[0] = max(block[0], storage.nbytes)
            block[1] = last
            block[2].append(number)
        for nbytes, _, numbers, _, allocate in blocks:
            memory = allocate(nbytes)
            self.scratch_bytes += nbytes
            for number in numbers:
                self._blocks[number] = memory
