"""Memory that knows of each byte whether it was written: of the device, of blocks of threads, and of each thread."""

from typing import Any, NamedTuple

import numpy as np
from standin.memory import Block, Space

from .races import Races

__all__ = ["LOCAL", "SHARED", "LaneMemory", "Users", "WatchedBlock", "WatchedSpace", "Wrong", "parameters"]

SHARED, LOCAL = 1 << 60, 1 << 61
"""Where shared and local memory begin among all addresses."""

_SHIFT, _OFFSETS = np.uint64(32), np.uint64(0xFFFFFFFF)
_WRITTEN = {n: np.dtype(f"u{n}").type(int.from_bytes(b"\1" * n, "little")) for n in (1, 2, 4, 8)}
_OUTSIDE = {n: np.dtype(f"u{n}").type(int.from_bytes(b"\2" * n, "little")) for n in (1, 2, 4, 8)}


class Wrong(Exception):
    """An access that is a fault: what it is, and the place of the first thread that does it among those that are active."""

    def __init__(self, what: str, place: int) -> None:
        super().__init__(what)
        self.what, self.place = what, place


class Users(NamedTuple):
    """The threads that use memory in one step.

    Attributes:
        rows: which row of shared or local memory is each one's.
        lanes: which thread of the launch each is; None where what they do may race, as what is atomic does.
        clocks: the barriers that each has passed.
        races: by block of the device's memory, who used it in this launch.
        block: how many threads a block has.
    """

    rows: Any
    lanes: Any
    clocks: Any
    races: dict[Any, Races]
    block: int

    def some(self, places: Any) -> "Users":
        """Return some of them."""
        return self if self.lanes is None else self._replace(lanes=self.lanes[places], clocks=self.clocks[places])


class _Watched:
    """Bytes, and a mark for each: 0 never written, 1 written, 2 nobody's."""

    def __init__(self, data, marks):
        self.data, self.marks = data, marks
        self.complete = False  # every byte is known to have been written
        self._views = {}

    def views(self, kind):
        """Data and marks as items of a type."""
        found = self._views.get(kind)
        if found is None:
            whole = len(self.data) // kind.itemsize * kind.itemsize
            found = self._views[kind] = self.data[:whole].view(kind), self.marks[:whole].view(f"u{kind.itemsize}")
        return found

    def unwritten(self, index, kind):
        """Where items were never written; None where all were."""
        if self.complete:
            return None
        marks = self.views(kind)[1]
        bad = marks[index] != _WRITTEN[kind.itemsize]
        if not bad.any():
            self.complete = bool((self.marks == 1).all())
            return None
        nobodys = marks[index] & _OUTSIDE[kind.itemsize] != 0
        if nobodys.any():
            raise Wrong("an access out of bounds", int(nobodys.argmax()))
        return bad

    def read(self, index, kind, users, races):
        data, _ = self.views(kind)
        if races is not None and users.lanes is not None:
            bad = races.reads(index * np.uint64(kind.itemsize), users.lanes, users.clocks)
            if bad is not None:
                raise Wrong("a race: a read of what another thread writes, with no barrier in between", int(bad.argmax()))
        return data[index]

    def write(self, index, values, kind, users, races):
        data, marks = self.views(kind)
        if not self.complete:
            bad = marks[index] & _OUTSIDE[kind.itemsize] != 0
            if bad.any():
                raise Wrong("an access out of bounds", int(bad.argmax()))
            marks[index] = _WRITTEN[kind.itemsize]
        data[index] = values
        if races is not None and users.lanes is not None:
            bad = races.writes(index * np.uint64(kind.itemsize), users.lanes, users.clocks, values, data[index])
            if bad is not None:
                raise Wrong("a race: a write of what another thread uses, with no barrier in between", int(bad.argmax()))


def _written(bad):
    if bad is not None and bad.any():
        raise Wrong("a read of memory that was never written", int(bad.argmax()))


class WatchedBlock(Block):
    """A block of the device's memory."""

    def __init__(self, base, nbytes, stream) -> None:
        super().__init__(base, nbytes, stream)
        self.watched = _Watched(self.bytes, np.zeros(nbytes, np.uint8))

    def was_written(self, offset: int, nbytes: int) -> None:
        """Note that the host, or the library of products, wrote bytes."""
        self.watched.marks[offset : offset + nbytes] = 1


class WatchedSpace(Space):
    """All of the device's memory; a block that was freed is never found again under any address."""

    block = WatchedBlock

    def _within(self, addresses, nbytes):
        """The block of addresses that are all in one, and offsets in it."""
        first = int(addresses[0]) >> 32
        block = self.blocks.get(first)
        offsets = addresses - np.uint64(first << 32)
        limit = block.nbytes - nbytes if block is not None else -1
        bad = offsets > np.uint64(limit) if limit >= 0 else np.ones(len(addresses), bool)
        if bad.any():
            place = int(bad.argmax())
            if place and int(addresses[place]) >> 32 != first:
                return None, offsets  # perhaps of another block
            raise Wrong(self._why(int(addresses[place]), block), place)
        return block, offsets

    def _why(self, address, block):
        if block is not None:
            return f"an access out of bounds of a block of {block.nbytes} bytes"
        following = self.blocks.get((address >> 32) + 1)
        if following is not None and address & 0xFFFFFFFF >= 1 << 31:
            return f"an access out of bounds, before a block of {following.nbytes} bytes"
        return "an access where there is no memory, or none any more"

    def _parts(self, addresses, nbytes):
        """Blocks, which of the addresses are in each, and offsets."""
        block, offsets = self._within(addresses, nbytes)
        if block is not None:
            yield block, slice(None), offsets
            return
        numbers = addresses >> _SHIFT
        for number in np.unique(numbers):
            places = np.flatnonzero(numbers == number)
            try:
                block, offsets = self._within(addresses[places], nbytes)
            except Wrong as wrong:
                raise Wrong(wrong.what, int(places[wrong.place])) from None
            yield block, places, offsets

    def load(self, addresses, users, kind, count):
        """Read `count` items from each address."""
        size = kind.itemsize
        made = np.empty((count, len(addresses)), kind)
        for block, places, offsets in self._parts(addresses, size * count):
            index = offsets // np.uint64(size)
            own, races = users.some(places), self._races(block, users)
            for i in range(count):
                _written(block.watched.unwritten(index + np.uint64(i), kind))
                made[i, places] = block.watched.read(index + np.uint64(i), kind, own, races)
        return made

    def store(self, addresses, users, kind, values):
        """Write items to each address."""
        size = kind.itemsize
        for block, places, offsets in self._parts(addresses, size * len(values)):
            index = offsets // np.uint64(size)
            own, races = users.some(places), self._races(block, users)
            for i, items in enumerate(values):
                block.watched.write(index + np.uint64(i), items[places], kind, own, races)

    def _races(self, block, users):
        found = users.races.get(block)
        if found is None:
            found = users.races[block] = Races(block.nbytes, users.block)
        return found


class LaneMemory:
    """Shared or local memory: the same variables for each row, which is a block of so many threads, or a thread."""

    def __init__(self, variables: dict[str, tuple[int, int]], size: int, rows: int, block: int | None = None) -> None:
        self.size = -(-size // 16) * 16
        marks = np.full(self.size, 2, np.uint8)
        for begin, nbytes in variables.values():
            marks[begin : begin + nbytes] = 0
        self.watched = _Watched(np.full(self.size * rows, 0xA5, np.uint8), np.tile(marks, rows))
        self.races = Races(self.size * rows, block, shared=True) if variables and block else None

    def _index(self, addresses, rows, nbytes, size):
        offsets = addresses & _OFFSETS
        bad = offsets > np.uint64(self.size - nbytes)
        if bad.any():
            raise Wrong("an access out of bounds", int(bad.argmax()))
        return (rows * np.uint64(self.size) + offsets) // np.uint64(size)

    def load(self, addresses, users, kind, count):
        """Read `count` items from each row's address."""
        index = self._index(addresses, users.rows, kind.itemsize * count, kind.itemsize)
        bad = [self.watched.unwritten(index + np.uint64(i), kind) for i in range(count)]
        if not any(one is None for one in bad):  # a part that was written makes the others padding, which goes with it
            _written(np.logical_and.reduce(bad))
        return [self.watched.read(index + np.uint64(i), kind, users, self.races) for i in range(count)]

    def store(self, addresses, users, kind, values):
        """Write items to each row's address."""
        index = self._index(addresses, users.rows, kind.itemsize * len(values), kind.itemsize)
        for i, items in enumerate(values):
            self.watched.write(index + np.uint64(i), items, kind, users, self.races)


def parameters(packed: bytes) -> LaneMemory:
    """What a kernel is given, as memory that all threads read."""
    memory = LaneMemory({"": (0, len(packed))}, len(packed), 1)
    memory.watched.data[: len(packed)] = np.frombuffer(packed, np.uint8)
    memory.watched.marks[: len(packed)] = 1
    return memory
