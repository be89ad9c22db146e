"""The moves that operations are made of: arrays as bytes, copied, and combined in the order of ranks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import lamina_ndarray as nd
from lamina_flatarray import OpNotImplemented, ProcessGroupError
from lamina_flatarray.process_groups import Communicator, DeviceBytes
from lamina_ndarray import NDArray
from lamina_ndarray.dispatch.operands import copy_to

from .process_group import ProcessGroup
from .progress import Steps
from .reduce_op import ReduceOp, averaged, combined

__all__ = [
    "MESSAGE_TAGS", "broadcast", "copied", "exchanged", "gathered", "gathered_by_one", "received", "reduced", "reduced_by_one",
    "reduced_shares", "row_of", "scattered", "sent",
]  # fmt: skip

MESSAGE_TAGS: Final = 1 << 19
"""Tags of messages are below this. What operations of all processes send to single ones has this one: they come one after the other."""

_NOTHING: Final = memoryview(b"")

_ADDED_THERE: Final = {ReduceOp.SUM: "sum", ReduceOp.AVG: "sum", ReduceOp.PRODUCT: "product"}
"""What a communicator may combine in the memory of devices, by the contract's names; averages are divided afterwards."""

_AT_ONCE: Final = 16384
"""Bytes up to which all processes send everything to all and each adds it up itself: one round instead of two."""


def _bytes(communicator: Communicator, array: NDArray) -> Any:
    """The bytes of an array that lies without gaps, on the host or where the communicator reaches them."""
    flat = array.flat
    start, nbytes = array.layout.offset * flat.itemsize, array.layout.size * flat.itemsize
    if flat.backend.host:
        return flat.bytes_view()[start : start + nbytes]
    if flat.backend.device_type != communicator.device_type:
        raise OpNotImplemented(
            f"processes exchange what lies in the host's memory, not on {array.device}; move it with .to('cpu')"
            + (", or begin the group with the backend 'nccl'" if flat.backend.device_type == "cuda" else "")
        )
    return DeviceBytes(flat.backend, flat.kernels.index, flat.memory, flat.offset + start, nbytes)


def _read(communicator: Communicator, array: NDArray) -> Any:
    """The bytes of an array to send, row-major; a copy of them where they do not lie so."""
    return _bytes(communicator, array if array.layout.contiguous else nd.copy(array, row_major=True))


def _written(communicator: Communicator, array: NDArray) -> tuple[Any, Callable[[], None]]:
    """Bytes to receive an array in, and what is called when they are there."""
    target = array if array.layout.contiguous else nd.empty_like(array, memory_format="contiguous")

    def finish() -> None:
        if target is array:
            array.flat.version += 1
        else:
            copied(array, target)

    return _bytes(communicator, target), finish


def _added_there(communicator: Communicator, array: NDArray, op: ReduceOp) -> str | None:
    """By which name the communicator itself combines such arrays, where they are; None where it does not."""
    name = _ADDED_THERE.get(op)
    on_device = not array.flat.backend.host and array.flat.backend.device_type == communicator.device_type
    return name if name is not None and on_device and communicator.adds_up(array.dtype.name, name) else None


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


def sent(communicator: Communicator, array: NDArray, to: int, tag: int) -> Steps:
    """Send an array to one process."""
    yield communicator.send(_read(communicator, array), to, tag)


def received(communicator: Communicator, array: NDArray, source: int, tag: int, name: str) -> Steps:
    """Receive an array from one process, or from any (-1).

    Raises:
        ProcessGroupError: another number of bytes came.
    """
    data, finish = _written(communicator, array)
    move = communicator.receive(data, source, tag)
    yield move
    if move.received not in (-1, data.nbytes):
        raise ProcessGroupError(f"{name}: {move.received} bytes came from rank {move.source}; the tensor has {data.nbytes}")
    finish()


def broadcast(group: ProcessGroup, arrays: Sequence[NDArray], root: int) -> Steps:
    """Copy arrays of one process to all."""
    communicator = group.communicator
    for array in arrays:
        if group.rank() == root:
            yield communicator.broadcast(_read(communicator, array), root)
        else:
            data, finish = _written(communicator, array)
            yield communicator.broadcast(data, root)
            finish()


def gathered(group: ProcessGroup, targets: Sequence[NDArray], source: NDArray) -> Steps:
    """Copy an array of each process to all: a target for each, or one for all of them, one after the other."""
    communicator = group.communicator
    if len(targets) == 1:
        data, finish = _written(communicator, targets[0])
        yield communicator.all_gather(data, _read(communicator, source))
        finish()
        return
    every = nd.empty((len(targets), *source.shape), dtype=source.dtype, device=source.device)
    yield communicator.all_gather(_bytes(communicator, every), _read(communicator, source))
    for i, target in enumerate(targets):
        copied(target, every[i])


def gathered_by_one(group: ProcessGroup, targets: Sequence[NDArray], source: NDArray, root: int) -> Steps:
    """Copy an array of each process to one."""
    if group.rank() != root:
        yield from _exchanged(group, {}, {root: source})
        return
    yield from _exchanged(group, dict(enumerate(targets)), {})
    copied(targets[root], source)


def scattered(group: ProcessGroup, target: NDArray, sources: Sequence[NDArray], root: int) -> Steps:
    """Copy an array of one process to each."""
    if group.rank() != root:
        yield from _exchanged(group, {root: target}, {})
        return
    yield from _exchanged(group, {}, dict(enumerate(sources)))
    copied(target, sources[root])


def exchanged(group: ProcessGroup, targets: Sequence[NDArray], sources: Sequence[NDArray]) -> Steps:
    """Copy an array of each process to each."""
    yield from _exchanged(group, dict(enumerate(targets)), dict(enumerate(sources)))
    copied(targets[group.rank()], sources[group.rank()])


def _exchanged(group: ProcessGroup, targets: dict[int, NDArray], sources: dict[int, NDArray]) -> Steps:
    """Copy an array to each of some processes, and one from each of some; what this one keeps is left to the caller."""
    communicator, mine = group.communicator, group.rank()
    written = {rank: _written(communicator, target) for rank, target in targets.items() if rank != mine}
    into = [written[rank][0] if rank in written else _NOTHING for rank in range(group.size())]
    data = [_read(communicator, sources[rank]) if rank in sources and rank != mine else _NOTHING for rank in range(group.size())]
    yield communicator.exchange(into, data, MESSAGE_TAGS)
    for _, finish in written.values():
        finish()


def reduced_shares(group: ProcessGroup, row: NDArray, op: ReduceOp) -> Any:
    """Combine rows of all processes, of a multiple of as many items: each process gets its share of the result.

    Returns:
        A generator of moves, which returns the share.
    """
    communicator, size = group.communicator, group.size()
    items = row.layout.size // size
    if name := _added_there(communicator, row, op):
        share = nd.empty(items, dtype=row.dtype, device=row.device)
        yield communicator.reduce_scatter(_bytes(communicator, share), _read(communicator, row), row.dtype.name, name)
        return averaged(op, share, size)
    every = nd.empty((size, items), dtype=row.dtype, device=row.device)
    yield communicator.all_to_all(_bytes(communicator, every), _read(communicator, row))
    return combined(op, [every[rank] for rank in range(size)])


def reduced(group: ProcessGroup, arrays: Sequence[NDArray], op: ReduceOp) -> Steps:
    """Combine arrays of all processes, in place: shares of them to each process, added up there in the order of ranks, and back to all;
    or as the communicator does it where they are."""
    communicator, size = group.communicator, group.size()
    for array in arrays:
        items = array.layout.size
        if size == 1 or not items:
            continue
        if name := _added_there(communicator, array, op):
            whole = array if array.layout.contiguous else nd.copy(array, row_major=True)
            yield communicator.all_reduce(_bytes(communicator, whole), array.dtype.name, name)
            averaged(op, whole, size)
            if whole is array:
                array.flat.version += 1
            else:
                copied(array, whole)
            continue
        if items * array.flat.itemsize <= _AT_ONCE:
            every = nd.empty((size, items), dtype=array.dtype, device=array.device)
            yield communicator.all_gather(_bytes(communicator, every), _read(communicator, array))
            copied(array, nd.reshape(combined(op, [every[rank] for rank in range(size)]), array.shape))
            continue
        fits = array.layout.contiguous and items % size == 0
        row = nd.reshape(array, (items,)) if fits else row_of(array, -(-items // size) * size)
        share = yield from reduced_shares(group, row, op)
        yield communicator.all_gather(_bytes(communicator, row), _bytes(communicator, share))
        if fits:
            array.flat.version += 1
        else:
            copied(array, nd.reshape(row[:items], array.shape))


def reduced_by_one(group: ProcessGroup, array: NDArray, op: ReduceOp, root: int) -> Steps:
    """Combine arrays of all processes in one of them; those of others stay as they are."""
    communicator, size, items = group.communicator, group.size(), array.layout.size
    if size == 1 or not items:
        return
    if name := _added_there(communicator, array, op):
        whole = nd.copy(array, row_major=True)
        yield communicator.reduce(_bytes(communicator, whole), array.dtype.name, name, root)
        if group.rank() == root:
            copied(array, averaged(op, whole, size))
        return
    row = row_of(array, -(-items // size) * size)
    share = yield from reduced_shares(group, row, op)
    if group.rank() != root:
        yield from _exchanged(group, {}, {root: share})
        return
    parts = nd.reshape(row, (size, share.layout.size))
    yield from _exchanged(group, {rank: parts[rank] for rank in range(size)}, {})
    copied(parts[root], share)
    copied(array, nd.reshape(row[:items], array.shape))
