"""Derived ops about order, written with the whole sort and with comparisons."""

from __future__ import annotations

from ..array import NDArray
from ..results import ValuesIndices
from ..searching import bisected
from ..sorting import order
from .registering import composed

__all__: list[str] = []

composed("sorted_values")(lambda x, axis, descending: order(x, axis, descending).values)
composed("searchsorted")(bisected)


@composed("ranked")
def ranked(x: NDArray, axis: int, start: int, stop: int, descending: bool) -> ValuesIndices:
    """A part of the whole order."""
    part = (*(slice(None),) * axis, slice(start, stop))
    values, positions = order(x, axis, descending)
    return ValuesIndices(values[part], positions[part])
