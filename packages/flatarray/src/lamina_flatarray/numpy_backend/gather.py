"""Copy, gather, sort and matmul kernels."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ..contract import Kernel
from .view import given, view, wide

__all__ = ["KERNELS"]


def copy(out: Any, x: Any) -> None:
    """out = x, cast. From complex to real the imaginary part is dropped; floats out of an integer's range are
    undefined, as in C."""
    target, source = view(out), view(x)
    if source.dtype.kind == "c" and target.dtype.kind != "c":
        source = source.astype(bool) if target.dtype.kind == "b" else source.real
    elif source.dtype.kind in "fV" and target.dtype.kind == "u":
        with np.errstate(all="ignore"):
            source = wide(source).astype(np.int64)  # negative numbers wrap
    with np.errstate(all="ignore"):
        np.copyto(target, source, casting="unsafe")


def fill(out: Any, value: Any) -> None:
    """Every item of out = value."""
    target = view(out)
    if target.dtype.kind in "ui" and isinstance(value, float):
        value = int(value)
    with np.errstate(all="ignore"):
        target[...] = given(value, target.dtype)


def arange(out: Any, start: Any, step: Any) -> None:
    """out[i] = start + i * step, for floating dtypes in float64, rounded once."""
    target = view(out)
    count = np.arange(target.size)
    with np.errstate(all="ignore"):
        if target.dtype.kind in "ui" and not isinstance(start, float) and not isinstance(step, float):
            target[...] = (start + count * step).astype(target.dtype)
        else:
            target[...] = (start + count * (step if isinstance(step, complex) else float(step))).astype(target.dtype)


def matmul(out: Any, a: Any, b: Any) -> None:
    """Matrix products over leading axes; 16-bit floating types in float32."""
    target, x, y = view(out), view(a), view(b)
    with np.errstate(all="ignore"):
        if target.dtype.itemsize == 2 and target.dtype.kind not in "ui":
            target[...] = np.matmul(wide(x), wide(y))
        else:
            np.matmul(x, y, out=target)


def linear(out: Any, x: Any, weight: Any, bias: Any) -> None:
    """x @ weight.T + bias."""
    target, left, right = view(out), view(x), view(weight).T
    with np.errstate(all="ignore"):
        if target.dtype.itemsize == 2 and target.dtype.kind not in "ui":
            product = np.matmul(wide(left), wide(right))
            target[...] = product if bias is None else product + wide(view(bias))
            return
        np.matmul(left, right, out=target)
        if bias is not None:
            target += view(bias)


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


def sort(outs: Any, x: Any, axis: int, descending: bool) -> None:
    """Stable, NaN greatest. Descending keeps the order of equal items too, so it is not the ascending one reversed."""
    values, positions = outs
    source = view(x)
    if descending:
        turned = np.flip(source, axis)
        order = np.flip(source.shape[axis] - 1 - np.argsort(wide(turned), axis=axis, kind="stable"), axis)
    else:
        order = np.argsort(wide(source), axis=axis, kind="stable")
    view(positions)[...] = order
    view(values)[...] = np.take_along_axis(source, order, axis)


KERNELS: Final[dict[str, Kernel]] = {
    "copy": copy, "fill": fill, "arange": arange, "matmul": matmul, "linear": linear, "index": index,
    "index_put": index_put, "gather": gather, "scatter": scatter, "scatter_add": scatter_add, "sort": sort,
}  # fmt: skip
