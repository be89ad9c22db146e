"""The moves that operations are made of: arrays as bytes, copied, and combined in the order of ranks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import lamina_ndarray as nd
from lamina_flatarray import OpNotImplemented, ProcessGroupError
from lamina_flatarray.process_groups import Communicator
from lamina_ndarray import NDArray
from lamina_ndarray.dispatch.operands import copy_to

from .process_group import ProcessGroup
from .progress import Steps
from .reduce_op import ReduceOp, combined

__all__ = [
    "MESSAGE_TAGS", "broadcast", "copied", "exchanged", "gathered", "gathered_by_one", "received", "reduced", "reduced_by_one",
    "reduced_shares", "row_of", "scattered", "sent",
]  # fmt: skip

MESSAGE_TAGS: Final = 1 << 19
"""Tags of messages are below this, those of moves that operations are made of are above."""

_AT_ONCE: Final = 16384
"""Bytes up to which all processes send everything to all and each adds it up itself: one round instead of two."""


def _bytes(array: NDArray) -> Any:
    """The bytes of an array that lies without gaps."""
    if not array.flat.backend.host:
        raise OpNotImplemented(f"processes exchange what lies in the host's memory, not on {array.device}; move it with .to('cpu')")
    itemsize = array.flat.itemsize
    start = array.layout.offset * itemsize
    return array.flat.bytes_view()[start : start + array.layout.size * itemsize]


def _read(array: NDArray) -> Any:
    """The bytes of an array to send, row-major; a copy of them where they do not lie so."""
    return _bytes(array if array.layout.contiguous else nd.copy(array, row_major=True))


def _written(array: NDArray) -> tuple[Any, Callable[[], None]]:
    """Bytes to receive an array in, and what is called when they are there."""
    target = array if array.layout.contiguous else nd.empty_like(array, memory_format="contiguous")

    def finish() -> None:
        if target is array:
            array.flat.version += 1
        else:
            copied(array, target)

    return _bytes(target), finish


def copied(target: NDArray, source: NDArray) -> None:
    """Overwrite an array with another of its shape, and count the write."""
    copy_to(target, source)
    target.flat.version += 1


def row_of(array: NDArray, size: int) -> NDArray:
    """A row of `size` items that begins with those of an array; the rest is 0."""
    row = nd.empty(size, dtype=array.dtype, device=array.device)
    if size > array.layout.size:
        row[array.layout.size :].fill(0)
    copied(row[: array.layout.size], nd.reshape(array, (array.layout.size,)))
    return row


def _tag(group: ProcessGroup) -> int:
    return MESSAGE_TAGS + group.count % MESSAGE_TAGS


def sent(communicator: Communicator, array: NDArray, to: int, tag: int) -> Steps:
    """Send an array to one process."""
    yield communicator.send(_read(array), to, tag)


def received(communicator: Communicator, array: NDArray, source: int, tag: int, name: str) -> Steps:
    """Receive an array from one process, or from any (-1).

    Raises:
        ProcessGroupError: another number of bytes came.
    """
    data, finish = _written(array)
    move = communicator.receive(data, source, tag)
    yield move
    if move.received not in (-1, data.nbytes):
        raise ProcessGroupError(f"{name}: {move.received} bytes came from rank {move.source}; the tensor has {data.nbytes}")
    finish()


def broadcast(group: ProcessGroup, arrays: Sequence[NDArray], root: int) -> Steps:
    """Copy arrays of one process to all."""
    for array in arrays:
        if group.rank() == root:
            yield group.communicator.broadcast(_read(array), root)
        else:
            data, finish = _written(array)
            yield group.communicator.broadcast(data, root)
            finish()


def gathered(group: ProcessGroup, targets: Sequence[NDArray], source: NDArray) -> Steps:
    """Copy an array of each process to all: a target for each, or one for all of them, one after the other."""
    if len(targets) == 1:
        data, finish = _written(targets[0])
        yield group.communicator.all_gather(data, _read(source))
        finish()
        return
    every = nd.empty((len(targets), *source.shape), dtype=source.dtype, device=source.device)
    yield group.communicator.all_gather(_bytes(every), _read(source))
    for i, target in enumerate(targets):
        copied(target, every[i])


def gathered_by_one(group: ProcessGroup, targets: Sequence[NDArray], source: NDArray, root: int) -> Steps:
    """Copy an array of each process to one."""
    tag = _tag(group)
    if group.rank() != root:
        yield group.communicator.send(_read(source), root, tag)
        return
    written = [_written(target) for target in targets]
    yield from [group.communicator.receive(data, rank, tag) for rank, (data, _) in enumerate(written) if rank != root]
    for rank, (_, finish) in enumerate(written):
        if rank != root:
            finish()
    copied(targets[root], source)


def scattered(group: ProcessGroup, target: NDArray, sources: Sequence[NDArray], root: int) -> Steps:
    """Copy an array of one process to each."""
    tag = _tag(group)
    if group.rank() != root:
        data, finish = _written(target)
        yield group.communicator.receive(data, root, tag)
        finish()
        return
    yield from [group.communicator.send(_read(source), rank, tag) for rank, source in enumerate(sources) if rank != root]
    copied(target, sources[root])


def exchanged(group: ProcessGroup, targets: Sequence[NDArray], sources: Sequence[NDArray]) -> Steps:
    """Copy an array of each process to each."""
    tag, mine = _tag(group), group.rank()
    written = [_written(target) for target in targets]
    others = [rank for rank in range(group.size()) if rank != mine]
    moves = [group.communicator.receive(written[rank][0], rank, tag) for rank in others if written[rank][0].nbytes]
    moves += [group.communicator.send(data, rank, tag) for rank in others if (data := _read(sources[rank])).nbytes]
    yield from moves
    for rank in others:
        written[rank][1]()
    copied(targets[mine], sources[mine])


def reduced_shares(group: ProcessGroup, row: NDArray, op: ReduceOp) -> Any:
    """Combine rows of all processes, of a multiple of as many items: each process gets its share of the result.

    Returns:
        A generator of moves, which returns the share.
    """
    every = nd.empty((group.size(), row.layout.size // group.size()), dtype=row.dtype, device=row.device)
    yield group.communicator.all_to_all(_bytes(every), _read(row))
    return combined(op, [every[rank] for rank in range(group.size())])


def reduced(group: ProcessGroup, arrays: Sequence[NDArray], op: ReduceOp) -> Steps:
    """Combine arrays of all processes, in place: shares of them to each process, added up there in the order of ranks, and back to all."""
    size = group.size()
    for array in arrays:
        items = array.layout.size
        if size == 1 or not items:
            continue
        if items * array.flat.itemsize <= _AT_ONCE:
            every = nd.empty((size, items), dtype=array.dtype, device=array.device)
            yield group.communicator.all_gather(_bytes(every), _read(array))
            copied(array, nd.reshape(combined(op, [every[rank] for rank in range(size)]), array.shape))
            continue
        fits = array.layout.contiguous and items % size == 0
        row = nd.reshape(array, (items,)) if fits else row_of(array, -(-items // size) * size)
        share = yield from reduced_shares(group, row, op)
        yield group.communicator.all_gather(_bytes(row), _bytes(share))
        if fits:
            array.flat.version += 1
        else:
            copied(array, nd.reshape(row[:items], array.shape))


def reduced_by_one(group: ProcessGroup, array: NDArray, op: ReduceOp, root: int) -> Steps:
    """Combine arrays of all processes in one of them; those of others stay as they are."""
    size, items, tag = group.size(), array.layout.size, _tag(group)
    if size == 1 or not items:
        return
    row = row_of(array, -(-items // size) * size)
    share = yield from reduced_shares(group, row, op)
    if group.rank() != root:
        yield group.communicator.send(_bytes(share), root, tag)
        return
    parts = nd.reshape(row, (size, share.layout.size))
    yield from [group.communicator.receive(_bytes(parts[rank]), rank, tag) for rank in range(size) if rank != root]
    copied(parts[root], share)
    copied(array, nd.reshape(row[:items], array.shape))
