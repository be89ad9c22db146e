"""Memory of pretended devices: addresses that mean nothing to the host, and guards around each block."""

import weakref
from collections import Counter
from itertools import count

import numpy as np

from .order import HostStream, Use
from .refusals import Refused

__all__ = ["Block", "HostMemory", "Space"]

_SHIFT = 32  # each block has a range of addresses of its own, which no later one is given again
_GUARD = 256
_PAD, _POISON = 0xC3, 0xA5
_EDGE = bytes([_PAD]) * _GUARD


class HostMemory:
    """What `allocate` gives: an address, whose bytes are freed with this object."""

    def __init__(self, address: int, nbytes: int) -> None:
        self.address = address
        self.nbytes = nbytes


class Block:
    """The bytes behind an address, between guards, and the order of their uses."""

    def __init__(self, base: int, nbytes: int, stream: HostStream) -> None:
        self.base, self.nbytes, self.index = base, nbytes, stream.index
        raw = np.full(nbytes + 3 * _GUARD, _PAD, np.uint8)
        begin = -raw.ctypes.data % _GUARD + _GUARD
        self.whole = raw[begin - _GUARD : begin + nbytes + _GUARD]
        self.bytes = self.whole[_GUARD : _GUARD + nbytes]
        self.bytes[:] = _POISON
        self.host = raw.ctypes.data + begin  # where the host has the bytes
        self.use = Use(stream)

    def check_guards(self, what: str) -> None:
        """Refuse a write next to the block."""
        if self.whole[:_GUARD].tobytes() != _EDGE or self.whole[_GUARD + self.nbytes :].tobytes() != _EDGE:
            raise Refused(f"{what} wrote outside of a block of {self.nbytes} bytes")


class Space:
    """All blocks of all devices by address."""

    block = Block

    def __init__(self) -> None:
        self.blocks: dict[int, Block] = {}
        self.used: Counter[int] = Counter()  # bytes by device
        self.kept: Counter[int] = Counter()  # these, and what a pool would keep of freed ones
        self._numbers = count(1)

    def allocate(self, nbytes: int, stream: HostStream) -> HostMemory:
        """Make a block."""
        number = next(self._numbers)
        memory = HostMemory(number << _SHIFT, nbytes)
        self.blocks[number] = self.block(memory.address, nbytes, stream)
        self.used[stream.index] += nbytes
        self.kept[stream.index] = max(self.kept[stream.index], self.used[stream.index])
        weakref.finalize(memory, self._free, number)
        return memory

    def _free(self, number: int) -> None:
        block = self.blocks.pop(number)
        self.used[block.index] -= block.nbytes

    def find(self, address: int, nbytes: int, what: str) -> tuple[Block, int]:
        """Return the block of an address, and how far in it lies."""
        block = self.blocks.get(address >> _SHIFT)
        if block is None:
            raise Refused(f"{what} uses address {address:#x}, where there is no memory, or none any more")
        offset = address - block.base
        if offset + nbytes > block.nbytes:
            raise Refused(f"{what} uses bytes {offset} to {offset + nbytes} of a block of {block.nbytes}")
        return block, offset
