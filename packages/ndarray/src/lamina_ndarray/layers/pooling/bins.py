"""Where the bins of an adaptive or random pooling lie, and the items in them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

__all__ = ["bins", "places_in_bins"]

Values = np.ndarray[Any, Any]


def bins(length: int, count: int) -> tuple[Values, Values]:
    """Where each of `count` overlapping bins of nearly equal length begins and ends."""
    i = np.arange(count)
    return i * length // max(count, 1), -(-(i + 1) * length // max(count, 1))


def places_in_bins(starts: Sequence[Values], stops: Sequence[Values], lengths: Sequence[int]) -> Values:
    """The flat positions (..., bins, items) of the items of each bin; short bins name their last one again. Starts and stops are
    (..., count) per axis."""
    lead = starts[0].shape[:-1]
    result = np.zeros((*lead, 1, 1), np.int64)
    for start, stop, n in zip(starts, stops, lengths, strict=True):
        items = np.arange(int((stop - start).max(initial=1)))
        at = np.minimum(start[..., None] + items, stop[..., None] - 1)
        result = result[..., :, None, :, None] * n + at[..., None, :, None, :]
        shape = result.shape
        result = result.reshape(*lead, shape[-4] * shape[-3], shape[-2] * shape[-1])
    return result
