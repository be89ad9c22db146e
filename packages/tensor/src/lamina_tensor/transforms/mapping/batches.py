"""Tensors into a level of `vmap` and out of it: with gradients, for the two are each other's."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import lamina_ndarray as nd
from lamina_flatarray.backends.kernel_table import KernelTable
from lamina_flatarray.modes import NO_GRAD, word
from lamina_ndarray.batching import Level, enter, leave, levels_of, opened

from ...autograd.recording import recorded
from ...autograd.rules import RULES, rule
from ...tensor_fields import AnyTensor

if TYPE_CHECKING:
    from ...tensor_class import Tensor

__all__ = ["entered", "left", "mapped_over", "merged"]


def entered(x: Any, axis: int, level: Level) -> Any:
    """The batch whose slices lie along an axis of a tensor or an array, over the same memory.

    Where gradients are recorded it may not be written in place, for that would not be part of x's history.
    """
    if not isinstance(x, AnyTensor):
        return enter(x, axis, level)
    array = enter(x.array, axis, level, writable=not (x.requires_grad and not word.get() & NO_GRAD))
    return recorded(RULES["enter_batch"], array, (x,), axis=axis, level=level)


def left(x: Any, axis: int, level: Level) -> Any:
    """All slices of a tensor or an array along an axis; repeated where x is the same for all."""
    if not isinstance(x, AnyTensor):
        return leave(x, axis, level)
    return recorded(RULES["leave_batch"], leave(x.array, axis, level), (x,), axis=axis, level=level)


def _own(g: Any) -> Any:
    """A gradient in memory of its own: the engine adds in place to what a rule has made."""
    return g if isinstance(g, AnyTensor) else nd.copy(g)


rule("enter_batch", x=lambda g, axis, level: _own(left(g, axis, level)), node_name="EnterBatchBackward0")
rule("leave_batch", x=lambda g, axis, level: _own(entered(g, axis, level)), node_name="LeaveBatchBackward0")


def merged(g: Any, kernels: KernelTable) -> Any:
    """A gradient as it belongs to an array of a kernel table: summed over slices that all used that same array, once their
    function has run. While it runs, each slice has a gradient of its own."""
    own = levels_of((g.array if isinstance(g, AnyTensor) else g).flat.kernels)
    kept = levels_of(kernels)
    for level in own:
        if not level.open and level not in kept:
            slices = left(g, 0, level)
            g = slices.sum(0) if isinstance(g, AnyTensor) else nd.sum(slices, 0)
    return g


def mapped_over(function: Callable[[Tensor], list[Tensor]], rows: Tensor, chunk_size: int | None) -> list[Tensor]:
    """A function of one tensor, mapped over the first dim of `rows`: per result all slices, along its first dim.

    Args:
        function: gives a list of tensors.
        rows: what it is mapped over.
        chunk_size: how many rows at a time; None for all.
    """
    from ...functions.shapes import concat

    length = rows.array.layout.shape[0]
    step = length if chunk_size is None else chunk_size
    parts: list[list[Tensor]] = []
    for start in range(0, max(length, 1), max(step, 1)):
        piece = rows if step >= length else rows[start : start + step]
        with opened(piece.array.layout.shape[0]) as level:
            parts.append([left(x, 0, level) for x in function(entered(piece, 0, level))])
    return parts[0] if len(parts) == 1 else [concat(column, 0) for column in zip(*parts, strict=True)]
