"""Items in order along an axis."""

from __future__ import annotations

from lamina_flatarray import dtypes as dt

from .array import NDArray, empty_of
from .broadcast import normalize_axis
from .layout import Layout

__all__ = ["argsort", "sort"]


def sort(x: NDArray, axis: int = -1, descending: bool = False) -> tuple[NDArray, NDArray]:
    """The items in order along an axis and their int64 positions; stable, NaN greatest."""
    at = normalize_axis(axis, x.layout.ndim, "sort")
    kernels = x.flat.kernels
    layout = Layout.dense(x.layout.shape)
    values, positions = empty_of(kernels, layout), empty_of(kernels.sibling(dt.int64), layout)
    if x.layout.ndim == 0:
        kernels["copy"](values, x)
        positions.flat.kernels["fill"](positions, value=0)
    else:
        kernels["sort"]((values, positions), x, axis=at, descending=descending)
    return values, positions


def argsort(x: NDArray, axis: int = -1, descending: bool = False) -> NDArray:
    """The int64 positions that put an axis in order; stable, NaN last (first if descending)."""
    return sort(x, axis, descending)[1]
