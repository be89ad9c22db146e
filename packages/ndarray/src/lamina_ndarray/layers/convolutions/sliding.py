"""Sliding windows over spatial axes as a view, and their transpose, which adds up what overlapping windows hold."""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd, prod
from typing import TYPE_CHECKING, Any

from lamina_flatarray import ShapeError

from ...array_fields import empty_of
from ...dispatch.operands import cast, copy_to
from ...indexing.selection import new_zeros
from ...layouts.layout import Layout
from ...reductions.sums import sum as total
from ...shapes.views import as_strided, permute, reshape

if TYPE_CHECKING:
    from ...array import NDArray

__all__ = ["overlap_add", "sliding_windows"]

Lengths = tuple[int, ...]


def window_count(length: int, kernel: int, stride: int, padding: int, dilation: int, ceil: bool = False) -> int:
    """How many windows fit along an axis of this length with `padding` more on each side; with `ceil` also one that juts out
    behind, if it begins before the padding there.

    Raises:
        ShapeError: the stride is below 1.
    """
    if stride < 1:
        raise ShapeError(f"windows: non-positive stride is not supported, got {stride}")
    room = length + 2 * padding - dilation * (kernel - 1) - 1
    count = (room + (stride - 1 if ceil else 0)) // stride + 1
    return count - 1 if ceil and (count - 1) * stride >= length + padding else count


def window_counts(
    lengths: Sequence[int], kernel: Lengths, stride: Lengths, padding: Lengths, dilation: Lengths, ceil: bool = False
) -> Lengths:
    """`window_count` for every spatial axis."""
    axes = zip(lengths, kernel, stride, padding, dilation, strict=True)
    return tuple([window_count(*axis, ceil) for axis in axes])


def windows_of(
    x: NDArray, kernel: Lengths, stride: Lengths, padding: Lengths, dilation: Lengths, counts: Lengths, fill: Any = 0
) -> NDArray:
    """The view (n, channels, *kernel, *counts) of x, or of a copy with `fill` around it, that shows every window."""
    lengths = x.layout.shape[2:]
    behind = [
        max(0, (count - 1) * s + (k - 1) * d + 1 - p - n)
        for n, k, s, p, d, count in zip(lengths, kernel, stride, padding, dilation, counts, strict=True)
    ]
    if any(padding) or any(behind):
        around = [p + n + q for p, n, q in zip(padding, lengths, behind, strict=True)]
        wide = empty_of(x.flat.kernels, Layout.dense((*x.layout.shape[:2], *around)))
        wide.flat.kernels["fill"](wide, value=fill)
        copy_to(wide[(..., *[slice(p, p + n) for p, n in zip(padding, lengths, strict=True)])], x)
        x = wide
    strides = x.layout.strides
    taps = [d * step for d, step in zip(dilation, strides[2:], strict=True)]
    steps = [s * step for s, step in zip(stride, strides[2:], strict=True)]
    return as_strided(x, (*x.layout.shape[:2], *kernel, *counts), (*strides[:2], *taps, *steps))


def _check_steps(op: str, stride: Lengths, padding: Lengths, dilation: Lengths) -> None:
    if min((*stride, *dilation), default=1) < 1 or min(padding, default=0) < 0:
        raise ShapeError(
            f"{op}: stride {stride}, padding {padding} and dilation {dilation} given; it wants strides and dilations of 1 or more, and no"
            " negative padding"
        )


def sliding_windows(x: NDArray, kernel: Lengths, stride: Lengths, padding: Lengths, dilation: Lengths) -> NDArray:
    """Show every window over the spatial axes: `out[n, c, k, l] = x[n, c, l * stride + k * dilation - padding]`, and 0 outside of x.

    Args:
        x: `(n, channels, *spatial)`.
        kernel: the lengths of a window; this and all further arguments have one number per spatial axis.
        stride: from one window to the next.
        padding: zeros in front and behind.
        dilation: from one item of a window to the next.

    Returns:
        `(n, channels, *kernel, *counts)`, a view where there is no padding.

    Raises:
        ShapeError: no window fits, a stride or a dilation is below 1, or a padding below 0.

    >>> nd.sliding_windows(nd.asarray([[[1, 2, 3, 4]]]), (2,), stride=(1,), padding=(0,), dilation=(1,))
    NDArray([[[[1, 2, 3],
               [2, 3, 4]]]])
    """
    _check_steps("sliding_windows", stride, padding, dilation)
    counts = window_counts(x.layout.shape[2:], kernel, stride, padding, dilation)
    if min(counts, default=1) < 1:
        raise ShapeError(
            f"sliding_windows: no window of {kernel} with dilation {dilation} fits into {x.layout.shape[2:]} with padding {padding}"
        )
    return windows_of(x, kernel, stride, padding, dilation, counts)


def overlap_add(windows: NDArray, lengths: Lengths, stride: Lengths, padding: Lengths, dilation: Lengths) -> NDArray:
    """The transpose of `sliding_windows`: every item of every window added to the place that it would show.

    Of the items of a kernel, those `stride / gcd(stride, dilation)` apart fall on the same places, a whole number of strides
    apart. So they lie on a diagonal of (window, item): one view shows what to add, and another, without overlap, where it goes.

    Args:
        windows: (n, channels, *kernel, *counts).
        lengths: the spatial lengths of the result; places beyond the windows are 0.
        stride, padding, dilation: as for `sliding_windows`.

    Returns:
        (n, channels, *lengths).

    Raises:
        ShapeError: a stride or a dilation is below 1, or a padding below 0.
    """
    _check_steps("overlap_add", stride, padding, dilation)
    rank = len(lengths)
    lead, kernel, counts = windows.layout.shape[:2], windows.layout.shape[2 : 2 + rank], windows.layout.shape[2 + rank :]
    apart = [min(k, s // gcd(s, d)) for k, s, d in zip(kernel, stride, dilation, strict=True)]
    meeting = [-(-k // j) for k, j in zip(kernel, apart, strict=True)]
    steps = [d // gcd(s, d) for s, d in zip(stride, dilation, strict=True)]
    reach = [(m - 1) * step for m, step in zip(meeting, steps, strict=True)]
    lines = [count + r for count, r in zip(counts, reach, strict=True)]
    added = reshape(windows, (*lead, *apart, *lines)) if max(meeting) == 1 else _diagonals(windows, apart, meeting, steps)

    ends = [
        max((q - 1) * s + (j - 1) * d + 1, p + length)
        for q, j, s, d, p, length in zip(lines, apart, stride, dilation, padding, lengths, strict=True)
    ]
    if max(stride) > 1 or ends != lines:
        padded = new_zeros(windows, (*lead, *ends))
        strides = padded.layout.strides
        taps = [d * step for d, step in zip(dilation, strides[2:], strict=True)]
        places = [s * step for s, step in zip(stride, strides[2:], strict=True)]
        if added.layout.size:
            copy_to(as_strided(padded, (*lead, *apart, *lines), (*strides[:2], *taps, *places)), added)
    else:
        padded = reshape(added, (*lead, *ends))
    return padded[(..., *[slice(p, p + length) for p, length in zip(padding, lengths, strict=True)])]


def _diagonals(windows: NDArray, apart: Sequence[int], meeting: Sequence[int], steps: Sequence[int]) -> NDArray:
    """The sums (n, channels, *apart, *lines) of items that meet; windows lie between zeros, so that all diagonals are whole."""
    rank = len(apart)
    shape = windows.layout.shape
    lead, kernel, counts = shape[:2], shape[2 : 2 + rank], shape[2 + rank :]
    reach = [(m - 1) * step for m, step in zip(meeting, steps, strict=True)]
    rooms = [count + 2 * r for count, r in zip(counts, reach, strict=True)]
    buffer = new_zeros(windows, (*lead, *[m * j for m, j in zip(meeting, apart, strict=True)], *rooms))
    inner = [slice(0, k) for k in kernel] + [slice(r, r + count) for r, count in zip(reach, counts, strict=True)]
    copy_to(buffer[(..., *inner)], windows)
    of_lead, of_items, of_windows = (
        buffer.layout.strides[:2], buffer.layout.strides[2 : 2 + rank], buffer.layout.strides[2 + rank :]
    )  # fmt: skip
    diagonal = [
        j * item - step * window for j, item, step, window in zip(apart, of_items, steps, of_windows, strict=True)
    ]
    lines = [count + r for count, r in zip(counts, reach, strict=True)]
    start = sum(r * window for r, window in zip(reach, of_windows, strict=True)) if buffer.layout.size else 0
    shown = as_strided(buffer, (*lead, *meeting, *apart, *lines), (*of_lead, *diagonal, *of_items, *of_windows), start)
    sums: NDArray = total(shown, tuple(range(2, 2 + rank)))
    return cast(sums, windows.flat.kernels)


def by_channels(windows: NDArray, rank: int, groups: int) -> NDArray:
    """Windows (n, channels, *kernel, *counts) as columns (n, groups, channels per group * kernel, counts)."""
    shape = windows.layout.shape
    rows = shape[1] // groups * prod(shape[2 : 2 + rank])
    return reshape(windows, (shape[0], groups, rows, prod(shape[2 + rank :])))


def first(x: NDArray, axes: Sequence[int]) -> NDArray:
    """x with these axes in front, the others behind them in their order."""
    return permute(x, (*axes, *[i for i in range(x.layout.ndim) if i not in axes]))


