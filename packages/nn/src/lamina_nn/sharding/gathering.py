"""Shards of several tensors put together in all processes, and gradients of whole tensors added up and shared out again."""

from __future__ import annotations

from collections.abc import Sequence

import lamina_ndarray as nd
from lamina_ndarray import NDArray

from ..process_groups import moves
from ..process_groups.process_group import ProcessGroup
from ..process_groups.progress import Steps
from ..process_groups.reduce_op import ReduceOp
from ..process_groups.work import Work, run
from .placements import own_slice, rows_each

__all__ = ["gathered", "gathered_ahead", "reduced_to_shards"]


def gathered(name: str, group: ProcessGroup, shards: Sequence[NDArray], shapes: Sequence[tuple[int, ...]], dim: int = 0) -> list[NDArray]:
    """Put the shards of all processes together, in all of them.

    Args:
        name: the function that was called.
        group: the processes.
        shards: what this process has of each tensor.
        shapes: of the whole tensors.
        dim: the dim that they are cut along.

    Returns:
        The whole tensors, in memory of their own.
    """
    wholes: list[NDArray] = []
    run(name, group, _gathering(wholes, group, shards, shapes, dim), arrays=shards)
    return wholes


def gathered_ahead(
    name: str, group: ProcessGroup, shards: Sequence[NDArray], shapes: Sequence[tuple[int, ...]]
) -> tuple[list[NDArray], Work]:
    """Begin to put shards along dim 0 together, beside the program.

    Args:
        name, group, shards, shapes: as for `gathered`; the shards are not to be written to meanwhile.

    Returns:
        The list that the whole tensors come into, and what is waited for.
    """
    wholes: list[NDArray] = []
    work = run(name, group, _gathering(wholes, group, shards, shapes, 0), True, arrays=shards)
    assert work is not None
    return wholes, work


def _gathering(
    wholes: list[NDArray], group: ProcessGroup, shards: Sequence[NDArray], shapes: Sequence[tuple[int, ...]], dim: int
) -> Steps:
    for shard, shape in zip(shards, shapes, strict=True):
        rows = nd.moveaxis(shard, dim, 0)
        each = rows_each(shape[dim], group.size())
        target = nd.empty((each * group.size(), *rows.shape[1:]), dtype=shard.dtype, device=shard.device)
        yield from moves.gathered(group, [target], _filled_up(rows, each))
        wholes.append(nd.moveaxis(target[: shape[dim]], 0, dim))


def _filled_up(rows: NDArray, each: int) -> NDArray:
    """As many rows as other processes have; what is behind this one's is not looked at."""
    if rows.shape[0] == each:
        return rows
    full = nd.zeros((each, *rows.shape[1:]), dtype=rows.dtype, device=rows.device)
    if rows.layout.size:
        moves.copied(full[: rows.shape[0]], rows)
    return full


def reduced_to_shards(name: str, group: ProcessGroup, gradients: Sequence[NDArray], op: ReduceOp) -> list[NDArray]:
    """Combine whole gradients of all processes in the order of ranks; each process gets its rows of the results.

    Args:
        name: the function that was called.
        group: the processes.
        gradients: those of this process.
        op: how they are combined.

    Returns:
        A shard along dim 0 of each.
    """
    shards: list[NDArray] = []

    def steps() -> Steps:
        for gradient in gradients:
            length, *rest = gradient.shape
            each = rows_each(length, group.size())
            begin, end = own_slice(length, group.size(), group.rank())
            share = nd.reshape(gradient[:0], (0,))
            if gradient.layout.size:
                row = moves.row_of(gradient, each * group.size() * (gradient.layout.size // length))
                share = yield from moves.reduced_shares(group, row, op)
            shards.append(nd.reshape(share, (each, *rest))[: end - begin])

    run(name, group, steps(), arrays=gradients)
    return shards
