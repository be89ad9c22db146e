"""How many items fall where: counts of whole numbers, and histograms."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite, prod
from typing import TYPE_CHECKING, Any

import numpy as np

from lamina_flatarray import DTypeError, ShapeError
from lamina_flatarray import dtypes as dt

from ..array_fields import empty_of
from ..creation.constructors import zeros
from ..creation.conversion import item
from ..dispatch.namespace import namespace
from ..dispatch.operands import cast, common_kernels, same_device
from ..dispatch.results import Histogram, HistogramDD
from ..layouts.layout import Layout
from ..reductions.folds import reduced
from ..shapes.views import contiguous, reshape

if TYPE_CHECKING:
    from ..array import NDArray

_range_of = range  # PyTorch calls an argument of histograms so

__all__ = ["bincount", "histc", "histogram", "histogramdd"]


def bincount(x: NDArray, weights: NDArray | None = None, minlength: int = 0) -> NDArray:
    """Count how often each whole number from 0 up to the greatest occurs; with weights, sum these instead.

    Args:
        x: one axis of integers, none negative.
        weights: of x's shape; sums are in float32 if they are, else in float64.
        minlength: the least length of the result.

    Returns:
        A vector with one item per number from 0 on: int64 counts, or the sums of the weights.

    Raises:
        ShapeError: `x` has several axes or a negative item, `weights` another shape, or `minlength` is negative.
        DTypeError: `x` does not hold integers.

    >>> nd.bincount(nd.asarray([0, 3, 1, 3]))
    NDArray([1, 1, 0, 2])
    >>> nd.bincount(nd.asarray([0, 1, 1]), weights=nd.asarray([0.5, 1.0, 2.0]))
    NDArray([0.5000, 3.0000])
    """
    layout, kernels = x.layout, x.flat.kernels
    if kernels.dtype.kind not in "ui":
        raise DTypeError(f"bincount: input must be integers, but is {kernels.dtype!r}")
    if minlength < 0:
        raise ShapeError(f"bincount: minlength should be >= 0, but is {minlength}")
    if layout.ndim != 1 or (layout.size and kernels.dtype.kind == "i" and item(reduced("min", x, None, False, None)) < 0):
        raise ShapeError("bincount only supports 1-d non-negative integral inputs.")
    whole = kernels.sibling(dt.int64)
    if not layout.size:
        return zeros((minlength,), dtype=dt.int64, device=x.device)
    if weights is not None:
        common_kernels("bincount", (x, weights))
        if weights.layout.shape != layout.shape:
            raise ShapeError(
                f"bincount: input and weights should have the same length: {layout.shape} and {weights.layout.shape}"
            )
        weight_dtype = dt.float32 if weights.dtype is dt.float32 else dt.float64
        weights = cast(weights, weights.flat.kernels.sibling(weight_dtype))
    length = max(minlength, item(reduced("max", x, None, False, None)) + 1)
    result = empty_of(whole if weights is None else weights.flat.kernels, Layout.dense((length,)))
    whole["bincount"](result, cast(x, whole), weights)
    return result


def _least_and_greatest(x: NDArray) -> tuple[float, float]:
    return tuple([float(item(reduced(op, x, None, False, None))) for op in ("min", "max")])  # type: ignore[return-value]


def histc(x: NDArray, bins: int = 100, min: float = 0, max: float = 0) -> NDArray:
    """Count how many items fall into each of `bins` equal intervals from `min` to `max`.

    Args:
        x: real numbers of any shape.
        bins: how many intervals; at least 1.
        min: the lower end, which is inside.
        max: the upper end, which is inside; where both are equal, the ends are those of the data.

    Returns:
        Counts of shape `(bins,)`, in x's dtype.

    Raises:
        ShapeError: `bins` is not positive, or the ends are not finite or in the wrong order.
        DTypeError: `x` is complex or boolean.

    >>> nd.histc(nd.asarray([1.0, 2.0, 1.0, 4.0]), bins=3, min=0, max=3)
    NDArray([0., 2., 1.])
    """
    kernels = x.flat.kernels
    if x.dtype.is_complex or x.dtype.kind == "b":
        raise DTypeError(f'histc: not defined for {x.dtype!r}; it wants real numbers ("histogram_cpu" not implemented)')
    if bins <= 0:
        raise ShapeError(f"histc: bins must be > 0, but got {bins}")
    low, high = _least_and_greatest(x) if min == max and x.layout.size and kernels.backend.holds_items else (min, max)
    if not (isfinite(low) and isfinite(high)):
        raise ShapeError(f"histc: range of [{low}, {high}] is not finite")
    if low > high:
        raise ShapeError(f"histc: max must be larger than min, got [{low}, {high}]")
    if low == high:
        low, high = low - 1, high + 1
    counts = empty_of(kernels.sibling(dt.int64), Layout.dense((bins,)))
    kernels["histc"](counts, reshape(x, (-1,)), low=low, high=high)
    return cast(counts, kernels)


def _edges(xp: Any, x: Any, bins: Any, ends: tuple[float, float] | None) -> Any:
    """The edges of a histogram's bins along one coordinate."""
    if hasattr(bins, "ndim") and not isinstance(bins, np.generic):
        if bins.ndim != 1:
            raise ShapeError(f"histogram: bins tensor should have one dimension, but got {bins.ndim} dimensions")
        if bins.dtype is not x.dtype:
            raise DTypeError(f"histogram: input tensor and bins tensors should have the same dtype: {x.dtype!r}, {bins.dtype!r}")
        if bins.shape[0] < 2:
            raise ShapeError(f"histogram: bins must be > 0, but the number of edges is {bins.shape[0]}; two make one interval")
        same_device("histogram", x, bins)
        return bins
    if bins <= 0:
        raise ShapeError(f"histogram: bins must be > 0, but got {bins}")
    if ends is not None:
        low, high = ends
        if low > high:
            raise ShapeError(f"histogram: min should not exceed max, but got min {low} max {high}")
    elif prod(x.shape):
        low, high = _least_and_greatest(x)
    else:
        low, high = 0.0, 1.0
    if not (isfinite(low) and isfinite(high)):
        raise ShapeError(f"histogram: range [{low}, {high}] is not finite")
    if low == high:
        low, high = low - 0.5, high + 0.5
    return xp.linspace(low, high, bins + 1, dtype=x.dtype, device=x.device)


def histogram(
    x: NDArray, bins: Any, *, range: Sequence[float] | None = None, weight: NDArray | None = None, density: bool = False
) -> Histogram[NDArray]:
    """Count how many items, or add up how much weight, falls between neighbouring edges.

    The last interval contains its right edge, the others do not.

    Args:
        x: float32 or float64 of any shape.
        bins: how many intervals, or the ascending edges.
        range: the first and the last edge; by default those of the data.
        weight: of x's shape and dtype.
        density: whether to divide by the whole and by the intervals' widths.

    Returns:
        A named tuple of vectors in x's dtype: `hist`, one per interval, and `bin_edges`, one more.

    Raises:
        ShapeError: shapes do not fit, or the range is not finite or in the wrong order.
        DTypeError: `x` is neither float32 nor float64, or the dtypes differ.

    >>> hist, edges = nd.histogram(nd.asarray([1.0, 2.0, 1.0, 4.0]), bins=2)
    >>> hist, edges
    (NDArray([3., 1.]), NDArray([1.0000, 2.5000, 4.0000]))
    """
    kernels = x.flat.kernels
    if kernels.dtype not in (dt.float32, dt.float64):
        raise DTypeError(f'histogram: not defined for {x.dtype!r}; it wants float32 or float64 ("not implemented for")')
    if weight is not None and weight.layout.shape != x.layout.shape:
        raise ShapeError(
            f"histogram: if weight tensor is provided it should have the same shape as the input tensor excluding its innermost "
            f"dimension: {weight.layout.shape} for {x.layout.shape}"
        )
    if weight is not None and weight.dtype is not x.dtype:
        raise DTypeError(
            "histogram: if weight tensor is provided, input tensor and weight tensor should have the same dtype: "
            f"{x.dtype!r}, {weight.dtype!r}"
        )
    edges = _edges(namespace(x), x, bins, None if range is None else (float(range[0]), float(range[1])))
    counts = empty_of(kernels.sibling(dt.int64) if weight is None else kernels, Layout.dense((edges.layout.size - 1,)))
    kernels["histogram"](counts, reshape(x, (-1,)), edges, None if weight is None else reshape(weight, (-1,)))
    hist = cast(counts, kernels)
    if density:
        hist = hist / reduced("sum", hist, None, False, None) / (edges[1:] - edges[:-1])
    return Histogram(hist, contiguous(edges))


def histogramdd(
    x: Any, bins: Any, *, range: Sequence[float] | None = None, weight: Any = None, density: bool = False
) -> HistogramDD[NDArray]:
    """Compute the histogram of points: how many, or how much weight, falls into each box.

    Args:
        x: points `(..., d)`, float32 or float64.
        bins: how many intervals along every coordinate, or along each, or the edges of each.
        range: the first and the last edge of each coordinate, 2 d numbers; by default those of the data.
        weight: one per point, in x's dtype.
        density: whether to divide by the whole and by the boxes' volumes.

    Returns:
        A named tuple: `hist`, with one axis per coordinate, and `bin_edges`, a tuple of one vector per coordinate.

    Raises:
        ShapeError: shapes do not fit, or a range is not finite or in the wrong order.
        DTypeError: `x` is neither float32 nor float64, or the dtypes differ.

    >>> points = nd.asarray([[0.0, 0.0], [0.9, 0.1], [0.8, 0.2], [1.0, 1.0]])
    >>> nd.histogramdd(points, 2).hist
    NDArray([[1., 0.],
             [2., 1.]])
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
