"""Checks of a communicator. Each is called in all of its processes, and raises AssertionError where something is wrong.

`held` puts bytes where they are to be moved from and to: the host's memory, or that of a device.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import monotonic, sleep
from typing import Any, Final

import numpy as np

from lamina_flatarray.dtypes import DTYPES
from lamina_flatarray.process_groups import Communicator, Request

from .held import Held

__all__ = ["ADDING_UP", "CHECKS", "wait"]

_LIMIT: Final = 30.0
_SIZES: Final = (0, 1, 7, 4096, 100_003, 3_000_000)
"""Bytes: nothing, odd numbers, and what transports send in one piece, in several, and by way of shared memory."""
_NUMBERS: Final = {dtype.name: dtype.numpy for dtype in DTYPES.values() if not dtype.is_complex and dtype.name != "bool"}

Holding = Callable[[Any], Held]
"""Puts the items of a NumPy array where they are to be moved from and to."""


def wait(*moves: Request) -> None:
    """Wait for moves, as lamina does: by asking again and again.

    Args:
        moves: what is under way.

    Raises:
        AssertionError: they are not finished within half a minute.
    """
    deadline, waiting = monotonic() + _LIMIT, list(moves)
    while waiting:
        waiting = [move for move in waiting if not move.done()]
        assert monotonic() < deadline, f"{len(waiting)} moves are not finished after {_LIMIT:g} s"
        sleep(0)


def _data(rank: int, size: int, salt: int = 0) -> Any:
    return ((np.arange(size) * 7 + rank * 31 + salt * 11) % 251).astype(np.uint8)


def _same(name: str, found: Held, expected: Any) -> None:
    assert found.read().tobytes() == expected.tobytes(), f"{name}: other bytes came than were sent"


def ranks_are_numbered(world: Communicator, held: Holding) -> None:
    """Every rank from 0 to size - 1 is there once."""
    assert 0 <= world.rank < world.size
    every = held(np.full(world.size * 8, 255, np.uint8))
    wait(world.all_gather(every.bytes, held(np.array([world.rank], np.int64)).bytes))
    ranks = every.read().view(np.int64).tolist()
    assert ranks == list(range(world.size)), ranks


def all_gather_keeps_the_order_of_ranks(world: Communicator, held: Holding) -> None:
    """Everybody gets the bytes of all, in the order of ranks; what is sent stays as it is."""
    for size in _SIZES:
        mine, every = held(_data(world.rank, size)), held(np.zeros(size * world.size, np.uint8))
        wait(world.all_gather(every.bytes, mine.bytes))
        _same("all_gather", every, np.concatenate([_data(rank, size) for rank in range(world.size)]))
        _same("all_gather", mine, _data(world.rank, size))


def all_to_all_transposes(world: Communicator, held: Holding) -> None:
    """Part i goes to rank i, into the place of the sender."""
    for size in _SIZES:
        mine = held(np.concatenate([_data(world.rank, size, to) for to in range(world.size)]))
        every = held(np.zeros(size * world.size, np.uint8))
        wait(world.all_to_all(every.bytes, mine.bytes))
        _same("all_to_all", every, np.concatenate([_data(rank, size, world.rank) for rank in range(world.size)]))


def exchange_takes_any_lengths(world: Communicator, held: Holding) -> None:
    """Each gets what each of the others has for it, of lengths that differ, some of them 0; its own place stays as it is."""

    def length(source: int, to: int) -> int:
        return (source * 3 + to * 5) % 4 * 1001

    mine = [held(_data(world.rank, length(world.rank, to), to)) for to in range(world.size)]
    came = [held(np.full(length(source, world.rank), 9, np.uint8)) for source in range(world.size)]
    wait(world.exchange([one.bytes for one in came], [one.bytes for one in mine], 11))
    for source, one in enumerate(came):
        n = length(source, world.rank)
        _same("exchange", one, np.full(n, 9, np.uint8) if source == world.rank else _data(source, n, world.rank))
    gathered = [held(np.zeros(7, np.uint8)) for _ in range(world.size)] if world.rank == 0 else []
    wait(world.exchange([one.bytes for one in gathered], [held(_data(world.rank, 7)).bytes] if world.rank else [], 11))
    for source, one in enumerate(gathered[1:], 1):
        _same("exchange", one, _data(source, 7))


def broadcast_copies_the_root(world: Communicator, held: Holding) -> None:
    """Every root reaches all."""
    for size in _SIZES:
        for root in range(world.size):
            data = held(_data(world.rank, size))
            wait(world.broadcast(data.bytes, root))
            _same("broadcast", data, _data(root, size))


def several_moves_are_under_way(world: Communicator, held: Holding) -> None:
    """Moves that were begun before others are finished do not mix."""
    rows = [held(np.zeros(1000 * world.size, np.uint8)) for _ in range(16)]
    wait(*[world.all_gather(row.bytes, held(_data(world.rank, 1000, i)).bytes) for i, row in enumerate(rows)])
    for i, row in enumerate(rows):
        _same("all_gather", row, np.concatenate([_data(rank, 1000, i) for rank in range(world.size)]))


def messages_keep_order_and_tags(world: Communicator, held: Holding) -> None:
    """Messages of one tag come in the order in which they were sent, those of others are left for who asks for them."""
    if world.size == 1:
        return
    to, source = (world.rank + 1) % world.size, (world.rank - 1) % world.size
    for size in _SIZES:
        sending = [world.send(held(_data(world.rank, size, salt)).bytes, to, tag) for salt, tag in ((0, 5), (1, 5), (2, 6))]
        came = [held(np.zeros(size, np.uint8)) for _ in range(3)]
        receiving = [world.receive(came[i].bytes, source, tag) for i, tag in ((2, 6), (0, 5), (1, 5))]
        wait(*sending, *receiving)
        for salt in range(3):
            _same("receive", came[salt], _data(source, size, salt))
        assert {move.source for move in receiving} == {source}
        assert all(move.received in (-1, size) for move in receiving)


def messages_come_from_anybody(world: Communicator, held: Holding) -> None:
    """A receiver that takes what comes is told from whom it is."""
    if world.rank:
        wait(world.send(held(_data(world.rank, 9)).bytes, 0, 8))
        return
    senders = []
    for _ in range(1, world.size):
        came = held(np.zeros(9, np.uint8))
        move = world.receive(came.bytes, -1, 8)
        wait(move)
        _same("receive", came, _data(move.source, 9))
        senders.append(move.source)
    assert sorted(senders) == list(range(1, world.size))


def moves_do_not_wait(world: Communicator, held: Holding) -> None:
    """What nobody answers yet returns at once, and is not finished."""
    if world.size == 1:
        return
    came = held(np.zeros(5, np.uint8))
    if world.rank == 0:
        began = monotonic()
        move = world.receive(came.bytes, 1, 9)
        assert not move.done()
        assert monotonic() - began < _LIMIT / 2
        wait(world.send(held(_data(0, 5)).bytes, 1, 10), move)
        _same("receive", came, _data(1, 5))
    elif world.rank == 1:
        wait(world.receive(came.bytes, 0, 10))
        wait(world.send(held(_data(1, 5)).bytes, 0, 9))


def barrier_waits_for_all(world: Communicator, held: Holding) -> None:
    """Nobody leaves before the last has come."""
    wait(world.barrier())  # all begin together: who is late by what the last one sleeps would see no wait
    if world.size == 1:
        return
    if world.rank == world.size - 1:
        sleep(0.5)
        wait(world.barrier())
        return
    move = world.barrier()
    began = monotonic()
    wait(move)
    assert world.rank or monotonic() - began > 0.05, "barrier: it did not wait for the last process"


def parts_are_apart(world: Communicator, held: Holding) -> None:
    """A communicator of some has their ranks in the order given, and does not mix with that of all."""
    reverse: Sequence[int] = list(reversed(range(world.size)))
    turned = world.part(reverse)
    assert turned is not None and (turned.rank, turned.size) == (world.size - 1 - world.rank, world.size)
    one = world.part([world.size - 1])
    assert (one is not None) == (world.rank == world.size - 1)
    every, others = (held(np.zeros(8 * world.size, np.uint8)) for _ in range(2))
    wait(
        world.all_gather(every.bytes, held(_data(world.rank, 8)).bytes),
        turned.all_gather(others.bytes, held(_data(world.rank, 8, 1)).bytes),
    )
    _same("all_gather", every, np.concatenate([_data(rank, 8) for rank in range(world.size)]))
    _same("all_gather", others, np.concatenate([_data(rank, 8, 1) for rank in reverse]))
    turned.free()


def sums_and_products_are_those_of_numbers(world: Communicator, held: Holding) -> None:
    """What the communicator combines itself is what NumPy computes: of whole numbers, which no order of additions rounds."""
    for name, dtype in _NUMBERS.items():
        for op, ufunc in (("sum", np.add), ("product", np.multiply)):
            if not world.adds_up(name, op):
                continue
            items = [((np.arange(12 * world.size) + rank) % 3 + 1).astype(dtype) for rank in range(world.size)]
            expected = ufunc.reduce(np.stack(items).astype(np.float64)).astype(dtype)
            every, one, mine = (held(items[world.rank]) for _ in range(3))
            share = held(np.zeros(12, dtype))
            wait(
                world.all_reduce(every.bytes, name, op), world.reduce(one.bytes, name, op, world.size - 1),
                world.reduce_scatter(share.bytes, mine.bytes, name, op),
            )  # fmt: skip
            _same(f"all_reduce, {op} of {name}", every, expected)
            _same(f"reduce, {op} of {name}", one, expected if world.rank == world.size - 1 else items[world.rank])
            _same(f"reduce_scatter, {op} of {name}", share, expected[12 * world.rank : 12 * (world.rank + 1)])


CHECKS: Final[tuple[Callable[[Communicator, Holding], None], ...]] = (
    ranks_are_numbered, all_gather_keeps_the_order_of_ranks, all_to_all_transposes, exchange_takes_any_lengths, broadcast_copies_the_root,
    several_moves_are_under_way, messages_keep_order_and_tags, messages_come_from_anybody, moves_do_not_wait, barrier_waits_for_all,
    parts_are_apart,
)  # fmt: skip
"""All of every communicator, in the order in which every process runs them."""

ADDING_UP: Final = (sums_and_products_are_those_of_numbers,)
"""Those of a communicator that reaches devices, and may combine there."""
