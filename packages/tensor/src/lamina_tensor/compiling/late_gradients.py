"""Gradients that a run gives to leaves: made when its first kernel writes one of them, as those of the run before are gone then."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from lamina_flatarray import FlatArray
from lamina_flatarray.twins import compiled
from lamina_ndarray.array_fields import empty_of
from lamina_ndarray.programs.program import fills_memory, maker
from lamina_ndarray.programs.recorder import Operand, Storage

from ..autograd.accumulation import accumulating
from ..tensor_fields import AnyTensor, tensor_of
from .backward_programs import array_in

__all__ = ["LateGradients", "give_made", "make_over"]

_LITTLE: Final = 65_536
"""Bytes of all gradients of a program at most that stay after a run: to make little ones anew takes longer than what they are for."""


def make_over(
    kinds: list[tuple[Any, Any]], rows: list[tuple[FlatArray, int]], made: list[AnyTensor], before: list[AnyTensor] | None
) -> None:  # fmt: skip
    """Make tensors, and put flat arrays over their memory.

    Args:
        kinds: the kernel table and the layout of each.
        rows: flat arrays, each with which of them it is put over.
        made: where the tensors are written, in the order of `kinds`.
        before: those of the run before, and afterwards of this one: compiled code makes none anew that nobody else has. None where none are
            kept.
    """
    arrays = [empty_of(kernels, layout) for kernels, layout in kinds]
    for flat, which in rows:
        flat.memory = arrays[which].flat.memory
    made[:] = map(tensor_of, arrays)


def give_made(lock: Any, leaves: list[AnyTensor], made: list[AnyTensor]) -> None:
    """Give leaves the first of the tensors that were made, which are taken away.

    Args:
        lock: what is held meanwhile.
        leaves: the leaves.
        made: the tensors.
    """
    with lock:
        for leaf, gradient in zip(leaves, made, strict=False):
            leaf._grad = gradient
    del made[: len(leaves)]


if compiled is not None:
    make_over, give_made = compiled.make_over, compiled.give_made


class LateGradients:
    """The gradients of a program.

    Args:
        gradients: what leaves are given, in this order.
        storages: what they lie in.

    Attributes:
        places: of each storage that they lie in, which of them it is.
    """

    def __init__(self, gradients: Sequence[Operand], storages: Sequence[Storage]) -> None:
        wholes = {x.storage: x for x in gradients}
        self.places = {number: i for i, number in enumerate(wholes)}
        self._given = [(x, self.places[x.storage], x is wholes[x.storage]) for x in gradients]
        self._makers = [maker(x, storages[x.storage]) for x in wholes.values()]
        apart = len(wholes) == len(gradients) and all(fills_memory(x, storages[x.storage]) for x in gradients)
        self._kinds = [(x.kernels, x.layout) for x in gradients] if apart else None
        self._made: list[AnyTensor] = []  # in a run, and not given yet
        nbytes = sum(storages[number].nbytes for number in wholes)
        self._before: list[AnyTensor] | None = [] if nbytes <= _LITTLE else None

    def making(self, rows: list[tuple[FlatArray, int]]) -> Callable[[], None]:
        """Return a function that makes them, and puts flat arrays over their memory.

        Args:
            rows: flat arrays, each with the place of the storage that it lies in.
        """
        return partial(self._make, rows) if self._kinds is None else partial(make_over, self._kinds, rows, self._made, self._before)

    def giving(self, leaves: Sequence[tuple[AnyTensor | int, bool]], arguments: Callable[[], Sequence[AnyTensor]]) -> Callable[[], None]:
        """Return a function that gives leaves their gradients.

        Args:
            leaves: tensors, or places among the arguments; and whether each is given the next gradient, or None.
            arguments: returns the arguments of the call.
        """
        known = [leaf for leaf, is_given in leaves if is_given and not isinstance(leaf, int)]
        return partial(give_made, accumulating, known, self._made) if len(known) == len(leaves) else partial(self._give, leaves, arguments)

    def _make(self, rows: list[tuple[FlatArray, int]]) -> None:
        arrays = [make() for make in self._makers]
        for flat, which in rows:
            flat.memory = arrays[which].flat.memory
        self._made[:] = [tensor_of(arrays[i] if is_whole else array_in(x, arrays[i].flat.memory)) for x, i, is_whole in self._given]

    def _give(self, leaves: Sequence[tuple[AnyTensor | int, bool]], arguments: Callable[[], Sequence[AnyTensor]]) -> None:
        with accumulating:
            for leaf, is_given in leaves:
                target = arguments()[leaf] if isinstance(leaf, int) else leaf
                target._grad = self._made.pop(0) if is_given else None
