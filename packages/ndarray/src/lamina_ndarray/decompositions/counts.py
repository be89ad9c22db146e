"""Counts of items, made of scatters: each adds one, or its weight, to the bin that it falls into."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lamina_flatarray import dtypes as dt
from lamina_flatarray.backends.kernel_table import decompositions

from ..creation.constructors import ones_like, zeros_like
from ..dispatch.operands import cast, copy_to
from ..elementwise.choosing import clip, where
from ..elementwise.comparison import logical_and as both
from ..indexing.gathering import scatter_add
from ..sorting.searching import searchsorted
from .registering import as_array

if TYPE_CHECKING:
    from ..array import NDArray

__all__: list[str] = []


def bincount(out: Any, x: Any, weights: Any) -> None:
    """`out` tells how many numbers there are."""
    places = as_array(x)
    places = cast(places, places.flat.kernels.sibling(dt.int64))
    increments = ones_like(places) if weights is None else as_array(weights)
    copy_to(out, scatter_add(zeros_like(as_array(out)), places, increments, 0))


def _binned(out: Any, places: NDArray, inside: NDArray, weights: Any) -> None:
    increments = cast(inside, out.flat.kernels) if weights is None else where(inside, as_array(weights), 0)
    bincount(out, where(inside, places, 0), increments)


def histc(out: Any, x: Any, low: float, high: float) -> None:
    """By the distance from the lower end."""
    x, bins = as_array(x), out.layout.size
    wide = cast(x, x.flat.kernels.sibling(dt.float32 if x.dtype.is_floating_point and x.itemsize < 8 else dt.float64))
    inside = both(wide >= low, wide <= high)
    place = clip(where(inside, wide - low, 0.0) * (bins / (high - low)), None, bins - 1)
    _binned(out, cast(place, x.flat.kernels.sibling(dt.int64)), inside, None)


def histogram(out: Any, x: Any, edges: Any, weights: Any) -> None:
    """By the place among the edges; the last interval contains its right edge."""
    x, edges = as_array(x), as_array(edges)
    places = clip(searchsorted(edges, x, right=True) - 1, 0, out.layout.size - 1)
    _binned(out, places, both(x >= edges[0], x <= edges[-1]), weights)


decompositions.update({function.__name__: function for function in (bincount, histc, histogram)})
