"""Derived ops about order, written with the whole sort and with comparisons."""

from __future__ import annotations

from typing import Any

from lamina_flatarray.table import compositions

from ..array import NDArray
from ..creation import arange
from ..joining import stack
from ..operands import copy_to
from ..results import ValuesIndices
from ..scans import cumsum
from ..searching import bisected
from ..sorting import order
from ..views import reshape
from .registering import as_array, composed

__all__: list[str] = []

composed("sorted_values")(lambda x, axis, descending: order(x, axis, descending).values)
composed("searchsorted")(bisected)


def nonzero(out: Any, x: Any) -> None:
    """Where the number of items so far that are nonzero grows; `out` tells how many there are."""
    if not out.layout.size:
        return
    x = as_array(x)
    places: Any = bisected(cumsum(reshape(x != 0, (-1,)), 0), arange(1, out.layout.shape[1] + 1, device=x.device), False)
    rows = []
    for n in reversed(x.shape):
        rows.append(places % n)
        places = places // n
    copy_to(out, stack(rows[::-1], 0))


compositions["nonzero"] = nonzero


@composed("ranked")
def ranked(x: NDArray, axis: int, start: int, stop: int, descending: bool) -> ValuesIndices:
    """A part of the whole order."""
    part = (*(slice(None),) * axis, slice(start, stop))
    values, positions = order(x, axis, descending)
    return ValuesIndices(values[part], positions[part])
