"""Gather kernels: reading and writing at positions. NumPy checks bounds, so a bad position never reaches memory."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ..contract import Kernel
from .quiet import quiet
from .view import is_narrow, view

__all__ = ["KERNELS"]

Array = np.ndarray[Any, Any]


def index(out: Any, x: Any, *indices: Any) -> None:
    """out = x[indices]."""
    source, places = view(x), tuple(map(view, indices))
    if len(places) == 1 and _within(places[0], len(source)):
        np.take(source, places[0], axis=0, out=view(out), mode="clip")  # "raise" would go by way of a temporary
    else:
        view(out)[...] = source[places]


def _within(places: Array, length: int) -> bool:
    """Whether all positions are 0 ... length - 1: as unsigned numbers, negative ones are the greatest."""
    return places.size > 0 and int(places.view(np.uint64).max()) < length


def index_put(out: Any, values: Any, *indices: Any, accumulate: bool = False) -> None:
    """out[indices] = values, or += with accumulate; the last of equal indices wins."""
    target, places = view(out), tuple(map(view, indices))
    if accumulate:
        _add_at(target, places, view(values))
    else:
        target[places] = view(values)


def gather(out: Any, x: Any, indices: Any, axis: int) -> None:
    """For axis 0, out[i, j] = x[indices[i, j], j]."""
    view(out)[...] = view(x)[_grid(view(indices), axis)]


def scatter(out: Any, values: Any, indices: Any, axis: int) -> None:
    """For axis 0, out[indices[i, j], j] = values[i, j]; the last of equal indices wins."""
    view(out)[_grid(view(indices), axis)] = view(values)


def scatter_add(out: Any, values: Any, indices: Any, axis: int) -> None:
    """For axis 0, out[indices[i, j], j] += values[i, j]."""
    _add_at(view(out), _grid(view(indices), axis), view(values))


def _grid(places: Array, axis: int) -> tuple[Array, ...]:
    """Index arrays for every axis: the given one on `axis`, each other axis counted by its own position."""
    grid = list(np.ogrid[tuple(slice(n) for n in places.shape)])
    grid[axis] = places
    return tuple(grid)


def _add_at(target: Array, places: tuple[Array, ...], values: Array) -> None:
    """target[places] += values, also for equal places, in order; 16-bit floating types are rounded once."""
    if not is_narrow(target.dtype):
        np.add.at(target, places, values)
        return
    sums = target.astype(np.float32)
    np.add.at(sums, places, values.astype(np.float32))
    target[...] = sums


KERNELS: Final[dict[str, Kernel]] = {
    function.__name__: quiet(function) for function in (index, index_put, gather, scatter, scatter_add)
}
