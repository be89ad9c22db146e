"""Sort kernels: items in order, stable in both directions, NaN greatest; whole, by some ranks, or searched."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ..contract import Kernel
from .quiet import quiet
from .view import view, wide

__all__ = ["KERNELS"]

Array = np.ndarray[Any, Any]

_SHORT: Final = 32
"""Rows up to this length are ordered whole: that is as fast as choosing."""


def _order(source: Array, axis: int, descending: bool) -> Array:
    """Where each rank comes from. Descending, equal items keep their order too, so it is not the ascending order
    reversed, but the reversed order of the reversed items."""
    keys = source.astype(wide(source.dtype), copy=False)
    if not source.ndim:
        return np.zeros((), np.int64)
    if descending:
        turned = np.argsort(np.flip(keys, axis), axis=axis, kind="stable")
        return np.flip(np.subtract(source.shape[axis] - 1, turned, out=turned), axis)
    return np.argsort(keys, axis=axis, kind="stable")


def sort(out: Any, x: Any, axis: int, descending: bool = False) -> None:
    """Values and where they came from."""
    values, positions = view(out[0]), view(out[1])
    source = view(x)
    order = _order(source, axis, descending)
    ordered = np.take_along_axis(source, order, axis) if source.ndim else source
    positions[...] = order
    values[...] = ordered


def sorted_values(out: Any, x: Any, axis: int, descending: bool = False) -> None:
    """Values alone: equal ones need not be told apart, so the order need not be stable."""
    source, target = view(x), view(out)
    ordered = np.sort(source.astype(wide(source.dtype), copy=False), axis=axis) if source.ndim else source
    target[...] = np.flip(ordered, axis) if descending else ordered


def ranked(out: Any, x: Any, axis: int, start: int, stop: int, descending: bool = False) -> None:
    """Some ranks of the stable order: what lies between the first and the last of them is chosen, and only that is
    put in order."""
    values, positions = view(out[0]), view(out[1])
    source = view(x)
    length = source.shape[axis] if source.ndim else 1
    if not source.size or start >= stop or length <= _SHORT or (stop - start) * 4 > length:
        order = _order(source, axis, descending)
        at = order[(slice(None),) * axis + (slice(start, stop),)] if source.ndim else order
    else:
        rows = np.ascontiguousarray(np.moveaxis(source, axis, -1))
        keys = _keys(rows.reshape(-1, length), descending)
        at = np.moveaxis(_at_ranks(keys, start, stop).reshape(*rows.shape[:-1], stop - start), -1, axis)
    positions[...] = at
    values[...] = np.take_along_axis(source, at, axis) if source.ndim else source


def _keys(rows: Array, descending: bool) -> Array:
    """Whole numbers in the order of the items, NaN greatest and zeros equal: a float's bits are ordered as it is, but
    for the negative ones, whose order is turned round (IEEE 754-2019, 5.10)."""
    if rows.dtype.kind == "b":
        keys: Array = rows.view(np.uint8)
    elif rows.dtype.kind in "ui":
        keys = rows
    else:
        plain = rows.astype(wide(rows.dtype), copy=False) + 0  # -0 becomes 0
        keys = plain.view(f"i{plain.itemsize}")
        greatest = np.iinfo(keys.dtype).max
        missing = np.isnan(plain)
        keys ^= (keys >> (8 * keys.itemsize - 1)) & greatest
        keys[missing] = greatest
    return ~keys if descending else keys


def _at_ranks(keys: Array, start: int, stop: int) -> Array:
    """Per row, where the ranks from start to stop are in its stable ascending order."""
    low = np.partition(keys, start, axis=1)[:, start, None]
    is_single = stop - start == 1
    high = low if is_single else np.partition(keys, stop - 1, axis=1)[:, stop - 1, None]
    inside = keys == low if is_single else (keys >= low) & (keys <= high)
    row, place = np.nonzero(inside)
    if not is_single:  # what is equal stays in its order
        place = place[np.lexsort((keys[row, place], row))]
    count = np.count_nonzero(inside, axis=1)
    first = np.cumsum(count) - count + start - np.count_nonzero(keys < low, axis=1)
    return np.asarray(place[first[:, None] + np.arange(stop - start)], np.int64)


def searchsorted(out: Any, sequence: Any, values: Any, right: bool = False) -> None:
    """By bisection, row by row."""
    kind = wide(view(sequence).dtype)
    lines, queries, target = view(sequence).astype(kind, copy=False), view(values).astype(kind, copy=False), view(out)
    for at in np.ndindex(lines.shape[:-1]):
        target[at] = np.searchsorted(lines[at], queries[at], side="right" if right else "left")


KERNELS: Final[dict[str, Kernel]] = {
    function.__name__: quiet(function) for function in (sort, sorted_values, ranked, searchsorted)
}
