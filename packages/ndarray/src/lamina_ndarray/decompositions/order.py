"""Derived ops about order, written with the whole sort and with comparisons."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from lamina_flatarray import dtypes as dt
from lamina_flatarray.backends.kernel_table import decompositions

from ..creation.constructors import full, ones_like, zeros, zeros_like
from ..creation.ranges import arange
from ..dispatch.operands import copy_to
from ..dispatch.results import ValuesIndices
from ..elementwise import arithmetic, choosing, comparison
from ..elementwise.choosing import where
from ..elementwise.complex_parts import imag, real
from ..indexing.gathering import gather, scatter
from ..indexing.nonzero import nonzero as nonzero_places
from ..reductions.extremes import argmax
from ..reductions.logic import all as every
from ..reductions.scans import cumsum, running_max, running_min
from ..reductions.sums import sum as total
from ..shapes.joining import concat, stack
from ..shapes.views import reshape
from ..sorting.order import order
from ..sorting.searching import bisected
from .registering import as_array, composed

if TYPE_CHECKING:
    from ..array import NDArray

__all__: list[str] = []


composed("sorted_values")(lambda x, axis, descending: order(x, axis, descending).values)
composed("searchsorted")(bisected)
composed("array_equal")(lambda a, b: every(comparison.equal(a, b)))


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


decompositions["nonzero"] = nonzero


def _extremes(op: str, running: Callable[[NDArray, int], NDArray]) -> None:
    @composed(op)
    def kernel(x: NDArray, axis: int) -> ValuesIndices[NDArray]:
        """The last place so far where the running extreme, or NaN, stood."""
        is_extreme = (x == running(x, axis)) | (x != x)
        places = reshape(arange(x.shape[axis], device=x.device), [-1 if d == axis else 1 for d in range(x.ndim)])
        indices = running_max(where(is_extreme, places, 0), axis)
        return ValuesIndices(gather(x, indices, axis), indices)


_extremes("cummax", running_max)
_extremes("cummin", running_min)


@composed("median")
def median(x: NDArray, axis: int, skip_nan: bool) -> ValuesIndices[NDArray]:
    """The first NaN, or the middle of the others: NaN come last in order, and how many there are depends on the row."""
    length = x.layout.shape[axis]
    missing = total(comparison.isnan(x), axis, True)
    middle = choosing.clip(arithmetic.floor_divide(length - missing - 1, 2), 0, None)
    rank = middle if skip_nan else where(missing > 0, length - missing, middle)
    place = gather(order(x, axis).indices, rank, axis)
    return ValuesIndices(gather(x, place, axis), place)


@composed("mode")
def mode(x: NDArray, axis: int) -> ValuesIndices[NDArray]:
    """In order, the end of the first of the longest runs."""
    values, positions = order(x, axis)
    lead, length = (slice(None),) * axis, x.layout.shape[axis]
    begins = values[(*lead, slice(1, None))] != values[(*lead, slice(None, -1))]
    first = zeros_like(values[(*lead, slice(0, 1))], dtype=dt.bool)
    places = reshape(arange(length, device=x.device), [length if d == axis else 1 for d in range(x.ndim)])
    run_begin = running_max(where(concat([first, begins], axis), places, 0), axis)
    place = gather(positions, argmax(places - run_begin, axis, True), axis)
    return ValuesIndices(gather(x, place, axis), place)


def distinct(out: Any, x: Any, ordered: bool) -> None:
    """The places where a run of equal items begins, and what these tell."""
    x, n = as_array(x), x.layout.size
    values, positions = (complex_order(x) if x.dtype.is_complex else order(x)) if ordered else (x, arange(n, device=x.device))
    starts = concat([ones_like(values[:1], dtype=dt.bool), values[1:] != values[:-1]])
    (places,) = nonzero_places(starts)
    ends = concat([places[1:], full((min(n, 1),), n, dtype=dt.int64, device=x.device)])
    parts = [values[places], positions[places], ends - places]
    beyond = [concat([f, zeros((n - f.layout.size,), dtype=f.dtype, device=x.device)]) for f in parts]
    numbers = scatter(zeros_like(positions), positions, cumsum(starts, 0) - 1, 0)
    results = *beyond[:2], numbers, beyond[2], full((), places.layout.size, dtype=dt.int64, device=x.device)
    for target, result in zip(out, results, strict=True):
        if target.layout.size:
            copy_to(target, result)


decompositions["distinct"] = distinct


def complex_order(x: NDArray) -> tuple[NDArray, NDArray]:
    """Complex numbers by the real part, then by the imaginary one, and where they came from."""
    by_imaginary = order(imag(x)).indices
    positions = by_imaginary[order(real(x[by_imaginary])).indices]
    return x[positions], positions


@composed("ranked")
def ranked(x: NDArray, axis: int, start: int, stop: int, descending: bool) -> ValuesIndices[NDArray]:
    """A part of the whole order."""
    part = (*(slice(None),) * axis, slice(start, stop))
    values, positions = order(x, axis, descending)
    return ValuesIndices(values[part], positions[part])
