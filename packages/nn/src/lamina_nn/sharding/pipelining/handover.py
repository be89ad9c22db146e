"""Activations and their gradients between two stages of one process."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from lamina_ndarray import NDArray
from lamina_tensor import Tensor

from ...process_groups.work import Work
from .messages import Arrival

__all__ = ["Handover"]


class Handover:
    """Stand for the other one of two stages of this process, as a `Neighbour` does for one of another process."""

    def __init__(self) -> None:
        self._open: dict[tuple[Literal["activations", "gradients"], int], tuple[list[NDArray], list[bool]]] = {}

    def send_activations(self, chunk: int, tensors: Sequence[Tensor]) -> Work:
        """Hand over the outputs of a micro-batch.

        Args:
            chunk: the micro-batch.
            tensors: the outputs.
        """
        return self._given("activations", chunk, tensors)

    def receive_activations(self, chunk: int) -> Arrival:
        """Take the inputs of a micro-batch, which are there when they are waited for.

        Args:
            chunk: the micro-batch.
        """
        return Arrival(Work(), *self._meeting("activations", chunk))

    def send_gradients(self, chunk: int, gradients: Sequence[Tensor]) -> Work:
        """Hand over the gradients of those inputs of a micro-batch for which they are wanted.

        Args:
            chunk: the micro-batch.
            gradients: one for each.
        """
        return self._given("gradients", chunk, gradients)

    def receive_gradients(self, chunk: int, outputs: Sequence[Tensor]) -> Arrival:
        """Take the gradients of those outputs of a micro-batch that want them.

        Args:
            chunk: the micro-batch.
            outputs: those outputs.
        """
        return Arrival(Work(), *self._meeting("gradients", chunk))

    def _given(self, what: Literal["activations", "gradients"], chunk: int, tensors: Sequence[Tensor]) -> Work:
        arrays, wanting = self._meeting(what, chunk)
        arrays += [t.array for t in tensors]
        wanting += [bool(t.requires_grad) for t in tensors]
        return Work()

    def _meeting(self, what: Literal["activations", "gradients"], chunk: int) -> tuple[list[NDArray], list[bool]]:
        """The lists of who gives and who takes: whoever comes first opens them, the other one has them."""
        return self._open.pop((what, chunk), None) or self._open.setdefault((what, chunk), ([], []))
