"""Blocks of 32 items with one scale d, and some with an offset m: item = d * q, or d * q + m.

Layouts and arithmetic follow `dequantize_row_q4_0` and its like in ggml (https://github.com/ggml-org/ggml, src/ggml-quants.c).
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .bit_planes import unpacked

__all__ = ["SMALL_BLOCKS", "Parts", "parts_of", "small_items"]

SMALL_BLOCKS: Final = {
    "Q4_0": np.dtype([("d", "<f2"), ("q", "u1", 16)]),
    "Q4_1": np.dtype([("d", "<f2"), ("m", "<f2"), ("q", "u1", 16)]),
    "Q5_0": np.dtype([("d", "<f2"), ("high", "u1", 4), ("q", "u1", 16)]),
    "Q5_1": np.dtype([("d", "<f2"), ("m", "<f2"), ("high", "u1", 4), ("q", "u1", 16)]),
    "Q8_0": np.dtype([("d", "<f2"), ("q", "i1", 32)]),
}
"""How a block lies in the file: scale, offset, the highest bits of its numbers, the others."""

_TAKEN_OFF: Final = {"Q4_0": 8, "Q5_0": 16}  # their numbers are stored without a sign


class Parts(NamedTuple):
    """What n blocks hold, without a rounding; parts of their memory where they lie there as they are.

    Attributes:
        q: (n, 32), the integers.
        d: (n,), the scales.
        m: (n,), the offsets, of types that have some.
    """

    q: NDArray[np.int8]
    d: NDArray[np.float16]
    m: NDArray[np.float16] | None


def parts_of(name: str, blocks: NDArray[Any]) -> Parts:
    """Take blocks apart.

    Args:
        name: their type.
        blocks: (n,), of the type's dtype.
    """
    fields = SMALL_BLOCKS[name].names or ()
    return Parts(_integers(name, blocks), blocks["d"], blocks["m"] if "m" in fields else None)


def _integers(name: str, blocks: NDArray[Any]) -> NDArray[np.int8]:
    if name == "Q8_0":
        integers: NDArray[np.int8] = blocks["q"]
        return integers
    numbers = unpacked(blocks["q"], 4, 16)
    if "high" in (SMALL_BLOCKS[name].names or ()):
        numbers |= unpacked(blocks["high"], 1, 1) << np.uint8(4)
    integers = numbers.view(np.int8)
    integers -= np.int8(_TAKEN_OFF.get(name, 0))
    return integers


def small_items(name: str, blocks: NDArray[Any]) -> NDArray[np.float32]:
    """Return the items of n blocks of a type: (n, 32)."""
    q, d, m = parts_of(name, blocks)
    items = q.astype(np.float32)
    items *= d.astype(np.float32)[:, None]
    if m is not None:
        items += m.astype(np.float32)[:, None]
    return items
