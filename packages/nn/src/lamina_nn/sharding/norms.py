"""The norm of tensors of which some are shards: what the processes have of it, for all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import lamina_ndarray as nd
from lamina_flatarray import OpNotImplemented
from lamina_tensor import Tensor
from lamina_tensor.tensor_fields import tensor_of

from ..process_groups import moves
from ..process_groups.work import run
from .distributed_tensor import DTensor

__all__ = ["without_shards"]


def without_shards(tensors: Sequence[Tensor], order: float, norm: Callable[[list[Tensor], float], Tensor]) -> list[Tensor]:
    """Return plain tensors that have the same norm as some of which a part may be in other processes.

    Args:
        tensors: plain tensors, which are the same in all processes, and DTensors.
        order: of the norm.
        norm: what computes that of plain tensors.

    Raises:
        OpNotImplemented: it is 0, which counts tensors, and some are shards.
        RankLost: a process was killed, is stopped or does not come.
    """
    plain: list[Tensor] = []
    shards: list[list[DTensor]] = []
    for tensor in tensors:
        if not isinstance(tensor, DTensor) or tensor.placements[0].is_replicate():
            plain.append(tensor_of(tensor.array))
            continue
        for others in shards:
            if others[0].device_mesh == tensor.device_mesh and others[0].dtype is tensor.dtype:
                others.append(tensor)
                break
        else:
            shards.append([tensor])
    if shards and order == 0:
        raise OpNotImplemented("clip_grad_norm_: a norm of order 0 counts tensors, of which processes have shards")
    for alike in shards:
        group = alike[0].device_mesh.get_group()
        parts = [tensor_of(t.array) for t in alike if t.array.layout.size]
        mine = norm(parts, order).array if parts else nd.zeros((), dtype=alike[0].dtype.to_real())
        every = nd.empty((group.size(),), dtype=mine.dtype, device=mine.device)
        run("clip_grad_norm_", group, moves.gathered(group, [every], mine), arrays=[mine])
        plain.append(tensor_of(every))
    return plain
