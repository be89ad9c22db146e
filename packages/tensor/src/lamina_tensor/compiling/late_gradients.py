"""Gradients that a run gives to leaves: made when its first kernel writes one of them, as those of the run before are gone then."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lamina_flatarray import FlatArray
from lamina_flatarray.twins import compiled
from lamina_ndarray.array_fields import empty_of
from lamina_ndarray.programs.program import fills_memory, maker
from lamina_ndarray.programs.recorder import Operand, Storage

from ..tensor_fields import AnyTensor, tensor_of
from .backward_programs import array_in

__all__ = ["LateGradients", "made_over"]


def made_over(kinds: list[tuple[Any, Any]], rows: list[tuple[FlatArray, int]]) -> list[AnyTensor]:
    """Make tensors, and put flat arrays over their memory.

    Args:
        kinds: the kernel table and the layout of each.
        rows: flat arrays, each with which of them it is put over.

    Returns:
        The tensors, in the order of `kinds`.
    """
    arrays = [empty_of(kernels, layout) for kernels, layout in kinds]
    for flat, which in rows:
        flat.memory = arrays[which].flat.memory
    return list(map(tensor_of, arrays))


if compiled is not None:
    made_over = compiled.made_over


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

    def made(self, rows: list[tuple[FlatArray, int]]) -> list[AnyTensor]:
        """Make them, and put flat arrays over their memory.

        Args:
            rows: flat arrays, each with the place of the storage that it lies in.

        Returns:
            The gradients, in the order in which leaves are given them.
        """
        if self._kinds is not None:
            return made_over(self._kinds, rows)
        arrays = [make() for make in self._makers]
        for flat, which in rows:
            flat.memory = arrays[which].flat.memory
        return [tensor_of(arrays[i] if is_whole else array_in(x, arrays[i].flat.memory)) for x, i, is_whole in self._given]
