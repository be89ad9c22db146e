"""Blocks of 256 items in groups of 16 or 32, whose scales (and offsets) are small integers times a scale of the whole block.

Layouts and arithmetic follow `dequantize_row_q2_K` and its like in ggml (https://github.com/ggml-org/ggml, src/ggml-quants.c).
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from .bit_planes import unpacked

__all__ = ["K_BLOCKS", "k_items"]

K_BLOCKS: Final = {
    "Q2_K": np.dtype([("scales", "u1", 16), ("q", "u1", 64), ("d", "<f2"), ("m", "<f2")]),
    "Q3_K": np.dtype([("high", "u1", 32), ("q", "u1", 64), ("scales", "u1", 12), ("d", "<f2")]),
    "Q4_K": np.dtype([("d", "<f2"), ("m", "<f2"), ("scales", "u1", 12), ("q", "u1", 128)]),
    "Q5_K": np.dtype([("d", "<f2"), ("m", "<f2"), ("scales", "u1", 12), ("high", "u1", 32), ("q", "u1", 128)]),
    "Q6_K": np.dtype([("q", "u1", 128), ("high", "u1", 64), ("scales", "i1", 16), ("d", "<f2")]),
}
"""How a block lies in the file: its scale and offset, those of its groups, the highest bits of its numbers, the others."""

_Bytes = NDArray[np.uint8]


def k_items(name: str, blocks: NDArray[Any]) -> NDArray[np.float32]:
    """Return the items of n blocks of a type: (n, 256)."""
    return _ITEMS[name](blocks)


def _scaled(numbers: NDArray[Any], d: NDArray[Any], scales: NDArray[Any]) -> NDArray[np.float32]:
    """(n, groups, items): the numbers of each group times d times the group's scale."""
    items = numbers.astype(np.float32).reshape(*scales.shape, -1)
    items *= (d.astype(np.float32)[:, None] * scales.astype(np.float32))[:, :, None]
    return items


def _offset(items: NDArray[np.float32], m: NDArray[Any], offsets: _Bytes) -> NDArray[np.float32]:
    """(n, 256): what `_scaled` gives, less m times the group's offset."""
    items -= (m.astype(np.float32)[:, None] * offsets.astype(np.float32))[:, :, None]
    return items.reshape(len(items), -1)


def _q2(blocks: NDArray[Any]) -> NDArray[np.float32]:
    scales = blocks["scales"]
    items = _scaled(unpacked(blocks["q"], 2, 32), blocks["d"], scales & np.uint8(15))
    return _offset(items, blocks["m"], scales >> np.uint8(4))


def _q3(blocks: NDArray[Any]) -> NDArray[np.float32]:
    low, high = unpacked(blocks["scales"][:, :8], 4, 8), unpacked(blocks["scales"][:, 8:], 2, 4)
    scales = (low | high << np.uint8(4)).view(np.int8) - np.int8(32)
    numbers = (unpacked(blocks["q"], 2, 32) | unpacked(blocks["high"], 1, 32) << np.uint8(2)).view(np.int8) - np.int8(4)
    return _scaled(numbers, blocks["d"], scales).reshape(len(blocks), -1)


def _scales_and_offsets(packed: _Bytes) -> tuple[_Bytes, _Bytes]:
    """Of (n, 12) bytes the 6 bits of 8 scales and 8 offsets: four of each lie in the first eight bytes; of the other four, the
    lower bits are in the last bytes, and the upper two bits above those of the first four.
    """
    first, second, last = packed[:, :4], packed[:, 4:8], packed[:, 8:]
    lower, upper = np.uint8(15), np.uint8(0x30)
    scales = np.concatenate([first & np.uint8(63), last & lower | first >> np.uint8(2) & upper], 1)
    offsets = np.concatenate([second & np.uint8(63), last >> np.uint8(4) | second >> np.uint8(2) & upper], 1)
    return scales, offsets


def _q4(blocks: NDArray[Any]) -> NDArray[np.float32]:
    scales, offsets = _scales_and_offsets(blocks["scales"])
    return _offset(_scaled(unpacked(blocks["q"], 4, 32), blocks["d"], scales), blocks["m"], offsets)


def _q5(blocks: NDArray[Any]) -> NDArray[np.float32]:
    scales, offsets = _scales_and_offsets(blocks["scales"])
    numbers = unpacked(blocks["q"], 4, 32) | unpacked(blocks["high"], 1, 32) << np.uint8(4)
    return _offset(_scaled(numbers, blocks["d"], scales), blocks["m"], offsets)


def _q6(blocks: NDArray[Any]) -> NDArray[np.float32]:
    numbers = (unpacked(blocks["q"], 4, 64) | unpacked(blocks["high"], 2, 32) << np.uint8(4)).view(np.int8) - np.int8(32)
    return _scaled(numbers, blocks["d"], blocks["scales"]).reshape(len(blocks), -1)


_ITEMS: Final = {"Q2_K": _q2, "Q3_K": _q3, "Q4_K": _q4, "Q5_K": _q5, "Q6_K": _q6}
