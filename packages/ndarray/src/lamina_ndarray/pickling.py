"""Arrays made again from what a pickle holds of them: the flat array, which pickles itself, and the layout over it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lamina_flatarray import FlatArray

from .array_fields import array_of
from .layouts.layout import Layout
from .shapes.views import as_strided

if TYPE_CHECKING:
    from .array import NDArray

__all__ = ["restored"]


def restored(memory: FlatArray, shape: tuple[int, ...], strides: tuple[int, ...], offset: int) -> NDArray:
    """Make an array over flat memory.

    Args:
        memory: what its items are in.
        shape, strides, offset: its layout there.

    Raises:
        ShapeError: the layout leads out of the memory.
        TypeError: `memory` is no flat array.
    """
    if not isinstance(memory, FlatArray):
        raise TypeError(f"restored: {type(memory).__name__} given as memory; an array's is a FlatArray")
    return as_strided(array_of(memory, Layout.dense((memory.size,))), shape, strides, offset)
