"""How many items fall where: counts of whole numbers, and histograms."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite, prod
from typing import Any

from lamina_flatarray import DTypeError, ShapeError

from .namespace import namespace
from .results import Histogram, HistogramDD

_range_of = range  # PyTorch calls an argument of histograms so

__all__ = ["bincount", "histc", "histogram", "histogramdd"]


def bincount(x: Any, weights: Any = None, minlength: int = 0) -> Any:
    """How often each whole number from 0 up to the greatest occurs; with weights, their sums.

    Args:
        x: one axis of integers, none negative.
        weights: of x's shape; sums are in float32 if they are, else in float64.
        minlength: the least length of the result.

    Raises:
        ShapeError: `x` has several axes or a negative item, `weights` another shape, or `minlength` is negative.
        DTypeError: `x` does not hold integers.
    """
    xp = namespace(x)
    if x.dtype.kind not in "ui":
        raise DTypeError(f"bincount: input must be integers, but is {x.dtype!r}")
    if minlength < 0:
        raise ShapeError(f"bincount: minlength should be >= 0, but is {minlength}")
    if x.ndim != 1 or (x.shape[0] and x.dtype.kind == "i" and int(xp.min(x)) < 0):
        raise ShapeError("bincount only supports 1-d non-negative integral inputs.")
    if not x.shape[0]:
        return xp.zeros((minlength,), dtype=xp.int64, device=x.device)
    if weights is not None and tuple(weights.shape) != tuple(x.shape):
        raise ShapeError(
            f"bincount: input and weights should have the same length: {tuple(x.shape)} and {tuple(weights.shape)}"
        )
    length = max(minlength, int(xp.max(x)) + 1)
    if weights is None:
        weights = xp.ones(x.shape, dtype=xp.int64, device=x.device)
    elif weights.dtype is not xp.float32:
        weights = xp.astype(weights, xp.float64)
    start = xp.zeros((length,), dtype=weights.dtype, device=x.device)
    return xp.scatter_add(start, xp.astype(x, xp.int64), weights, 0)


def _range(xp: Any, x: Any, low: float, high: float, op: str) -> tuple[float, float]:
    """The ends given, or those of the data where both are equal; widened where they are equal, too."""
    if low == high and prod(x.shape):
        low, high = float(xp.min(x)), float(xp.max(x))
    if not (isfinite(low) and isfinite(high)):
        raise ShapeError(f"{op}: range of [{low}, {high}] is not finite")
    if low > high:
        raise ShapeError(f"{op}: max must be larger than min, got [{low}, {high}]")
    return (low - 1, high + 1) if low == high and op == "histc" else (low, high)


def histc(x: Any, bins: int = 100, min: float = 0, max: float = 0) -> Any:
    """How many items fall into each of `bins` equal intervals from `min` to `max`, in x's dtype.

    Args:
        x: real numbers of any shape.
        bins: how many intervals; at least 1.
        min, max: the ends, both inside; where they are equal, those of the data.

    Raises:
        ShapeError: `bins` is not positive, or the ends are not finite or in the wrong order.
    """
    xp = namespace(x)
    if x.dtype.is_complex or x.dtype.kind == "b":
        raise DTypeError(f'histc: not defined for {x.dtype!r}; it wants real numbers ("histogram_cpu" not implemented)')
    if bins <= 0:
        raise ShapeError(f"histc: bins must be > 0, but got {bins}")
    low, high = _range(xp, x, min, max, "histc")
    flat = xp.reshape(x, (-1,))
    flat = flat[(flat >= low) & (flat <= high)]
    wide = flat if flat.dtype is xp.float64 else xp.astype(flat, xp.float64 if not flat.dtype.is_floating_point else xp.float32)
    place = xp.astype(xp.clip((wide - low) * (bins / (high - low)), None, bins - 1), xp.int64)
    return xp.astype(xp.bincount(place, minlength=bins), x.dtype)


def _edges(xp: Any, x: Any, bins: Any, ends: tuple[float, float] | None) -> Any:
    """The edges of a histogram's bins along one coordinate."""
    if hasattr(bins, "ndim"):
        if bins.ndim != 1:
            raise ShapeError(f"histogram: bins tensor should have one dimension, but got {bins.ndim} dimensions")
        if bins.dtype is not x.dtype:
            raise DTypeError(f"histogram: input tensor and bins tensors should have the same dtype: {x.dtype!r}, {bins.dtype!r}")
        if bins.shape[0] < 2:
            raise ShapeError(f"histogram: bins must be > 0, but got {bins.shape[0]} edges; two make one interval")
        return bins
    if bins <= 0:
        raise ShapeError(f"histogram: bins must be > 0, but got {bins}")
    if ends is not None:
        low, high = ends
        if low > high:
            raise ShapeError(f"histogram: min should not exceed max, but got min {low} max {high}")
    elif prod(x.shape):
        low, high = float(xp.min(x)), float(xp.max(x))
    else:
        low, high = 0.0, 1.0
    if not (isfinite(low) and isfinite(high)):
        raise ShapeError(f"histogram: range [{low}, {high}] is not finite")
    if low == high:
        low, high = low - 0.5, high + 0.5
    return xp.linspace(low, high, bins + 1, dtype=x.dtype, device=x.device)


def histogram(x: Any, bins: Any, *, range: Any = None, weight: Any = None, density: bool = False) -> Histogram:
    """How many items, or how much weight, falls between neighbouring edges; the last interval contains its right edge.

    Args:
        x: float32 or float64 of any shape.
        bins: how many intervals, or the ascending edges.
        range: the first and the last edge; by default those of the data.
        weight: of x's shape.
        density: whether to divide by the whole and by the intervals' widths.

    Raises:
        ShapeError: shapes do not fit, or the range is not finite or in the wrong order.
        DTypeError: `x` is not of a floating dtype, or the dtypes differ.
    """
    xp = namespace(x)
    rows = xp.reshape(x, (-1, 1))
    if weight is not None and tuple(weight.shape) != tuple(x.shape):
        raise ShapeError(
            f"histogram: if weight tensor is provided it should have the same shape as the input tensor excluding its innermost "
            f"dimension: {tuple(weight.shape)} for {tuple(x.shape)}"
        )
    flat = None if weight is None else xp.reshape(weight, (-1,))
    found = histogramdd(rows, [bins], range=None if range is None else list(range), weight=flat, density=density)
    return Histogram(found.hist, found.bin_edges[0])


def histogramdd(
    x: Any, bins: Any, *, range: Sequence[float] | None = None, weight: Any = None, density: bool = False
) -> HistogramDD:
    """The histogram of points: how many, or how much weight, falls into each box.

    Args:
        x: points (..., d).
        bins: how many intervals along every coordinate, or along each, or the edges of each.
        range: the first and the last edge of each coordinate, 2 d numbers.
        weight: one per point.
        density: whether to divide by the whole and by the boxes' volumes.

    Raises:
        ShapeError: shapes do not fit, or a range is not finite or in the wrong order.
        DTypeError: `x` is not of a floating dtype, or the dtypes differ.
    """
    xp = namespace(x)
    if x.dtype not in (xp.float32, xp.float64):
        raise DTypeError(f'histogramdd: not defined for {x.dtype!r}; it wants float32 or float64 ("not implemented for")')
    if x.ndim < 2:
        raise ShapeError("histogramdd: input tensor should have at least 2 dimensions")
    d = x.shape[-1]
    counts = [bins] * d if isinstance(bins, int) else list(bins)
    if len(counts) != d:
        raise ShapeError(f"histogramdd: expected {d} sequences of bin edges for a {d}-dimensional histogram, got {len(counts)}")
    if range is not None and len(range) != 2 * d:
        raise ShapeError(f"histogramdd: for a {d}-dimensional histogram range should have {2 * d} elements, but got {len(range)}")
    points = xp.reshape(x, (-1, d))
    edges = [
        _edges(xp, points[:, i], counts[i], None if range is None else (float(range[2 * i]), float(range[2 * i + 1])))
        for i in _range_of(d)
    ]
    lengths = [e.shape[0] - 1 for e in edges]
    inside, place = None, xp.zeros((points.shape[0],), dtype=xp.int64, device=x.device)
    for i, edge in enumerate(edges):
        column = xp.copy(points[:, i])
        good = (column >= edge[0]) & (column <= edge[-1])
        at = xp.searchsorted(xp.copy(edge), column, right=True) - 1
        at = xp.clip(at, 0, lengths[i] - 1)  # the last interval contains its right edge
        place, inside = place * lengths[i] + at, good if inside is None else inside & good
    weights = xp.ones((points.shape[0],), dtype=x.dtype, device=x.device) if weight is None else xp.reshape(weight, (-1,))
    if weights.dtype is not x.dtype:
        raise DTypeError(
            "histogramdd: if weight tensor is provided, input tensor and weight tensor should have the same dtype: "
            f"{x.dtype!r}, {weights.dtype!r}"
        )
    weights = xp.where(inside, weights, 0.0)
    start = xp.zeros((prod(lengths),), dtype=x.dtype, device=x.device)
    hist = xp.reshape(xp.scatter_add(start, xp.where(inside, place, 0), weights, 0), tuple(lengths))
    if density:
        hist = hist / xp.sum(hist)
        for i, edge in enumerate(edges):
            widths = edge[1:] - edge[:-1]
            hist = hist / xp.reshape(widths, tuple(-1 if k == i else 1 for k in _range_of(d)))
    return HistogramDD(hist, tuple(edges))
