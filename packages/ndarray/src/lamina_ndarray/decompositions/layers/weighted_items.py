"""Sums of an axis' items by a table of weights: all terms picked at once, weighted, and added up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...creation.array_likes import from_numpy
from ...creation.constructors import zeros_like
from ...creation.conversion import to_device
from ...elementwise import choosing
from ...reductions.sums import sum as total
from ..registering import composed, widened

if TYPE_CHECKING:
    from ...array import NDArray

__all__: list[str] = []

Values = np.ndarray[Any, Any]


def _like(x: NDArray, values: Values) -> NDArray:
    return to_device(from_numpy(np.ascontiguousarray(values)), x.device)


@composed("weighted_items")
def weighted_items(x: NDArray, axis: int, places: Values, weights: Values, used: Values | None) -> NDArray:
    """Compute `sum over j of weights[i, j] * x[places[i, j]]` along an axis, without the terms that are not used."""
    lead = (slice(None),) * axis
    even = bool((weights == 1).all())
    if places.shape[1] == 1 and used is None and even:
        return x[(*lead, _like(x, places[:, 0]))]
    picked = widened(x[(*lead, _like(x, places))])
    shape = (*weights.shape, *(1,) * (x.ndim - axis - 1))
    if used is not None and not used.all():
        picked = choosing.where(_like(x, used.reshape(shape)), picked, zeros_like(picked))
    if not even:
        picked = picked * _like(x, weights.astype(picked.dtype.numpy).reshape(shape))
    return total(picked, axis + 1)
