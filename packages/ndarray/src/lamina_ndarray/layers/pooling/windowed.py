"""The greatest item and the mean of every sliding window, and the transposes of both; the greatest of bins."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from lamina_flatarray import ShapeError
from lamina_flatarray import dtypes as dt

from ...array_fields import empty_of
from ...dispatch.operands import common_kernels, refuse_undefined
from ...dispatch.results import ValuesIndices
from ...layouts.image_order import arranged, image_layout, in_image_order
from ...layouts.layout import Layout
from ..convolutions.sliding import window_counts

if TYPE_CHECKING:
    from ...array import NDArray

__all__ = ["adaptive_max_pool", "average_pool", "average_pool_gradient", "max_pool", "max_pool_gradient"]

Lengths = tuple[int, ...]


@lru_cache(1024)
def _windows(
    op: str, shape: Lengths, kernel: Lengths, stride: Lengths, padding: Lengths, dilation: Lengths, ceil: bool
) -> Layout:
    """How one number per window of an input of this shape lies; worked out once for each."""
    counts = window_counts(shape[2:], kernel, stride, padding, dilation, ceil)
    if min(counts) < 1:
        raise ShapeError(
            f"{op}: Given input size: {shape[1:]}. Calculated output size: {(shape[1], *counts)}. Output size is too small"
        )
    return Layout.dense((*shape[:2], *counts))


def _in_order(result: NDArray, x: NDArray) -> NDArray:
    """A row-major result in the order of memory of x; sequences are, as in PyTorch, images of one row."""
    if x.layout.ndim != 3:
        return in_image_order(result, x)
    images = image_layout(result.layout.unsqueeze(-2).shape, x.layout.unsqueeze(-2))
    return arranged(result, images.squeeze(-2))


def max_pool(
    x: NDArray, kernel: Lengths, stride: Lengths, padding: Lengths, dilation: Lengths, ceil: bool = False
) -> ValuesIndices[NDArray]:
    """Find the greatest item of every window and where it is.

    Args:
        x: `(n, channels, *spatial)`; what lies outside takes no part.
        kernel: the lengths of a window; this and the next three have one number per spatial axis.
        stride: from one window to the next.
        padding: how far windows may begin in front, at most half of the kernel, and end behind.
        dilation: from one item of a window to the next.
        ceil: whether a last window may jut out.

    Returns:
        A named tuple: `values` and their int64 `indices` within the flattened spatial axes, both `(n, channels, *counts)`.

    Raises:
        ShapeError: no window fits.
        DTypeError: x is complex.

    >>> values, indices = nd.max_pool(nd.asarray([[[1.0, 5.0, 2.0, 3.0]]]), (2,), stride=(2,), padding=(0,), dilation=(1,))
    >>> values, indices
    (NDArray([[[5., 3.]]]), NDArray([[[1, 3]]]))
    """
    kernels = x.flat.kernels
    refuse_undefined("max_pool", kernels.dtype)
    layout = _windows("max_pool", x.layout.shape, kernel, stride, padding, dilation, ceil)
    values, positions = empty_of(kernels, layout), empty_of(kernels.sibling(dt.int64), layout)
    kernels["max_pool"](
        (values, positions), x, kernel=kernel, stride=stride, padding=padding, dilation=dilation, ceil=ceil
    )
    if not x.layout.row_major:
        values, positions = _in_order(values, x), _in_order(positions, x)
    return ValuesIndices(values, positions)


def adaptive_max_pool(x: NDArray, counts: Lengths) -> ValuesIndices[NDArray]:
    """Find the greatest item of every bin and where it is; bins begin and end as `bins` says.

    Args:
        x: `(n, channels, *spatial)`, no spatial axis empty.
        counts: how many bins along each spatial axis.

    Returns:
        A named tuple: `values` and their int64 `indices` within the flattened spatial axes, both `(n, channels, *counts)`.

    Raises:
        ShapeError: a spatial axis is empty, or there is not one count for each.
        DTypeError: x is complex.

    >>> values, indices = nd.adaptive_max_pool(nd.asarray([[[1.0, 5.0, 2.0, 3.0, 4.0]]]), (2,))
    >>> values, indices
    (NDArray([[[5., 4.]]]), NDArray([[[1, 4]]]))
    """
    refuse_undefined("adaptive_max_pool", x.flat.dtype)
    shape = x.layout.shape
    if len(counts) != len(shape) - 2 or 0 in shape[2:] or min(counts, default=-1) < 0:
        raise ShapeError(f"adaptive_max_pool: {tuple(counts)} bins of an input {list(shape)}")
    kernels, layout = x.flat.kernels, Layout.dense((*shape[:2], *counts))
    values, positions = empty_of(kernels, layout), empty_of(kernels.sibling(dt.int64), layout)
    kernels["adaptive_max_pool"]((values, positions), x, counts=counts)
    if len(counts) != 3 and not x.layout.row_major:  # of volumes PyTorch's are row-major
        values, positions = _in_order(values, x), _in_order(positions, x)
    return ValuesIndices(values, positions)


def max_pool_gradient(gradient: NDArray, positions: NDArray, lengths: Lengths) -> NDArray:
    """The transpose of `max_pool` and `adaptive_max_pool`: each item where the greatest of its window was, added up where these
    are the same.

    Args:
        gradient: (n, channels, *counts).
        positions: int64, within the flattened spatial axes of the result, of the same shape.
        lengths: the spatial lengths of the result.

    Returns:
        (n, channels, *lengths).

    Raises:
        ShapeError: there is not one position for each item.
        PositionOutOfRange: a position lies outside.
    """
    if gradient.layout.shape != positions.layout.shape:
        raise ShapeError(
            f"max_pool_gradient: a gradient {list(gradient.layout.shape)} with positions {list(positions.layout.shape)}"
        )
    kernels = common_kernels("max_pool_gradient", (gradient, positions)).sibling(gradient.dtype)
    result = empty_of(kernels, Layout.dense((*gradient.layout.shape[:2], *lengths)))
    kernels["max_pool_gradient"](result, gradient, positions, lengths=lengths)
    return result


def average_pool(
    x: NDArray,
    kernel: Lengths,
    stride: Lengths,
    padding: Lengths,
    ceil: bool = False,
    count_padding: bool = True,
    divisor: int | None = None,
) -> NDArray:
    """Compute the mean of every window.

    Args:
        x: `(n, channels, *spatial)`.
        kernel: the lengths of a window; this and the next two have one number per spatial axis.
        stride: from one window to the next.
        padding: how far windows may begin in front, at most half of the kernel, and end behind.
        ceil: whether a last window may jut out.
        count_padding: whether zeros of the padding count; those beyond it never do.
        divisor: what sums are divided by instead of by the number of items.

    Returns:
        `(n, channels, *counts)`, in x's dtype.

    Raises:
        ShapeError: no window fits.
        DTypeError: x is not floating.

    >>> nd.average_pool(nd.asarray([[[1.0, 5.0, 2.0, 3.0]]]), (2,), stride=(2,), padding=(0,))
    NDArray([[[3.0000, 2.5000]]])
    """
    kernels = x.flat.kernels
    refuse_undefined("average_pool", kernels.dtype)
    layout = _windows("average_pool", x.layout.shape, kernel, stride, padding, (1,) * len(kernel), ceil)
    result = empty_of(kernels, layout)
    kernels["average_pool"](
        result, x, kernel=kernel, stride=stride, padding=padding, ceil=ceil, count_padding=count_padding, divisor=divisor
    )
    return result if x.layout.row_major or len(kernel) == 3 else _in_order(result, x)  # of volumes PyTorch's are row-major


def average_pool_gradient(
    gradient: NDArray,
    lengths: Lengths,
    kernel: Lengths,
    stride: Lengths,
    padding: Lengths,
    ceil: bool = False,
    count_padding: bool = True,
    divisor: int | None = None,
) -> NDArray:
    """The transpose of `average_pool`: each item in equal parts over its window.

    Args:
        gradient: (n, channels, *counts).
        lengths: the spatial lengths of the result.
        kernel, stride, padding, ceil, count_padding, divisor: as for `average_pool`.

    Returns:
        (n, channels, *lengths).

    Raises:
        DTypeError: the gradient is not floating.
    """
    refuse_undefined("average_pool_gradient", gradient.flat.dtype)
    result = empty_of(gradient.flat.kernels, Layout.dense((*gradient.layout.shape[:2], *lengths)))
    result.flat.kernels["average_pool_gradient"](
        result, gradient, lengths=lengths, kernel=kernel, stride=stride, padding=padding, ceil=ceil,
        count_padding=count_padding, divisor=divisor,
    )  # fmt: skip
    return result
