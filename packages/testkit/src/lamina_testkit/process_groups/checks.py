"""Checks of a communicator. Each is called in all of its processes, and raises AssertionError where something is wrong."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import monotonic, sleep
from typing import Any, Final

import numpy as np

from lamina_flatarray.process_groups import Communicator, Request

__all__ = ["CHECKS", "wait"]

_LIMIT: Final = 30.0
_SIZES: Final = (0, 1, 7, 4096, 100_003, 3_000_000)
"""Bytes: nothing, odd numbers, and what transports send in one piece, in several, and by way of shared memory."""


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


def _same(name: str, found: Any, expected: Any) -> None:
    assert found.tobytes() == expected.tobytes(), f"{name}: other bytes came than were sent"


def ranks_are_numbered(world: Communicator) -> None:
    """Every rank from 0 to size - 1 is there once."""
    assert 0 <= world.rank < world.size
    every = np.full(world.size * 8, 255, np.uint8)
    wait(world.all_gather(every, np.array([world.rank], np.int64)))
    assert every.view(np.int64).tolist() == list(range(world.size)), every.view(np.int64).tolist()


def all_gather_keeps_the_order_of_ranks(world: Communicator) -> None:
    """Everybody gets the bytes of all, in the order of ranks; what is sent stays as it is."""
    for size in _SIZES:
        mine, every = _data(world.rank, size), np.empty(size * world.size, np.uint8)
        wait(world.all_gather(every, mine))
        _same("all_gather", every, np.concatenate([_data(rank, size) for rank in range(world.size)]))
        _same("all_gather", mine, _data(world.rank, size))


def all_to_all_transposes(world: Communicator) -> None:
    """Part i goes to rank i, into the place of the sender."""
    for size in _SIZES:
        mine = np.concatenate([_data(world.rank, size, to) for to in range(world.size)])
        every = np.empty_like(mine)
        wait(world.all_to_all(every, mine))
        _same("all_to_all", every, np.concatenate([_data(rank, size, world.rank) for rank in range(world.size)]))


def broadcast_copies_the_root(world: Communicator) -> None:
    """Every root reaches all."""
    for size in _SIZES:
        for root in range(world.size):
            data = _data(world.rank, size)
            wait(world.broadcast(data, root))
            _same("broadcast", data, _data(root, size))


def several_moves_are_under_way(world: Communicator) -> None:
    """Moves that were begun before others are finished do not mix."""
    rows = [np.empty(1000 * world.size, np.uint8) for _ in range(16)]
    wait(*[world.all_gather(row, _data(world.rank, 1000, i)) for i, row in enumerate(rows)])
    for i, row in enumerate(rows):
        _same("all_gather", row, np.concatenate([_data(rank, 1000, i) for rank in range(world.size)]))


def messages_keep_order_and_tags(world: Communicator) -> None:
    """Messages of one tag come in the order in which they were sent, those of others are left for who asks for them."""
    if world.size == 1:
        return
    to, source = (world.rank + 1) % world.size, (world.rank - 1) % world.size
    for size in _SIZES:
        sending = [world.send(_data(world.rank, size, salt), to, tag) for salt, tag in ((0, 5), (1, 5), (2, 6))]
        came = [np.empty(size, np.uint8) for _ in range(3)]
        receiving = [world.receive(came[2], source, 6), world.receive(came[0], source, 5), world.receive(came[1], source, 5)]
        wait(*sending, *receiving)
        for salt in range(3):
            _same("receive", came[salt], _data(source, size, salt))
        assert {move.source for move in receiving} == {source}
        assert all(move.received in (-1, size) for move in receiving)


def messages_come_from_anybody(world: Communicator) -> None:
    """A receiver that takes what comes is told from whom it is."""
    if world.rank:
        wait(world.send(_data(world.rank, 9), 0, 8))
        return
    senders = []
    for _ in range(1, world.size):
        came = np.empty(9, np.uint8)
        move = world.receive(came, -1, 8)
        wait(move)
        _same("receive", came, _data(move.source, 9))
        senders.append(move.source)
    assert sorted(senders) == list(range(1, world.size))


def moves_do_not_wait(world: Communicator) -> None:
    """What nobody answers yet returns at once, and is not finished."""
    if world.size == 1:
        return
    came = np.empty(5, np.uint8)
    if world.rank == 0:
        began = monotonic()
        move = world.receive(came, 1, 9)
        assert not move.done()
        assert monotonic() - began < _LIMIT / 2
        wait(world.send(_data(0, 5), 1, 10), move)
        _same("receive", came, _data(1, 5))
    elif world.rank == 1:
        wait(world.receive(came, 0, 10))
        wait(world.send(_data(1, 5), 0, 9))


def barrier_waits_for_all(world: Communicator) -> None:
    """Nobody leaves before the last has come."""
    if world.size == 1:
        wait(world.barrier())
        return
    if world.rank == world.size - 1:
        sleep(0.2)
        wait(world.barrier())
        return
    move = world.barrier()
    began = monotonic()
    wait(move)
    assert world.rank or monotonic() - began > 0.05, "barrier: it did not wait for the last process"


def parts_are_apart(world: Communicator) -> None:
    """A communicator of some has their ranks in the order given, and does not mix with that of all."""
    reverse: Sequence[int] = list(reversed(range(world.size)))
    turned = world.part(reverse)
    assert turned is not None and (turned.rank, turned.size) == (world.size - 1 - world.rank, world.size)
    one = world.part([world.size - 1])
    assert (one is not None) == (world.rank == world.size - 1)
    every, others = np.empty(8 * world.size, np.uint8), np.empty(8 * world.size, np.uint8)
    wait(world.all_gather(every, _data(world.rank, 8)), turned.all_gather(others, _data(world.rank, 8, 1)))
    _same("all_gather", every, np.concatenate([_data(rank, 8) for rank in range(world.size)]))
    _same("all_gather", others, np.concatenate([_data(rank, 8, 1) for rank in reverse]))
    turned.free()


CHECKS: Final[tuple[Callable[[Communicator], None], ...]] = (
    ranks_are_numbered, all_gather_keeps_the_order_of_ranks, all_to_all_transposes, broadcast_copies_the_root,
    several_moves_are_under_way, messages_keep_order_and_tags, messages_come_from_anybody, moves_do_not_wait, barrier_waits_for_all,
    parts_are_apart,
)  # fmt: skip
"""All of them, in the order in which every process runs them."""

