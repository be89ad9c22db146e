"""Sums of an axis' items by a sparse table of weights, and the table that undoes the sums to gradients."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..array import NDArray
from ..conversion import to_device
from ..creation import from_numpy, zeros_like
from ..elementwise import FUNCTIONS
from ..reductions import sum as total

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
    lead = (slice(None),) * axis
    if places.shape[1] == 1 and used is None and (weights == 1).all():
        return x[(*lead, _like(x, places[:, 0]))]
    picked = x[(*lead, _like(x, places))]
    shape = (*weights.shape, *(1,) * (x.ndim - axis - 1))
    if used is not None and not used.all():
        picked = FUNCTIONS["where"](_like(x, used.reshape(shape)), picked, zeros_like(picked))
    if not (weights == 1).all():
        picked = picked * _like(x, weights.astype(x.dtype.numpy).reshape(shape))
    return total(picked, axis + 1)


def _like(x: NDArray, values: Values) -> NDArray:
    return to_device(from_numpy(np.ascontiguousarray(values)), x.device)


def transposed_weights(
    length: int, places: Values, weights: Values, used: Values | None = None
) -> tuple[Values, Values, Values]:
    """The table of the transpose: per item of the axis, of this length, the rows that it has a part in, and their weights."""
    rows = np.repeat(np.arange(len(places)), places.shape[1])
    items, shares = places.reshape(-1), weights.reshape(-1)
    if used is not None:
        kept = used.reshape(-1)
        rows, items, shares = rows[kept], items[kept], shares[kept]
    order = np.argsort(items, kind="stable")
    counts = np.bincount(items, minlength=length)
    filled = np.arange(int(counts.max(initial=1))) < counts[:, None]
    found, scaled = np.zeros(filled.shape, np.int64), np.zeros(filled.shape)
    found[filled], scaled[filled] = rows[order], shares[order]
    return found, scaled, filled
