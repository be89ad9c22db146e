"""What processes that compute parts of a layer exchange, and the gradients of that.

M. Shoeybi et al., "Megatron-LM", 2019, https://arxiv.org/abs/1909.08053, section 3.
"""

from __future__ import annotations

from typing import Any

import lamina_ndarray as nd
from lamina_ndarray import NDArray
from lamina_tensor import Tensor
from lamina_tensor.tensor_fields import tensor_of
from lamina_tensor.transforms.function import Function

from ...process_groups import moves
from ...process_groups.process_group import ProcessGroup
from ...process_groups.reduce_op import ReduceOp
from ...process_groups.work import run
from ..distributed_tensor import own_part
from ..gathering import gathered
from ..placements import Shard

__all__ = ["copied", "joined", "own_columns", "summed"]


def copied(x: Tensor, group: ProcessGroup) -> Tensor:
    """Return what all processes have; its gradient is the sum of theirs."""
    result: Tensor = _Copied.apply(x, group)
    return result


def summed(x: Tensor, group: ProcessGroup) -> Tensor:
    """Return the sum over processes, in the order of ranks; its gradient is that of each term."""
    result: Tensor = _Summed.apply(x, group)
    return result


def joined(x: Tensor, group: ProcessGroup, length: int) -> Tensor:
    """Return the columns of all processes, `length` of them; the gradient of each process's is its slice."""
    result: Tensor = _Joined.apply(x, group, length)
    return result


def own_columns(x: Tensor, group: ProcessGroup) -> Tensor:
    """Return the columns of this process; the gradient is that of all processes' columns."""
    result: Tensor = _OwnColumns.apply(x, group)
    return result


def _sum(x: Tensor, group: ProcessGroup) -> Tensor:
    total = nd.copy(x.array, row_major=True)
    run("parallelize_module", group, moves.reduced(group, [total], ReduceOp.SUM), arrays=[total])
    return tensor_of(total)


def _join(x: Tensor, group: ProcessGroup, length: int) -> Tensor:
    last = x.ndim - 1
    (whole,) = gathered("parallelize_module", group, [x.array], [(*x.shape[:-1], length)], last)
    return tensor_of(nd.copy(whole, row_major=True))


def _part(x: Tensor, group: ProcessGroup) -> Tensor:
    part: NDArray = nd.copy(own_part(x.array, group, Shard(x.ndim - 1)), row_major=True)
    return tensor_of(part)


class _Copied(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, group: ProcessGroup) -> Tensor:
        ctx.group = group
        return x

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> tuple[Tensor, None]:
        return _sum(g, ctx.group), None


class _Summed(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, group: ProcessGroup) -> Tensor:
        return _sum(x, group)

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> tuple[Tensor, None]:
        return g, None


class _Joined(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, group: ProcessGroup, length: int) -> Tensor:
        ctx.group = group
        return _join(x, group, length)

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> tuple[Tensor, None, None]:
        return _part(g, ctx.group), None, None


class _OwnColumns(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, group: ProcessGroup) -> Tensor:
        ctx.group, ctx.length = group, x.shape[-1]
        return _part(x, group)

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> tuple[Tensor, None]:
        return _join(g, ctx.group, ctx.length), None
