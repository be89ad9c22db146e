"""Reading and writing at positions."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ..contract import Kernel
from .view import view, wide

__all__ = ["KERNELS"]


def index(out: Any, x: Any, *indices: Any) -> None:
    """out = x[indices]."""
    view(out)[...] = view(x)[tuple(map(view, indices))]


def index_put(out: Any, values: Any, *indices: Any, accumulate: bool) -> None:
    """out[indices] = values, or += with accumulate; the last of equal indices wins."""
    target, places = view(out), tuple(map(view, indices))
    if not accumulate:
        target[places] = view(values)
    elif target.dtype.itemsize == 2 and target.dtype.kind not in "ui":
        sums = wide(target)
        np.add.at(sums, places, wide(view(values)))
        target[...] = sums
    else:
        np.add.at(target, places, view(values))


def gather(out: Any, x: Any, indices: Any, axis: int) -> None:
    """For axis 0, out[i, j] = x[indices[i, j], j]."""
    source, places = view(x), view(indices)
    view(out)[...] = source[_grid(places, axis)]


def scatter(out: Any, values: Any, indices: Any, axis: int) -> None:
    """For axis 0, out[indices[i, j], j] = values[i, j]."""
    view(out)[_grid(view(indices), axis)] = view(values)


def scatter_add(out: Any, values: Any, indices: Any, axis: int) -> None:
    """For axis 0, out[indices[i, j], j] += values[i, j]."""
    target = view(out)
    grid = _grid(view(indices), axis)
    if target.dtype.itemsize == 2 and target.dtype.kind not in "ui":
        sums = wide(target)
        np.add.at(sums, grid, wide(view(values)))
        target[...] = sums
    else:
        np.add.at(target, grid, view(values))


def _grid(places: Any, axis: int) -> tuple[Any, ...]:
    """Index arrays for every axis: the given one on `axis`, each other axis counted by its own position."""
    grid = list(np.ogrid[tuple(slice(n) for n in places.shape)])
    grid[axis] = places
    return tuple(grid)


KERNELS: Final[dict[str, Kernel]] = {
    "index": index,
    "index_put": index_put,
    "gather": gather,
    "scatter": scatter,
    "scatter_add": scatter_add,
}
