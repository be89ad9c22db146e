"""Chapter 1. Memory is flat.

A computer knows no matrices, nor even numbers: it has bytes, one after the other. A `Flat` is a piece of memory, and the knowledge of how
to read it: of which dtype its items are, at which byte the first one begins, and how many there are.

Fill what ends in `# task`, from top to bottom, then run: python -m lamina_course check 1
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

CODES: Final = {"bool": "?", "uint8": "B", "int32": "i", "int64": "q", "float32": "f", "float64": "d"}
"""What `memoryview.cast` calls each dtype."""

NUMBER_OF: Final = {"bool": bool, "uint8": int, "int32": int, "int64": int, "float32": float, "float64": float}
"""What an item of each dtype is in Python."""


def itemsize(dtype: str) -> int:  # task
    """Return how many bytes one item of a dtype takes: 1 for bool and uint8; of others, the name tells the bits.

    >>> itemsize("bool"), itemsize("int32"), itemsize("float64")
    (1, 4, 8)
    """
    return 1 if dtype in ("bool", "uint8") else int(dtype[-2:]) // 8


class Flat:
    """`size` items of one dtype, which lie in `memory` one after the other. The first begins at the byte `offset`.

    >>> Flat(bytearray(24), "float64", offset=8, size=2)
    Flat(float64, offset=8, size=2)
    """

    def __init__(self, memory: bytearray, dtype: str, offset: int = 0, size: int = 0) -> None:
        self.memory = memory
        self.dtype = dtype
        self.offset = offset
        self.size = size

    def __repr__(self) -> str:
        return f"Flat({self.dtype}, offset={self.offset}, size={self.size})"

    def position(self, index: int) -> int:  # task
        """Return the byte at which an item begins. `offset` counts bytes, `index` counts items.

        Raise IndexError if there is no such item: memory goes on before the first one and behind the last one, and belongs to others.

        >>> Flat(bytearray(24), "float64", offset=8, size=2).position(1)
        16
        """
        if not 0 <= index < self.size:
            raise IndexError(f"item {index} of {self.size}")
        return self.offset + index * itemsize(self.dtype)

    def read(self, index: int) -> float:  # task
        """Return one item, as a number of Python.

        `memoryview(memory)[begin:end]` is a window on some of the bytes, which copies none; `.cast(CODES[dtype])` reads a window as items.

        >>> Flat(bytearray([1, 0, 0, 0, 2, 1, 0, 0]), "int32", size=2).read(1)
        258
        """
        begin = self.position(index)
        window = memoryview(self.memory)[begin : begin + itemsize(self.dtype)]
        item: float = window.cast(CODES[self.dtype])[0]  # type: ignore[call-overload]
        return item

    def write(self, index: int, value: float) -> None:  # task
        """Set one item. `NUMBER_OF[dtype]` makes of any number one of the kind that the items are.

        >>> flat = Flat(bytearray(4), "uint8", size=4)
        >>> flat.write(2, 7.9)
        >>> flat.memory
        bytearray(b'\\x00\\x00\\x07\\x00')
        """
        begin = self.position(index)
        window = memoryview(self.memory)[begin : begin + itemsize(self.dtype)]
        window.cast(CODES[self.dtype])[0] = NUMBER_OF[self.dtype](value)  # type: ignore[call-overload]

    def part(self, start: int, stop: int) -> Flat:  # task
        """Return the items from `start` up to `stop`, without it: the same memory, with another offset. No byte is copied.

        >>> Flat(bytearray(24), "float64", size=3).part(1, 3)
        Flat(float64, offset=8, size=2)
        """
        return Flat(self.memory, self.dtype, self.offset + start * itemsize(self.dtype), stop - start)

    def read_as(self, dtype: str) -> Flat:  # task
        """Return the same bytes, as items of another dtype. Raise ValueError if they are no whole number of these.

        >>> Flat(bytearray(24), "float64", size=3).read_as("int32")
        Flat(int32, offset=0, size=6)
        """
        nbytes = self.size * itemsize(self.dtype)
        if nbytes % itemsize(dtype):
            raise ValueError(f"{nbytes} bytes are no whole number of {dtype}")
        return Flat(self.memory, dtype, self.offset, nbytes // itemsize(dtype))


def zeros(size: int, dtype: str) -> Flat:  # task
    """Return `size` items in memory of their own, all of whose bytes are 0.

    >>> flat = zeros(3, "float32")
    >>> len(flat.memory), flat
    (12, Flat(float32, offset=0, size=3))
    """
    return Flat(bytearray(size * itemsize(dtype)), dtype, 0, size)


def flat_of(values: Sequence[float], dtype: str) -> Flat:  # task
    """Return the values as items of a dtype, in memory of their own.

    >>> flat_of([1, 0, 2], "bool").memory
    bytearray(b'\\x01\\x00\\x01')
    """
    flat = zeros(len(values), dtype)
    for index, value in enumerate(values):
        flat.write(index, value)
    return flat
