"""Blocks turned into items, a bounded number of them at a time."""

from __future__ import annotations

from math import prod
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from lamina_flatarray import DType

from .k_blocks import K_BLOCKS, k_items
from .small_blocks import SMALL_BLOCKS, small_items
from .tensor_types import TensorType

__all__ = ["blocks_in", "dequantized", "is_readable"]

_AT_ONCE: Final = 1 << 17
"""Of how many items there are numbers of several kinds in memory at a time."""


def is_readable(kind: TensorType) -> bool:
    """Whether it is known how blocks of this type are laid out."""
    return kind.name in SMALL_BLOCKS or kind.name in K_BLOCKS


def blocks_in(raw: NDArray[np.uint8], kind: TensorType) -> NDArray[Any]:
    """View bytes as the blocks of a type: (n,)."""
    return raw.view(SMALL_BLOCKS.get(kind.name) or K_BLOCKS[kind.name])


def dequantized(raw: NDArray[np.uint8], kind: TensorType, dtype: DType) -> NDArray[np.uint8]:
    """Return the items of all blocks in bytes as bytes of a dtype; they are float32 before they are rounded to it.

    Args:
        raw: the bytes of whole blocks.
        kind: their type.
        dtype: of the items that are wanted, floating-point.
    """
    blocks = blocks_in(raw, kind)
    items_of = small_items if kind.name in SMALL_BLOCKS else k_items
    items: NDArray[Any] = np.empty(prod((len(blocks), kind.items)), dtype.numpy)
    step = _AT_ONCE // kind.items
    with np.errstate(over="ignore", invalid="ignore"):  # infinite scales are the file's own affair
        for begin in range(0, len(blocks), step):
            part = blocks[begin : begin + step]
            items[begin * kind.items : (begin + len(part)) * kind.items] = items_of(kind.name, part).reshape(-1)
    return items.view(np.uint8)
