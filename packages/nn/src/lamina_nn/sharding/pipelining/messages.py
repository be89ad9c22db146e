"""Activations and their gradients from stage to stage.

What a micro-batch's activations are, their dtypes and shapes, is told with those of the first batch, as plain data; later batches send
a length of 0 in its place, until it changes. What a stage is sent of a micro-batch has a tag of its own, so several may be on their way.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import lamina_ndarray as nd
from lamina_flatarray import DType
from lamina_ndarray import NDArray
from lamina_tensor import Tensor

from ...process_groups import moves
from ...process_groups.plain_data import decoded, encoded
from ...process_groups.process_group import ProcessGroup
from ...process_groups.progress import Steps
from ...process_groups.work import Work, run

__all__ = ["Arrival", "Neighbour"]

Description = list[tuple[DType, list[int], bool]]
"""The dtype and the shape of each tensor, and whether a gradient is wanted for it."""


class Arrival:
    """What comes from another process.

    Args:
        work: what is waited for.
        arrays: the list that it fills.
        wanting: the list that it fills with whether a gradient is wanted for each.
    """

    def __init__(self, work: Work, arrays: list[NDArray], wanting: list[bool]) -> None:
        self._work, self._arrays, self._wanting = work, arrays, wanting

    def wait(self) -> tuple[list[NDArray], list[bool]]:
        """Return the arrays, and whether a gradient is wanted for each, when they are there."""
        self._work.wait()
        return self._arrays, self._wanting


class Neighbour:
    """The stage before or behind this one, in another process.

    Args:
        group: the processes of all stages.
        own: this process's stage.
        stage: the other one, which is in the process `stage % group.size()`.
        stages: how many there are.
        device: where activations are put.
    """

    def __init__(self, group: ProcessGroup, own: int, stage: int, stages: int, device: Any) -> None:
        self._group, self._own, self._stage, self._stages, self._device = group, own, stage, stages, device
        self._rank = stage % group.size()
        self._told: dict[int, bytes] = {}  # of each micro-batch, what was told last
        self._known: dict[int, Description] = {}

    def send_activations(self, chunk: int, tensors: Sequence[Tensor]) -> Work:
        """Begin to send the outputs of a micro-batch.

        Args:
            chunk: the micro-batch.
            tensors: the outputs.
        """
        description = encoded("PipelineStage", [(t.dtype, list(t.shape), bool(t.requires_grad)) for t in tensors])
        news = b"" if self._told.get(chunk) == description else description
        self._told[chunk] = description

        tag = self._tag(chunk, self._stage, back=False)

        def steps() -> Steps:
            communicator = self._group.communicator
            requests = [communicator.send(np.array([len(news)], np.int64), self._rank, tag)]
            if news:
                requests.append(communicator.send(np.frombuffer(news, np.uint8), self._rank, tag))
            yield from requests + self._sent([t.array for t in tensors], tag)

        return self._begun(f"activations of micro-batch {chunk} to", steps(), [t.array for t in tensors])

    def receive_activations(self, chunk: int) -> Arrival:
        """Begin to receive the inputs of a micro-batch.

        Args:
            chunk: the micro-batch.
        """
        arrays: list[NDArray] = []
        wanting: list[bool] = []
        tag = self._tag(chunk, self._own, back=False)

        def steps() -> Steps:
            communicator = self._group.communicator
            length = np.empty(1, np.int64)
            yield communicator.receive(length, self._rank, tag)
            if length[0]:
                news = np.empty(int(length[0]), np.uint8)
                yield communicator.receive(news, self._rank, tag)
                self._known[chunk] = decoded(news.tobytes())
            for dtype, shape, wants in self._known[chunk]:
                wanting.append(wants)
                arrays.append(nd.empty(tuple(shape), dtype=dtype, device=self._device))
            yield from self._received(arrays, tag)

        return Arrival(self._begun(f"activations of micro-batch {chunk} from", steps()), arrays, wanting)

    def send_gradients(self, chunk: int, gradients: Sequence[Tensor]) -> Work:
        """Begin to send the gradients of those inputs of a micro-batch for which they are wanted.

        Args:
            chunk: the micro-batch.
            gradients: one for each.
        """

        def steps() -> Steps:
            yield from self._sent([g.array for g in gradients], self._tag(chunk, self._stage, back=True))

        return self._begun(f"gradients of micro-batch {chunk} to", steps(), [g.array for g in gradients])

    def receive_gradients(self, chunk: int, outputs: Sequence[Tensor]) -> Arrival:
        """Begin to receive the gradients of those outputs of a micro-batch that want them.

        Args:
            chunk: the micro-batch.
            outputs: those outputs.
        """
        arrays: list[NDArray] = [nd.empty(tuple(t.shape), dtype=t.dtype, device=t.device) for t in outputs]
        steps = self._received(arrays, self._tag(chunk, self._own, back=True))
        return Arrival(self._begun(f"gradients of micro-batch {chunk} from", steps, arrays), arrays, [])

    def _tag(self, chunk: int, receiver: int, *, back: bool) -> int:
        """Two processes may have several pairs of stages: the tag says who receives, and from which side."""
        return (chunk * self._stages + receiver) * 2 + back

    def _sent(self, arrays: Sequence[NDArray], tag: int) -> list[Any]:
        """The requests of messages that are begun at once."""
        communicator = self._group.communicator
        return [request for a in arrays if a.layout.size for request in moves.sent(communicator, a, self._rank, tag)]

    def _received(self, arrays: Sequence[NDArray], tag: int) -> Steps:
        for array in arrays:
            if array.layout.size:
                yield from moves.received(self._group.communicator, array, self._rank, tag, "PipelineStage")

    def _begun(self, what: str, steps: Steps, arrays: Sequence[NDArray] = ()) -> Work:
        name = f"PipelineStage: {what} stage {self._stage} (rank {self._group.ranks[self._rank]})"
        work = run(name, self._group, steps, True, arrays=arrays, message=True)
        assert work is not None
        return work
