"""What processes that compute parts of a layer exchange, and the gradients of that.

M. Shoeybi et al., "Megatron-LM", 2019, https://arxiv.org/abs/1909.08053, section 3; V. Korthikanti et al., "Reducing Activation
Recomputation in Large Transformer Models", 2022, https://arxiv.org/abs/2205.05198, section 4.
"""

from __future__ import annotations

from typing import Any

import lamina_ndarray as nd
from lamina_flatarray import ArgumentValueError
from lamina_ndarray import NDArray
from lamina_tensor import Tensor
from lamina_tensor.tensor_fields import tensor_of
from lamina_tensor.transforms.function import Function

from ...process_groups import moves
from ...process_groups.process_group import ProcessGroup
from ...process_groups.reduce_op import ReduceOp
from ...process_groups.work import run
from ..distributed_tensor import own_part
from ..gathering import gathered, reduced_to_shards
from ..placements import Placement, Shard

__all__ = ["copied", "joined", "joined_for_parts", "own_slice_of", "redistributed", "summed", "summed_in_slices"]

_NAME = "parallelize_module"


def copied(x: Tensor, group: ProcessGroup) -> Tensor:
    """Return what all processes have; its gradient is the sum of theirs."""
    result: Tensor = _Copied.apply(x, group)
    return result


def summed(x: Tensor, group: ProcessGroup) -> Tensor:
    """Return the sum over processes, in the order of ranks; its gradient is that of each term."""
    result: Tensor = _Summed.apply(x, group)
    return result


def joined(x: Tensor, group: ProcessGroup, length: int, dim: int = -1) -> Tensor:
    """Return the slices of all processes along a dim, of `length` together; the gradient of each process's is its slice."""
    result: Tensor = _Joined.apply(x, group, length, dim % x.ndim)
    return result


def own_slice_of(x: Tensor, group: ProcessGroup, dim: int = -1) -> Tensor:
    """Return the slice of this process along a dim; the gradient is that of all processes' slices."""
    result: Tensor = _OwnSlice.apply(x, group, dim % x.ndim)
    return result


def joined_for_parts(x: Tensor, group: ProcessGroup, dim: int) -> Tensor:
    """Return the slices of all processes along a dim, for parts of a layer: the gradient is this process's slice of the sum of theirs."""
    result: Tensor = _JoinedForParts.apply(x, group, dim % x.ndim)
    return result


def summed_in_slices(x: Tensor, group: ProcessGroup, dim: int) -> Tensor:
    """Return this process's slice, along a dim, of the sum over processes; the gradient of each term is that of all slices.

    Raises:
        ArgumentValueError: the dim cannot be cut into slices of one length.
    """
    result: Tensor = _SummedInSlices.apply(x, group, _even(x, group, dim))
    return result


def redistributed(x: Tensor, group: ProcessGroup, source: Placement, target: Placement) -> Tensor:
    """Return an activation that lies one way among processes as it lies another way.

    Args:
        x: what this process has of it.
        group: the processes.
        source: how it lies: `Replicate()`, or `Shard(dim)` in slices of one length.
        target: how it is to lie.

    Raises:
        ArgumentValueError: a dim cannot be cut into slices of one length.
    """
    if source == target:
        return x
    if isinstance(source, Shard):
        x = joined(x, group, x.shape[source.dim] * group.size(), source.dim)
    return own_slice_of(x, group, _even(x, group, target.dim)) if isinstance(target, Shard) else x


def _even(x: Tensor, group: ProcessGroup, dim: int) -> int:
    if x.shape[dim] % group.size():
        raise ArgumentValueError(f"{_NAME}: {tuple(x.shape)} is not cut along dim {dim} into {group.size()} slices of one length; pad it")
    return dim % x.ndim


def _sum(x: Tensor, group: ProcessGroup) -> Tensor:
    total = nd.copy(x.array, row_major=True)
    run(_NAME, group, moves.reduced(group, [total], ReduceOp.SUM), arrays=[total])
    return tensor_of(total)


def _join(x: Tensor, group: ProcessGroup, length: int, dim: int) -> Tensor:
    (whole,) = gathered(_NAME, group, [x.array], [(*x.shape[:dim], length, *x.shape[dim + 1 :])], dim)
    return tensor_of(nd.copy(whole, row_major=True))


def _part(x: Tensor, group: ProcessGroup, dim: int) -> Tensor:
    part: NDArray = nd.copy(own_part(x.array, group, Shard(dim)), row_major=True)
    return tensor_of(part)


def _part_of_sum(x: Tensor, group: ProcessGroup, dim: int) -> Tensor:
    rows = nd.copy(nd.moveaxis(x.array, dim, 0), row_major=True)
    (part,) = reduced_to_shards(_NAME, group, [rows], ReduceOp.SUM)
    return tensor_of(nd.copy(nd.moveaxis(part, 0, dim), row_major=True))


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
    def forward(ctx: Any, x: Tensor, group: ProcessGroup, length: int, dim: int) -> Tensor:
        ctx.group, ctx.dim = group, dim
        return _join(x, group, length, dim)

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> tuple[Tensor, None, None, None]:
        return _part(g, ctx.group, ctx.dim), None, None, None


class _OwnSlice(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, group: ProcessGroup, dim: int) -> Tensor:
        ctx.group, ctx.dim, ctx.length = group, dim, x.shape[dim]
        return _part(x, group, dim)

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> tuple[Tensor, None, None]:
        return _join(g, ctx.group, ctx.length, ctx.dim), None, None


class _JoinedForParts(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, group: ProcessGroup, dim: int) -> Tensor:
        ctx.group, ctx.dim = group, dim
        return _join(x, group, x.shape[dim] * group.size(), dim)

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> tuple[Tensor, None, None]:
        return _part_of_sum(g, ctx.group, ctx.dim), None, None


class _SummedInSlices(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, group: ProcessGroup, dim: int) -> Tensor:
        ctx.group, ctx.dim, ctx.length = group, dim, x.shape[dim]
        return _part_of_sum(x, group, dim)

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> tuple[Tensor, None, None]:
        return _join(g, ctx.group, ctx.length, ctx.dim), None, None
