"""Sums over all processes with a gradient: what each process gets is what the gradients of all add up to."""

from __future__ import annotations

from typing import Any

from lamina_tensor import Tensor
from lamina_tensor.transforms.function import Function

from ...process_groups.process_group import ProcessGroup
from ...process_groups.reductions import all_reduce

__all__ = ["summed"]


class _Summed(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, group: ProcessGroup) -> Tensor:
        ctx.group = group
        return _added_up(x, group)

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> tuple[Tensor, None]:
        return _added_up(g, ctx.group), None


def _added_up(x: Tensor, group: ProcessGroup) -> Tensor:
    total = x.detach().clone()
    all_reduce(total, group=group)
    return total


def summed(x: Tensor, group: ProcessGroup) -> Tensor:
    """Return the sum of a tensor over all processes, in the order of ranks.

    Args:
        x: the tensor, of the same shape in all processes.
        group: the processes.

    Returns:
        A tensor of the shape of `x`, whose gradient is the sum of those of all processes.
    """
    total: Tensor = _Summed.apply(x, group)
    return total
