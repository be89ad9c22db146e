"""Derived ops about order, written with the whole sort and with comparisons."""

from __future__ import annotations

from typing import Any

from ..array import NDArray
from ..creation import arange
from ..joining import stack
from ..results import ValuesIndices
from ..scans import cumsum
from ..searching import bisected
from ..sorting import order
from ..views import reshape
from .registering import composed

__all__: list[str] = []

composed("sorted_values")(lambda x, axis, descending: order(x, axis, descending).values)
composed("searchsorted")(bisected)


@composed("nonzero")
def nonzero(x: NDArray) -> NDArray:
    """Where the number of items so far that are nonzero grows."""
    growing = cumsum(reshape(x != 0, (-1,)), 0)
    places: Any = bisected(growing, arange(1, int(growing[-1].item()) + 1, device=x.device), False)
    rows = []
    for n in reversed(x.shape):
        rows.append(places % n)
        places = places // n
    return stack(rows[::-1], 0)


@composed("ranked")
def ranked(x: NDArray, axis: int, start: int, stop: int, descending: bool) -> ValuesIndices:
    """A part of the whole order."""
    part = (*(slice(None),) * axis, slice(start, stop))
    values, positions = order(x, axis, descending)
    return ValuesIndices(values[part], positions[part])
