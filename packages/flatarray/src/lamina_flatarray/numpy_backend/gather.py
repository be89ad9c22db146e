"""Gather kernels: reading and writing at positions. NumPy checks bounds, so a bad position never reaches memory."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ..contract import Kernel
from .quiet import quiet
from .view import is_narrow, view

__all__ = ["KERNELS"]

Array = np.ndarray[Any, Any]


def nonzero(out: Any, x: Any) -> None:
    """The positions of nonzero items, a row for each axis."""
    view(out)[...] = np.argwhere(view(x)).T


def index(out: Any, x: Any, *indices: Any, from_front: bool = False) -> None:
    """out = x[indices]; negative ones count from the end, or are refused if from_front."""
    source, places = view(x), tuple(map(view, indices))
    if from_front:
        _refuse_outside(places, source.shape)
    if len(places) == 1 and _within(places[0], len(source)):
        at = places[0].astype(np.intp, copy=False)  # where addresses have 32 bits, `take` refuses int64
        np.take(source, at, axis=0, out=view(out), mode="clip")  # "raise" would go by way of a temporary
    else:
        view(out)[...] = source[places]


def _within(places: Array, length: int) -> bool:
    """Whether all positions are 0 ... length - 1: as unsigned numbers, negative ones are the greatest."""
    return places.size > 0 and int(places.view(np.uint64).max()) < length


def _refuse_outside(places: tuple[Array, ...], shape: tuple[int, ...]) -> None:
    """Raise IndexError where a position is negative or too large for its axis."""
    for axis, (positions, length) in enumerate(zip(places, shape, strict=False)):
        if positions.size and not _within(positions, length):
            raise IndexError(f"an index is out of bounds for dimension {axis} with size {length}")


def index_put(out: Any, values: Any, *indices: Any, accumulate: bool = False, from_front: bool = False) -> None:
    """out[indices] = values, or += with accumulate; the last of equal indices wins. Negative ones as in `index`."""
    target, places = view(out), tuple(map(view, indices))
    if from_front:
        _refuse_outside(places, target.shape)
    if accumulate:
        _fold_at(np.add, target, places, view(values))
    else:
        target[places] = view(values)


def gather(out: Any, x: Any, indices: Any, axis: int) -> None:
    """For axis 0, out[i, j] = x[indices[i, j], j]."""
    source = view(x)
    view(out)[...] = source[_grid(view(indices), axis, source.shape[axis])]


def scatter(out: Any, values: Any, indices: Any, axis: int) -> None:
    """For axis 0, out[indices[i, j], j] = values[i, j]; the last of equal indices wins."""
    target = view(out)
    target[_grid(view(indices), axis, target.shape[axis])] = view(values)


def scatter_add(out: Any, values: Any, indices: Any, axis: int) -> None:
    """For axis 0, out[indices[i, j], j] += values[i, j]."""
    target = view(out)
    _fold_at(np.add, target, _grid(view(indices), axis, target.shape[axis]), view(values))


def scatter_reduce(out: Any, values: Any, indices: Any, axis: int, reduce: str) -> None:
    """For axis 0, out[indices[i, j], j] folded with values[i, j] by "prod", "amax" or "amin" (NaN wins)."""
    target = view(out)
    _fold_at(_FOLDS[reduce], target, _grid(view(indices), axis, target.shape[axis]), view(values))


_FOLDS: Final = {"prod": np.multiply, "amax": np.maximum, "amin": np.minimum}


def _grid(indices: Array, axis: int, length: int) -> tuple[Array, ...]:
    """Index arrays for every axis: the given one on `axis`, each other axis counted by its own index.

    Raises:
        IndexError: an index is negative or too large.
    """
    if indices.size and not _within(indices, length):
        raise IndexError(f"an index is out of bounds for dimension {axis} with size {length}")
    counts = np.ogrid[tuple(map(slice, indices.shape))]
    return (*counts[:axis], indices, *counts[axis + 1 :])


def _fold_at(fold: np.ufunc, target: Array, places: tuple[Array, ...], values: Array) -> None:
    """target[places] = fold(target[places], values), also for equal places, in order; 16-bit floating types are
    rounded once."""
    if not is_narrow(target.dtype):
        fold.at(target, places, values)
        return
    folded = target.astype(np.float32)
    fold.at(folded, places, values.astype(np.float32))
    target[...] = folded


KERNELS: Final[dict[str, Kernel]] = {
    function.__name__: quiet(function) for function in (nonzero, index, index_put, gather, scatter, scatter_add, scatter_reduce)
}
