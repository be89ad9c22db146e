"""The parameters that one module gathers for its passes: whole while they are wanted, else in shards (ZeRO, stage 3).

A forward pass gathers them as an op of autograd, whose gradient is the sum over processes in shards. What ops save of them for
the backward pass is only noted, and gathered again when it is wanted; then the op of gathering, which comes last, lets it go.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from weakref import ReferenceType, ref

import lamina_ndarray as nd
from lamina_ndarray import NDArray
from lamina_tensor import Tensor
from lamina_tensor.autograd.node import PACKED, Node, Packed, unwatch_nodes, watch_nodes
from lamina_tensor.tensor_fields import tensor_of
from lamina_tensor.transforms.function import Function, once_differentiable

from ..process_groups.process_group import ProcessGroup
from ..process_groups.reduce_op import ReduceOp
from .distributed_tensor import DTensor
from .gathering import reduced_to_shards
from .prefetching import ForwardPass, Gathering
from .standing_in import Place, Places

__all__ = ["ShardedParameters"]

_NAME = "fully_shard"


class ShardedParameters:
    """Parameters in shards along dim 0, and where they stand.

    Args:
        shards: the parameters; of a module that has none of its own, none.
        places: for each, its modules and names.
        group: the processes that share them.
        reshards: whether they are let go between the forward and the backward pass.

    Attributes:
        shards, group, reshards: as given.
        syncs: whether backward passes add gradients up over processes; else they add them up here.
        order: what was gathered in the last forward pass that began with this module.
        forward_ahead, backward_ahead: what is gathered ahead of time when these are; None for what the last pass tells.
        latest: what the last forward pass has gathered, while somebody wants it.
    """

    def __init__(self, shards: Sequence[DTensor], places: Sequence[Sequence[Place]], group: ProcessGroup, reshards: bool) -> None:
        self.shards, self.group, self.reshards = list(shards), group, reshards
        self.syncs = True
        self.order: list[ShardedParameters] = []
        self.forward_ahead: list[ShardedParameters] | None = None
        self.backward_ahead: list[ShardedParameters] | None = None
        self.latest: ReferenceType[Gathering] | None = None
        self._places = Places(_NAME, self.shards, places)
        self._kept: list[Any] = [None] * len(self.shards)  # sums of whole gradients, while they are not added up over processes
        self._under_way: list[tuple[ForwardPass, Gathering, Callable[[Node], None]]] = []

    def enter(self) -> None:
        """Gather the parameters, as a forward pass begins."""
        passing = ForwardPass.current(self)
        gathering = passing.taken(self) or Gathering(self)
        wholes: tuple[Tensor, ...] = _Gathered.apply(gathering, *self.shards) if self.shards else ()
        numbers = {id(whole.array.flat): i for i, whole in enumerate(wholes)}

        def note(node: Node) -> None:
            saved = node.saved or ()
            if any(isinstance(value, NDArray) and id(value.flat) in numbers for value in saved):
                gathering.is_noted = True
                versions = node.versions or (-1,) * len(saved)
                ours = [isinstance(value, NDArray) and id(value.flat) in numbers for value in saved]
                node.saved = tuple(
                    Packed((numbers[id(value.flat)], value.layout), gathering.view) if own else value
                    for own, value in zip(ours, saved, strict=True)
                )
                node.versions = tuple(PACKED if own else version for own, version in zip(ours, versions, strict=True))

        self._places.put(wholes)
        if self.shards:
            watch_nodes(note)
        self._under_way.append((passing, gathering, note))
        self.latest = ref(gathering)
        passing.entered(self)

    def leave(self) -> None:
        """Put the shards back, as a forward pass ends."""
        if not self._under_way:
            return
        passing, gathering, note = self._under_way.pop()
        if self.shards:
            unwatch_nodes(note)
        self._places.restore()
        if self.reshards:
            gathering.arrays = None
        passing.left(gathering)

    def share_out(self, gradients: Sequence[Tensor | None]) -> list[Tensor | None]:
        """Return the shards of the means of whole gradients over processes; of none while `syncs` is off."""
        sums = [_sum(before, g) for before, g in zip(self._kept, gradients, strict=True)]
        if not self.syncs:
            self._kept = sums
            return [None] * len(sums)
        self._kept = [None] * len(sums)
        shards = iter(reduced_to_shards(_NAME, self.group, [g for g in sums if g is not None], ReduceOp.AVG))
        return [None if g is None else tensor_of(next(shards)) for g in sums]


def _sum(before: NDArray | None, gradient: Tensor | None) -> NDArray | None:
    if gradient is None:
        return before
    return gradient.array if before is None else nd.add(before, gradient.array)


class _Gathered(Function):
    @staticmethod
    def forward(ctx: Any, gathering: Gathering, *shards: DTensor) -> tuple[Tensor, ...]:
        ctx.gathering = gathering
        ctx.set_materialize_grads(False)
        wholes = tuple(map(tensor_of, gathering.wholes()))
        ctx.mark_non_differentiable(*(whole for whole, shard in zip(wholes, shards, strict=True) if not shard.requires_grad))
        return wholes

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *gradients: Tensor | None) -> tuple[Tensor | None, ...]:
        ctx.gathering.let_go()
        return None, *ctx.gathering.parameters.share_out(gradients)
