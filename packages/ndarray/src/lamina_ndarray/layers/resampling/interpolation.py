"""Axes at another number of evenly spaced points: which items each new one is a weighted sum of, and that sum."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

import numpy as np

from lamina_flatarray import ArgumentValueError, float64

from ...dispatch.namespace import Array, generic, namespace
from ..pooling.bins import bins
from .fixed_point import in_fixed_point

__all__ = ["interpolated", "mean_bins"]

Values = np.ndarray[Any, Any]
_KEPT: Final = 4096
"""Up to how many items and new points together a table is kept for the next call."""


def _scale(length: int, count: int, align_corners: bool, factor: float | None, kind: Any) -> Any:
    """How far apart new points lie, in items."""
    if align_corners:
        return kind(length - 1) / kind(count - 1) if count > 1 else kind(0)
    return kind(1.0 / factor) if factor else kind(length) / kind(count)


def _nearest(length: int, count: int, scale: Any, shift: float) -> tuple[Values, Values]:
    at = np.floor((np.arange(count, dtype=np.float32) + np.float32(shift)) * np.float32(scale))
    return np.minimum(at.astype(np.int64), length - 1)[:, None], np.ones((count, 1))


def _linear(length: int, count: int, scale: Any, align_corners: bool, kind: Any) -> tuple[Values, Values]:
    i = np.arange(count).astype(kind)
    at = i * scale if align_corners else np.maximum(scale * (i + kind(0.5)) - kind(0.5), kind(0))
    low = np.minimum(at.astype(np.int64), length - 1)
    part = np.clip(at - low.astype(kind), 0, 1)
    return np.stack([low, np.minimum(low + 1, length - 1)], 1), np.stack([1 - part, part], 1)


def _cubic(length: int, count: int, scale: Any, align_corners: bool, kind: Any) -> tuple[Values, Values]:
    i = np.arange(count).astype(kind)
    at = i * scale if align_corners else scale * (i + kind(0.5)) - kind(0.5)
    low = np.floor(at)
    weights = np.stack(cubic_weights(at - low, kind(-0.75)), 1)
    return np.clip(low.astype(np.int64)[:, None] + np.arange(-1, 3), 0, length - 1), weights


def cubic_weights(part: Any, a: Any) -> list[Any]:
    """The weights of the items -1, 0, 1 and 2 after a point's floor, `part` beyond it (Keys 1981, with his a)."""
    near = [((a + 2) * t - (a + 3)) * t * t + 1 for t in (part, 1 - part)]
    far = [((a * t - 5 * a) * t + 8 * a) * t - 4 * a for t in (1 + part, 2 - part)]
    return [far[0], near[0], near[1], far[1]]


def _triangle(t: Values) -> Values:
    weights: Values = np.maximum(1 - np.abs(t), 0)
    return weights


def _bell(t: Values) -> Values:
    """Keys' cubic with a = -1/2."""
    a, t = -0.5, np.abs(t)
    inner = ((a + 2) * t - (a + 3)) * t * t + 1
    outer = ((a * t - 5 * a) * t + 8 * a) * t - 4 * a
    return np.where(t < 1, inner, np.where(t < 2, outer, 0))


def _smoothed(
    length: int, count: int, scale: Any, kernel: Callable[[Values], Values], reach: float
) -> tuple[Values, Values, Values]:
    """A kernel that is as wide as new points are apart, so that no item is passed over."""
    step = float(scale)
    wide = max(step, 1.0)
    centre = step * (np.arange(count) + 0.5)
    start = np.maximum((centre - reach * wide + 0.5).astype(np.int64), 0)
    stop = np.minimum((centre + reach * wide + 0.5).astype(np.int64), length)
    offsets = np.arange(int((stop - start).max(initial=1)))
    at = start[:, None] + offsets
    used = at < stop[:, None]
    weights = np.where(used, kernel((at - centre[:, None] + 0.5) / wide), 0)
    return np.minimum(at, length - 1), weights / weights.sum(1, keepdims=True), used


@lru_cache(64)
def _taps(
    mode: str, length: int, count: int, align_corners: bool, factor: float | None, antialias: bool, kind: Any
) -> tuple[Values, ...]:
    """Positions and weights of the items that make each new one, both (count, taps), and if not all are, which are used."""
    if mode in ("nearest", "nearest-exact"):
        return _nearest(length, count, _scale(length, count, False, factor, np.float32), 0.5 if "-" in mode else 0.0)
    scale = _scale(length, count, align_corners, factor, kind)
    if antialias:
        return _smoothed(length, count, scale, *((_triangle, 1.0) if mode == "linear" else (_bell, 2.0)))
    if mode == "linear":
        return _linear(length, count, scale, align_corners, kind)
    if mode == "cubic":
        return _cubic(length, count, scale, align_corners, kind)
    raise ArgumentValueError(f"interpolated: the mode {mode!r} is none of nearest, nearest-exact, linear and cubic")


@generic
def interpolated(
    x: Array, axis: int, count: int, mode: str, align_corners: bool = False, factor: float | None = None, antialias: bool = False
) -> Array:
    """x at `count` evenly spaced points along an axis.

    Args:
        x: the items.
        axis: from 0.
        count: how many points.
        mode: "nearest" (rounded down), "nearest-exact" (to the centre that is nearest), "linear" or "cubic".
        align_corners: whether the first and last points are the centres of the first and last items, instead of that items
            are cells whose outer borders are those of the new ones.
        factor: new points per item, where that is not count over length.
        antialias: whether, with fewer points than items, the weights reach as far as points are apart.

    Raises:
        ShapeError: the mode is another one.
        DTypeError: x is not floating, and neither is the mode "nearest" nor the dtype uint8.
    """
    if x.dtype.name == "uint8" and mode in ("linear", "cubic"):
        return _interpolated_uint8(x, axis, count, mode, align_corners, factor, antialias)
    kind = np.float64 if x.dtype.name == "float64" else np.float32
    taps = _taps if x.shape[axis] + count <= _KEPT else _taps.__wrapped__
    return namespace(x).weighted_items(x, axis, *taps(mode, x.shape[axis], count, align_corners, factor, antialias, kind))


@lru_cache(64)
def _whole_taps(*asked: Any) -> tuple[Values, Values, int]:
    """`_taps` in fixed point."""
    places, weights = _taps.__wrapped__(*asked, np.float64)[:2]
    return in_fixed_point(places, weights, asked[1])


def _interpolated_uint8(x: Array, axis: int, count: int, mode: str, *options: Any) -> Array:
    """Sums by whole weights, which float64 holds exactly, rounded once: PyTorch's bytes."""
    xp, length = namespace(x), x.shape[axis]
    taps = _whole_taps if length + count <= _KEPT else _whole_taps.__wrapped__
    places, weights, bits = taps(mode, length, count, *options)
    sums = xp.weighted_items(xp.astype(x, float64), axis, places, weights)
    return xp.astype(xp.clip(xp.floor(sums * 2.0**-bits + 0.5), 0, 255), x.dtype)


@lru_cache(64)
def _shares(length: int, count: int) -> tuple[Values, Values, Values]:
    """Positions and weights of the items of each bin, and which of these it has."""
    start, stop = bins(length, count)
    at = start[:, None] + np.arange(int((stop - start).max(initial=1)))
    inside = at < stop[:, None]
    return np.minimum(at, length - 1), inside / inside.sum(1, keepdims=True), inside


@generic
def mean_bins(x: Array, axis: int, count: int) -> Array:
    """The mean of each of `count` bins of nearly equal length along an axis; where they do not fit, neighbours share an item.

    Args:
        x: floating items.
        axis: from 0.
        count: how many bins.
    """
    shares = _shares if x.shape[axis] + count <= _KEPT else _shares.__wrapped__
    return namespace(x).weighted_items(x, axis, *shares(x.shape[axis], count))
