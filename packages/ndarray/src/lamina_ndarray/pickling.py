"""Arrays made again from what a pickle holds of them: the items as bytes, the name of the dtype, the shape and the device."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lamina_flatarray import FlatArray
from lamina_flatarray.dtypes import dtype_of

from .array_fields import array_of
from .creation.conversion import to_device
from .layouts.layout import Layout
from .shapes.views import view

if TYPE_CHECKING:
    from .array import NDArray

__all__ = ["restored"]


def restored(items: bytes, dtype: str, shape: tuple[int, ...], device: str) -> NDArray:
    """Make an array of its items in row-major order; the only function that a pickle of an array names.

    Args:
        items: as bytes.
        dtype: the name of their dtype.
        shape: of the array.
        device: where it goes.

    Raises:
        BackendError: nobody serves the device here.
        DTypeError: there is no such dtype.
        ShapeError: the bytes do not make so many items.
    """
    flat = FlatArray.from_buffer(items, dtype_of(dtype))
    return to_device(view(array_of(flat, Layout.dense((flat.size,))), shape), device)
