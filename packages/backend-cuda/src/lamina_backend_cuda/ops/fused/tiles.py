"""Tiles of products: how large they are for each dtype; as in `kernels/fused/tiles/tiles.cuh`."""

from __future__ import annotations

from typing import Final

from lamina_flatarray.dtypes import DType

from .lines import wide

__all__ = ["THREADS", "declared", "tile_of"]

THREADS: Final = 256
"""How many threads make a tile."""

_SIDE: Final = 16
_OWN: Final = {4: 4, 8: 2}


def tile_of(dtype: DType) -> int:
    """Return how many rows and columns a tile has.

    Args:
        dtype: of the items.
    """
    return _SIDE * _OWN[wide(dtype).itemsize]


def declared(dtype: DType) -> str:
    """Return what the source of tiles wants to be told.

    Args:
        dtype: of the items.
    """
    return f"#define OWN {_OWN[wide(dtype).itemsize]}  // a thread has so many rows and columns"
