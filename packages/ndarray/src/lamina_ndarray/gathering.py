"""Gather and scatter: items along one axis, at positions that an array of the same rank gives."""

from __future__ import annotations

from typing import Any

from lamina_flatarray import DTypeError, ShapeError
from lamina_flatarray import dtypes as dt

from .array import NDArray, empty_of, view_of
from .broadcast import normalize_axis
from .creation import arange, full
from .layout import Layout
from .operands import cast, guarded
from .selection import resolved
from .views import copy, reshape

__all__ = ["gather", "positions_along", "scatter", "scatter_add"]


def _along(op: str, x: NDArray, indices: NDArray, axis: int) -> tuple[int, NDArray]:
    at = normalize_axis(axis, x.layout.ndim, op)
    if indices.dtype.kind not in "ui":
        raise DTypeError(f"{op}: Expected dtype int64 for index, got {indices.dtype.name}")
    if indices.layout.ndim != x.layout.ndim:
        raise ShapeError(
            f"{op}: Index tensor must have the same number of dimensions as input tensor: {indices.layout.shape} "
            f"for {x.layout.shape}"
        )
    for i, (n, m) in enumerate(zip(indices.layout.shape, x.layout.shape, strict=True)):
        if i != at and n > m:
            raise ShapeError(
                f"{op}: Size does not match at dimension {i}: expected index {indices.layout.shape} to be no larger "
                f"than self {x.layout.shape} apart from dimension {at}"
            )
    indices = cast(indices, x.flat.kernels.sibling(dt.int64))
    return at, resolved(op, indices, x.layout.shape[at], at)


def _cut(x: NDArray, shape: tuple[int, ...], axis: int) -> NDArray:
    """x without what lies beyond `shape` on the other axes than `axis`."""
    layout = x.layout
    for i, n in enumerate(shape):
        if i != axis and n != layout.shape[i]:
            layout = layout.slice(i, 0, n, 1)
    return x if layout is x.layout else view_of(x, layout)


def gather(x: NDArray, indices: NDArray, axis: int) -> NDArray:
    """Items picked along an axis: for axis 0, `out[i, j] = x[indices[i, j], j]`.

    Raises:
        IndexOutOfRange: an index lies outside of the axis.
        ShapeError: `indices` is larger than `x` on another axis.
    """
    if x.layout.ndim == 0 or indices.layout.ndim == 0:
        return _lifted(gather, x, indices, axis)
    at, positions = _along("gather", x, indices, axis)
    made = empty_of(x.flat.kernels, Layout.dense(indices.layout.shape))
    x.flat.kernels["gather"](made, _cut(x, indices.layout.shape, at), positions, axis=at)
    return made


def _lifted(function: Any, x: NDArray, indices: NDArray, axis: int) -> NDArray:
    one = view_of(x, x.layout.unsqueeze(0)) if x.layout.ndim == 0 else x
    made: NDArray = function(
        one, indices if indices.layout.ndim else view_of(indices, indices.layout.unsqueeze(0)), axis
    )
    return view_of(made, made.layout.select(0, 0)) if indices.layout.ndim == 0 else made


def _scatter(op: str, x: NDArray, indices: NDArray, values: Any, axis: int, out: NDArray | None) -> NDArray:
    if out is None:
        made = copy(x)
    else:
        made = out
        out.flat.version += 1
    at, positions = _along(op, made, indices, axis)
    if not isinstance(values, NDArray):
        values = full(indices.layout.shape, values, dtype=made.dtype, device=made.device)
    if values.dtype is not made.dtype:
        raise DTypeError(f"{op}: Expected self.dtype to be equal to src.dtype: {made.dtype!r} and {values.dtype!r}")
    values = view_of(values, _cut(values, indices.layout.shape, -1).layout)
    made.flat.kernels[op](_cut(made, indices.layout.shape, at), guarded(made, values), positions, axis=at)
    return made


def scatter(x: NDArray, indices: NDArray, values: Any, axis: int, *, out: NDArray | None = None) -> NDArray:
    """x with items written along an axis: for axis 0, `out[indices[i, j], j] = values[i, j]`; the last of equal
    indices wins. With `out=x`, in place.

    Raises:
        IndexOutOfRange: an index lies outside of the axis.
    """
    return _scatter("scatter", x, indices, values, axis, out)


def scatter_add(x: NDArray, indices: NDArray, values: Any, axis: int, *, out: NDArray | None = None) -> NDArray:
    """x with items added along an axis, also for equal indices. With `out=x`, in place."""
    return _scatter("scatter_add", x, indices, values, axis, out)


def positions_along(indices: NDArray, axis: int) -> tuple[NDArray, ...]:
    """Index arrays for every axis: the given one on `axis`, each other axis counted by its own position."""
    ndim = indices.layout.ndim
    return tuple(
        indices if i == axis else reshape(arange(n, device=indices.device), [n if j == i else 1 for j in range(ndim)])
        for i, n in enumerate(indices.layout.shape)
    )
