"""Philox4x32-10: counter-based random words for devices other than the CPU.

Every fill takes the next *offset* of the stream; element `i` of that fill owns the four words of the counter
`(i low, i high, offset low, offset high)` under the key `(seed low, seed high)`. So an element's value
depends on nothing but (seed, offset, i): any number of threads, on any device, in any order, gets the same
words.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from ..errors import RandomError

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["Philox", "philox4x32"]

_U32: TypeAlias = "npt.NDArray[np.uint32]"
_MULTIPLIERS: Final = (np.uint64(0xD2511F53), np.uint64(0xCD9E8D57))
_WEYL: Final = (0x9E3779B9, 0xBB67AE85)
_ROUNDS: Final = 10
_LOW: Final = np.uint64(0xFFFFFFFF)
_HALF: Final = np.uint64(32)
_CHUNK: Final = 1 << 13  # the working set of the rounds stays in the cache


def philox4x32(counter: tuple[_U32, _U32, _U32, _U32], key: tuple[int, int]) -> tuple[_U32, _U32, _U32, _U32]:
    """Return the random words of counters under a key: the bijection Philox4x32-10.

    Salmon et al., Parallel random numbers: as easy as 1, 2, 3, SC 2011; bit-equal to Random123.

    Args:
        counter: four uint32 arrays of one shape (or that broadcast to one).
        key: two 32-bit integers.

    Returns:
        Four uint32 arrays of that shape.

    >>> zero = np.zeros(1, np.uint32)
    >>> [hex(word[0]) for word in philox4x32((zero, zero, zero, zero), (0, 0))]
    ['0x6627e8d5', '0xe169c58d', '0xbc57ac4c', '0x9b00dbd8']
    """
    c0, c1, c2, c3 = (np.asarray(c).astype(np.uint64) for c in counter)
    for turn in range(_ROUNDS):
        k0, k1 = (np.uint64((k + turn * step) & 0xFFFFFFFF) for k, step in zip(key, _WEYL, strict=True))
        left, right = c0 * _MULTIPLIERS[0], c2 * _MULTIPLIERS[1]
        c0, c1, c2, c3 = (right >> _HALF) ^ c1 ^ k0, right & _LOW, (left >> _HALF) ^ c3 ^ k1, left & _LOW
    w0, w1, w2, w3 = (c.astype(np.uint32) for c in (c0, c1, c2, c3))
    return w0, w1, w2, w3


class Philox:
    """The stream (seed, offset) of counters. Not thread-safe; `Generator` holds the lock.

    Args:
        seed: 0 <= seed < 2**64.

    Attributes:
        seed_value: the seed.
        offset: how many fills have taken numbers.

    >>> stream = Philox(0)
    >>> stream.draws32(2).shape, stream.offset
    ((2,), 1)
    """

    __slots__ = ("offset", "seed_value")

    def __init__(self, seed: int) -> None:
        self.seed(seed)

    def seed(self, seed: int) -> None:
        """Start the stream of `seed` (0 <= seed < 2**64) at offset 0."""
        self.seed_value, self.offset = seed, 0

    def words(self, count: int) -> _U32:
        """Return the four words of each of `count` elements, shape (4, count), and take one offset if count > 0."""
        out = np.empty((4, count), np.uint32)
        if count == 0:
            return out
        offset_low, offset_high = (np.uint32(self.offset >> s & 0xFFFFFFFF) for s in (0, 32))
        key = (self.seed_value & 0xFFFFFFFF, self.seed_value >> 32)
        for begin in range(0, count, _CHUNK):
            index = np.arange(begin, min(begin + _CHUNK, count), dtype=np.uint64)
            counter = (
                (index & _LOW).astype(np.uint32),
                (index >> _HALF).astype(np.uint32),
                offset_low,
                offset_high,
            )
            out[:, begin : begin + _CHUNK] = philox4x32(counter, key)  # type: ignore[arg-type]
        self.offset = (self.offset + 1) & 0xFFFFFFFFFFFFFFFF
        return out

    def draws32(self, count: int) -> _U32:
        """Return word 0 of each of `count` elements."""
        words: _U32 = self.words(count)[0]
        return words

    def draws64(self, count: int) -> npt.NDArray[np.uint64]:
        """Return word 0 (high) and word 1 (low) of each of `count` elements, as one number."""
        high, low = self.words(count)[:2].astype(np.uint64)
        draws: npt.NDArray[np.uint64] = (high << _HALF) | low
        return draws

    def to_bytes(self) -> npt.NDArray[np.uint8]:
        """Return the state: uint8, shape (16,): seed and offset, little-endian."""
        return np.frombuffer(struct.pack("<QQ", self.seed_value, self.offset), np.uint8).copy()

    def from_bytes(self, data: npt.NDArray[np.uint8]) -> None:
        """Continue from a saved state.

        Raises:
            RandomError: it is not uint8 of shape (16,).
        """
        data = np.asarray(data)
        if data.dtype != np.uint8 or data.shape != (16,):
            raise RandomError(f"set_state: {data.dtype} of shape {data.shape}; it wants uint8 of shape (16,)")
        self.seed_value, self.offset = struct.unpack("<QQ", data.tobytes())
