"""Sums of an axis' items by a sparse table of weights, and the table that undoes the sums to gradients."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...array_fields import empty_of
from ...creation.array_likes import from_numpy
from ...creation.conversion import to_device
from ...layouts.image_order import arranged, image_layout
from ...layouts.layout import Layout
from ...shapes.views import contiguous

if TYPE_CHECKING:
    from ...array import NDArray

__all__ = ["weighted_items"]

Values = np.ndarray[Any, Any]


def weighted_items(x: NDArray, axis: int, places: Values, weights: Values, used: Values | None = None) -> NDArray:
    """Along an axis, per row of a table, the sum of some items by weights.

    Args:
        x: the items.
        axis: from 0.
        places: which items, (count, terms); in NumPy's arrays, as the two others.
        weights: their weights, of the same shape.
        used: which terms count; the others have no say even where an item is infinite or NaN. None for all.

    Returns:
        x's shape with `count` on that axis.
    """
    if used is None and not x.dtype.is_inexact and places.shape[1] == 1 and (weights == 1).all():
        return x[(*(slice(None),) * axis, to_device(from_numpy(np.ascontiguousarray(places[:, 0])), x.device))]
    input_layout, shape = x.layout, x.layout.shape
    x = contiguous(x)
    result = empty_of(x.flat.kernels, Layout.dense((*shape[:axis], len(places), *shape[axis + 1 :])))
    result.flat.kernels["weighted_items"](
        result, x, axis=axis, places=np.ascontiguousarray(places, np.int64),
        weights=np.ascontiguousarray(weights, np.float64), used=None if used is None else np.ascontiguousarray(used),
    )  # fmt: skip
    return result if input_layout.row_major else arranged(result, image_layout(result.layout.shape, input_layout))


def transposed_weights(
    length: int, places: Values, weights: Values, used: Values | None = None
) -> tuple[Values, Values, Values]:
    """The table of the transpose: per item of the axis, of this length, the rows that it has a part in, and their weights."""
    rows = np.repeat(np.arange(len(places)), places.shape[1])
    items, shares = places.reshape(-1), weights.reshape(-1)
    if used is not None:
        mask = used.reshape(-1)
        rows, items, shares = rows[mask], items[mask], shares[mask]
    order = np.argsort(items, kind="stable")
    counts = np.bincount(items, minlength=length)
    filled = np.arange(int(counts.max(initial=1))) < counts[:, None]
    sources, scaled = np.zeros(filled.shape, np.int64), np.zeros(filled.shape)
    sources[filled], scaled[filled] = rows[order], shares[order]
    return sources, scaled, filled
