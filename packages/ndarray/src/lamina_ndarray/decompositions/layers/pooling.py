"""Pooling written with the reductions of sliding windows; how many items count, and where they are, is told beforehand."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from lamina_flatarray import iinfo

from ...creation.array_likes import from_numpy
from ...creation.conversion import to_device
from ...creation.ranges import arange
from ...elementwise import arithmetic
from ...indexing.gathering import scatter_add
from ...indexing.selection import new_zeros
from ...layers.convolutions.sliding import first, overlap_add, window_counts, windows_of
from ...layers.pooling.bins import bins, places_in_bins
from ...reductions.extremes import argmax
from ...reductions.extremes import max as greatest
from ...reductions.sums import sum as total
from ...shapes.views import broadcast_to, permute, reshape
from ..registering import composed, widened

if TYPE_CHECKING:
    from ...array import NDArray

__all__: list[str] = []

Lengths = tuple[int, ...]


def _least(x: NDArray) -> Any:
    if x.dtype.is_floating_point:
        return -float("inf")
    return False if x.dtype.kind == "b" else iinfo(x.dtype).min


@composed("max_pool")
def max_pool(
    x: NDArray, kernel: Lengths, stride: Lengths, padding: Lengths, dilation: Lengths, ceil: bool
) -> tuple[NDArray, NDArray]:
    """The items of a window first, so that the greatest are found row by row."""
    rank, lengths = len(kernel), x.shape[2:]
    counts = window_counts(lengths, kernel, stride, padding, dilation, ceil)
    windows = first(windows_of(x, kernel, stride, padding, dilation, counts, _least(x)), range(2, 2 + rank))
    places = _places(lengths, kernel, stride, padding, dilation, counts)
    rows = reshape(windows, (places.shape[0], *x.shape[:2], places.shape[1]))
    where = argmax(rows, 0)
    shape = (*x.shape[:2], *counts)
    indices = to_device(from_numpy(places), x.device)[where, arange(places.shape[1], device=x.device)]
    return reshape(greatest(rows, 0), shape), reshape(indices, shape)


@composed("adaptive_max_pool")
def adaptive_max_pool(x: NDArray, counts: Lengths) -> tuple[NDArray, NDArray]:
    """Laid out as for `max_pool`."""
    lengths, shape = x.shape[2:], (*x.shape[:2], *counts)
    starts, stops = zip(*[bins(n, count) for n, count in zip(lengths, counts, strict=True)], strict=True)
    places = np.ascontiguousarray(places_in_bins(starts, stops, lengths).T)
    bin_places = to_device(from_numpy(places), x.device)
    rows = reshape(first(x, range(2, x.ndim)), (prod(lengths), *x.shape[:2]))[bin_places]
    rows = permute(rows, (0, 2, 3, 1))
    where = argmax(rows, 0)
    indices = bin_places[where, arange(places.shape[1], device=x.device)]
    return reshape(greatest(rows, 0), shape), reshape(indices, shape)


@composed("max_pool_gradient")
def max_pool_gradient(gradient: NDArray, positions: NDArray, lengths: Lengths) -> NDArray:
    """Add each item of the gradient to the place that its window's greatest item came from."""
    n, channels, *counts = gradient.shape
    flat = (n, channels, prod(counts))
    start = new_zeros(gradient, (n, channels, prod(lengths)))
    return reshape(scatter_add(start, reshape(positions, flat), reshape(gradient, flat), 2), (n, channels, *lengths))


def _places(
    lengths: Lengths, kernel: Lengths, stride: Lengths, padding: Lengths, dilation: Lengths, counts: Lengths
) -> np.ndarray[Any, Any]:
    """Per item of a window and per window, its position within the flattened axes; that of the window's first item within x
    for those outside, which have no say but where all are the least there is."""
    result = np.zeros((1, 1), np.int64)
    for n, k, s, p, d, count in zip(lengths, kernel, stride, padding, dilation, counts, strict=True):
        starts = np.arange(count) * s - p
        at = starts + np.arange(k)[:, None] * d
        inside = np.where(starts < 0, starts + (-starts + d - 1) // d * d, starts)
        at = np.where((at < 0) | (at >= n), inside, at)
        result = (result[:, None, :, None] * n + at[None, :, None, :]).reshape(result.shape[0] * k, -1)
    return result


def _divided(
    x: NDArray, lengths: Lengths, kernel: Lengths, stride: Lengths, padding: Lengths, counts: Lengths,
    count_padding: bool, divisor: int | None,
) -> Any:  # fmt: skip
    """(n, channels, *counts) over what each window counts."""
    quotient = arithmetic.divide
    if divisor is not None:
        return quotient(x, divisor)
    sizes = np.ones(())
    for n, k, s, p, count in zip(lengths, kernel, stride, padding, counts, strict=True):
        begin = np.arange(count) * s - p
        end = np.minimum(begin + k, n + p if count_padding else n)
        sizes = sizes[..., None] * (end - (begin if count_padding else np.maximum(begin, 0)))
    if (sizes == sizes.flat[0]).all():
        return quotient(x, float(sizes.flat[0]))
    return quotient(x, to_device(from_numpy(sizes.astype(x.dtype.numpy)), x.device))


@composed("average_pool")
def average_pool(
    x: NDArray, kernel: Lengths, stride: Lengths, padding: Lengths, ceil: bool, count_padding: bool, divisor: int | None
) -> Any:
    """Compute the sum of every window over the number of items that count."""
    x = widened(x)
    rank, ones = len(kernel), (1,) * len(kernel)
    counts = window_counts(x.shape[2:], kernel, stride, padding, ones, ceil)
    summed = total(windows_of(x, kernel, stride, padding, ones, counts), tuple(range(2, 2 + rank)))
    return _divided(summed, x.shape[2:], kernel, stride, padding, counts, count_padding, divisor)


@composed("average_pool_gradient")
def average_pool_gradient(
    gradient: NDArray, lengths: Lengths, kernel: Lengths, stride: Lengths, padding: Lengths, ceil: bool,
    count_padding: bool, divisor: int | None,
) -> NDArray:  # fmt: skip
    """Spread each item of the gradient in equal parts over its window, and add up where windows overlap."""
    gradient = widened(gradient)
    n, channels, *counts = gradient.shape
    part = _divided(gradient, lengths, kernel, stride, padding, tuple(counts), count_padding, divisor)
    spread = broadcast_to(
        reshape(part, (n, channels, *[1] * len(kernel), *counts)), (n, channels, *kernel, *counts)
    )
    return overlap_add(spread, lengths, stride, padding, (1,) * len(kernel))
