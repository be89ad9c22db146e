"""Derived ops about order, written with the whole sort and with comparisons."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lamina_flatarray.table import compositions

from ..array import NDArray
from ..creation import arange
from ..elementwise import FUNCTIONS
from ..gathering import gather
from ..joining import stack
from ..operands import copy_to
from ..results import ValuesIndices
from ..scans import cumsum, running_max, running_min
from ..searching import bisected
from ..sorting import order
from ..views import reshape
from .registering import as_array, composed

__all__: list[str] = []

where = FUNCTIONS["where"]

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


def _extremes(op: str, running: Callable[[NDArray, int], NDArray]) -> None:
    @composed(op)
    def kernel(x: NDArray, axis: int) -> ValuesIndices:
        """The last place so far where the running extreme, or NaN, stood."""
        hit = (x == running(x, axis)) | (x != x)
        places = reshape(arange(x.shape[axis], device=x.device), [-1 if d == axis else 1 for d in range(x.ndim)])
        indices = running_max(where(hit, places, 0), axis)
        return ValuesIndices(gather(x, indices, axis), indices)


_extremes("cummax", running_max)
_extremes("cummin", running_min)


@composed("ranked")
def ranked(x: NDArray, axis: int, start: int, stop: int, descending: bool) -> ValuesIndices:
    """A part of the whole order."""
    part = (*(slice(None),) * axis, slice(start, stop))
    values, positions = order(x, axis, descending)
    return ValuesIndices(values[part], positions[part])
