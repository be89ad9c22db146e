"""Convolution and its transposes as one matrix product per group and example over sliding windows; 16 bits are summed in 32."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from ...layers.convolutions.sliding import by_channels, first, overlap_add, window_counts, windows_of
from ...shapes.views import reshape, transpose
from ..registering import composed, widened

if TYPE_CHECKING:
    from ...array import NDArray

__all__: list[str] = []

Lengths = tuple[int, ...]


@composed("convolution")
def convolution(
    x: NDArray, weight: NDArray, bias: NDArray | None, stride: Lengths, padding: Lengths, dilation: Lengths, groups: int
) -> NDArray:
    """Multiply the weight of each group by a matrix whose columns are the windows of the input."""
    x, weight = widened(x), widened(weight)
    n, outputs, kernel = x.shape[0], weight.shape[0], weight.shape[2:]
    counts = window_counts(x.shape[2:], kernel, stride, padding, dilation)
    columns = by_channels(windows_of(x, kernel, stride, padding, dilation, counts), len(kernel), groups)
    result = reshape(_filters(weight, groups) @ columns, (n, outputs, *counts))
    return result if bias is None else result + reshape(widened(bias), (outputs, *[1] * len(counts)))


def _filters(weight: NDArray, groups: int) -> NDArray:
    """(groups, outputs per group, channels per group * kernel)."""
    return reshape(weight, (groups, weight.shape[0] // groups, prod(weight.shape[1:])))


def _per_group(gradient: NDArray, groups: int) -> NDArray:
    """(n, groups, outputs per group, counts)."""
    return reshape(gradient, (gradient.shape[0], groups, gradient.shape[1] // groups, prod(gradient.shape[2:])))


@composed("convolution_input_gradient")
def convolution_input_gradient(
    gradient: NDArray, weight: NDArray, bias: NDArray | None, lengths: Lengths, stride: Lengths, padding: Lengths,
    dilation: Lengths, groups: int,
) -> NDArray:  # fmt: skip
    """Multiply the transposed weight of each group by the gradient, and add up what overlapping windows share."""
    gradient, weight = widened(gradient), widened(weight)
    columns = transpose(_filters(weight, groups)) @ _per_group(gradient, groups)
    shape = (gradient.shape[0], weight.shape[1] * groups, *weight.shape[2:], *gradient.shape[2:])
    result = overlap_add(reshape(columns, shape), lengths, stride, padding, dilation)
    return result if bias is None else result + reshape(widened(bias), (shape[1], *[1] * len(lengths)))


@composed("convolution_weight_gradient")
def convolution_weight_gradient(
    gradient: NDArray, x: NDArray, lengths: Lengths, stride: Lengths, padding: Lengths, dilation: Lengths, groups: int
) -> NDArray:
    """Examples and places are one axis, which the product sums over."""
    gradient, x = widened(gradient), widened(x)
    counts = gradient.shape[2:]
    rank, channels = len(lengths), x.shape[1]
    windows = first(windows_of(x, lengths, stride, padding, dilation, counts), range(1, 2 + rank))
    places = gradient.shape[0] * prod(counts)
    columns = reshape(windows, (groups, channels // groups * prod(lengths), places))
    rows = reshape(first(gradient, (1,)), (groups, gradient.shape[1] // groups, places))
    return reshape(rows @ transpose(columns), (gradient.shape[1], channels // groups, *lengths))
