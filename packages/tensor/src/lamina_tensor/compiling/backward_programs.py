"""BackwardProgram: a recorded backward pass as a program, from gradients of results to those of what the function is given."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from lamina_flatarray import FlatArray
from lamina_ndarray import NDArray
from lamina_ndarray.array_fields import array_of, empty_of
from lamina_ndarray.layouts.layout import Layout
from lamina_ndarray.programs.program import GIVEN, KEPT, SCRATCH, Maker, Program, Role, fills_memory, maker
from lamina_ndarray.programs.recorder import Call, Operand, Storage, mapped, operands_in

from ..autograd.rules import Gradients
from .plain_calls import PlainPass, plain_pass
from .recordings.recording import Pass

__all__ = ["BackwardProgram", "array_in"]

_MADE: Final = "made"
"""Of a gradient: all that the memory holds which the pass made for it."""


class _Gradient(NamedTuple):
    """Where a gradient lies after a pass.

    Attributes:
        operand: what it is.
        kind: of its memory: one that was given, that the pass makes, or that stays.
        which: which of these, or the flat array that stays.
        start: the byte of that memory from which on offsets count.
    """

    operand: Operand
    kind: str
    which: Any
    start: int


class BackwardProgram:
    """One recorded pass. It is given what the forward program was given and kept, and the gradients of the results.

    The gradient of a sum or a mean is one number in place of all items. A program of its own reads that, which is made when it is met.

    Args:
        one: the pass.
        calls: its calls.
        storages: the memory that they meet.
        roles: what each storage is to them, but for the gradients that they begin with and give.
        given: how many memories are given before those of the gradients.
        program_of: makes a program of calls and roles.

    Attributes:
        program: the program.
        there: of which results there are gradients.
        plain: what `plain_pass` runs of the passes from gradients that were met.
    """

    def __init__(
        self, one: Pass, calls: Sequence[Call], storages: Sequence[Storage], roles: Sequence[Role], given: int,
        program_of: Callable[[Sequence[Call], Sequence[Role]], Program],
    ) -> None:  # fmt: skip
        own = list(roles)
        for i, seed in enumerate(one.seeds):
            if seed is not None:
                own[seed.storage] = (GIVEN, (given + i, 0))
        gradients = [x for x in one.gradients if x is not None]
        made = list(dict.fromkeys(x.storage for x in gradients if own[x.storage][0] == SCRATCH))
        for i, number in enumerate(made):
            own[number] = (KEPT, i)
        self.program = program_of(calls, own)
        self.there = [seed is not None for seed in one.seeds]
        self._seeds = one.seeds
        lie = [x.storage for x in gradients]
        self._makers: list[Maker] = []
        for number in made:
            first = next(x for x in gradients if x.storage == number)
            self._makers.append(maker(first, storages[number]))
        self._gradients = [None if x is None else self._place(x, lie.count(x.storage) == 1) for x in one.gradients]
        are_own = len(made) == len(lie) == len(set(lie))
        self._own = [None if x is None else x.which for x in self._gradients] if are_own else None
        are_whole = are_own and all(fills_memory(x, storages[x.storage]) for x in gradients)
        self._seed = one.seeds[0] if are_whole and len(one.seeds) == 1 else None  # of a pass that takes no more than `plain_pass`
        self._results = [(x.kernels, x.layout) for x in gradients]
        self.plain: list[PlainPass] = []
        self._plain: PlainPass | None = None
        self._spread_layouts = _spread_layouts(one, calls)
        self._make_of_spread: Callable[[], BackwardProgram] = lambda: BackwardProgram(
            *_of_spread(one, calls), storages, roles, given, program_of
        )
        self._of_spread: BackwardProgram | None = None

    def _place(self, operand: Operand, is_alone: bool) -> _Gradient:
        kind, which = self.program.roles[operand.storage]
        if kind == KEPT:
            return _Gradient(operand, _MADE if is_alone else KEPT, which, 0)
        return _Gradient(operand, kind, which[0], -which[1]) if kind == GIVEN else _Gradient(operand, kind, which, 0)

    def fitted(self, gradients: Sequence[NDArray | None]) -> list[NDArray | None]:
        """Return gradients of the results as the pass begins with them.

        Args:
            gradients: one for each result; None where there is none.
        """
        return [None if seed is None else _fitted(x, seed) for x, seed in zip(gradients, self._seeds, strict=True)]

    def run(self, gradients: Sequence[NDArray | None], given: list[tuple[Any, int]], lock: Any) -> list[Any] | Gradients:
        """Run the pass.

        Args:
            gradients: as for `fitted`.
            given: memory that the forward program was given or kept, and the byte where it begins.
            lock: what is held during a run.

        Returns:
            The gradients; in `Gradients` where each has memory of its own.
        """
        if self._spread_layouts is not None and [None if x is None else x.layout for x in gradients] == self._spread_layouts:
            if self._of_spread is None:
                self._of_spread = self._make_of_spread()
                self._of_spread.plain = self.plain
            return self._of_spread.run(gradients, given, lock)
        if self._seed is not None:
            if self._plain is None:
                places = [*(self._own or ())]
                self._plain = PlainPass(self._seed.kernels, self._seed.layout, self._results, places, *self.program.rows(), lock)
                self.plain.append(self._plain)
            done = plain_pass(self._plain, gradients[0], given)
            if done is not None:
                return done
        memories = [*given, *[(None, 0) if x is None else (x.flat.memory, x.flat.offset) for x in self.fitted(gradients)]]
        arrays = [make() for make in self._makers]
        with lock:
            self.program.run(memories, [x.flat.memory for x in arrays])
        if self._own is not None:
            return Gradients([None if which is None else arrays[which] for which in self._own])
        results: list[Any] = []
        for place in self._gradients:
            if place is None:
                results.append(None)
            elif place.kind == _MADE:
                results.append(arrays[place.which])
            elif place.kind == GIVEN:
                memory, begin = memories[place.which]
                results.append(array_in(place.operand, memory, begin + place.start))
            else:
                results.append(array_in(place.operand, (arrays[place.which].flat if place.kind == KEPT else place.which).memory))
        return results


def _spread_layouts(one: Pass, calls: Sequence[Call]) -> list[Layout | None] | None:
    """How gradients lie of which each is one number; None where such a pass is none of its own."""
    seeds = {seed.storage: seed for seed in one.seeds if seed is not None}
    read = [x for call in calls for x in operands_in(call.inputs, call.params) if x.storage in seeds]
    written = any(x.storage in seeds for call in calls for x in operands_in(call.out))
    returned = any(x is not None and x.storage in seeds for x in one.gradients)
    if written or returned or any(x.kernels is not seeds[x.storage].kernels for x in read):
        return None
    layouts = [None if seed is None else _spread(seed).layout for seed in one.seeds]
    return None if layouts == [None if seed is None else seed.layout for seed in one.seeds] else layouts


def _of_spread(one: Pass, calls: Sequence[Call]) -> tuple[Pass, list[Call]]:
    """A pass that begins with gradients of which each is one number. Whatever part of such a gradient a call reads is that number."""
    seeds = {seed.storage for seed in one.seeds if seed is not None}

    def of_spread(value: Any) -> Any:
        return _spread(value) if isinstance(value, Operand) and value.storage in seeds else value

    changed = [Call(x.op, x.kernels, x.out, mapped(x.inputs, of_spread), mapped(x.params, of_spread)) for x in calls]
    return Pass(one.begin, one.end, mapped(one.seeds, of_spread), one.gradients), changed


def _spread(operand: Operand) -> Operand:
    """An operand of which all items are the first of its storage."""
    shape = operand.layout.shape
    return operand._replace(offset=0, size=1, layout=Layout.of(shape, (0,) * len(shape), 0))


def array_in(operand: Operand, memory: Any, start: int = 0) -> NDArray:
    """Return a new array of what an operand is.

    Args:
        operand: the operand.
        memory: the memory of its storage.
        start: the byte from which on offsets count.
    """
    return array_of(FlatArray(memory, start + operand.offset, operand.size, operand.kernels), operand.layout)


def _fitted(gradient: NDArray | None, seed: Operand) -> NDArray:
    """A gradient as it lay when the pass was recorded; zeros where there is none."""
    if gradient is not None and gradient.layout in (seed.layout,) and gradient.flat.kernels is seed.kernels:  # mostly the very one
        return gradient
    fitted = empty_of(seed.kernels, seed.layout)
    if gradient is None:
        seed.kernels["fill"](fitted, value=0.0)
    else:
        seed.kernels["copy"](fitted, gradient)
    return fitted
