"""Sliding windows over spatial axes as a view, and their transpose, which adds up what overlapping windows hold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lamina_flatarray import ShapeError

from ..array import NDArray, empty_of
from ..layout import Layout
from ..operands import cast, copy_to
from ..reductions import sum as total
from ..selection import new_zeros
from ..views import as_strided, permute, reshape

__all__ = ["overlap_add", "sliding_windows"]

Lengths = tuple[int, ...]


def window_count(length: int, kernel: int, stride: int, padding: int, dilation: int, ceil: bool = False) -> int:
    """How many windows fit along an axis of this length with `padding` more on each side; with `ceil` also one that juts out
    behind, if it begins before the padding there."""
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


def sliding_windows(x: NDArray, kernel: Lengths, stride: Lengths, padding: Lengths, dilation: Lengths) -> NDArray:
    """Every window over the spatial axes: `out[n, c, k, l] = x[n, c, l * stride + k * dilation - padding]`, and 0 outside of x.

    Args:
        x: (n, channels, *spatial).
        kernel: the lengths of a window; this and all further arguments have one number per spatial axis.
        stride: from one window to the next.
        padding: zeros in front and behind.
        dilation: from one item of a window to the next.

    Returns:
        (n, channels, *kernel, *counts), a view where there is no padding.

    Raises:
        ShapeError: no window fits.
    """
    counts = window_counts(x.layout.shape[2:], kernel, stride, padding, dilation)
    if min(counts, default=1) < 1:
        raise ShapeError(
            f"sliding_windows: no window of {kernel} with dilation {dilation} fits into {x.layout.shape[2:]} with padding {padding}"
        )
    return windows_of(x, kernel, stride, padding, dilation, counts)


def overlap_add(windows: NDArray, lengths: Lengths, stride: Lengths, padding: Lengths, dilation: Lengths) -> NDArray:
    """The transpose of `sliding_windows`: every item of every window added to the place that it would show.

    Items along an axis that are a stride apart have their windows in common. So a place is a phase within the stride and a
    number of strides, and its items lie on a diagonal of (window, item): one view shows them all, for one sum.

    Args:
        windows: (n, channels, *kernel, *counts).
        lengths: the spatial lengths of the result; places beyond the windows are 0.
        stride, padding, dilation: as for `sliding_windows`.

    Returns:
        (n, channels, *lengths).
    """
    rank = len(lengths)
    n, channels = windows.layout.shape[:2]
    kernel, counts = windows.layout.shape[2 : 2 + rank], windows.layout.shape[2 + rank :]
    taps, steps, lines, reaches = [], [], [], []  # per axis: per phase; from tap to tap; whole strides; and before the first
    for k, s, p, d, length in zip(kernel, stride, padding, dilation, lengths, strict=True):
        apart = s > 1 and d > 1  # then taps fall on phases of their own: the kernel is stretched by its dilation
        taps.append(-(-(((k - 1) * d + 1) if apart else k) // s))
        steps.append(d if s == 1 else 1)
        lines.append(-(-(p + length) // s))
        reaches.append((taps[-1] - 1) * steps[-1])
    rooms = [reach + max(q, count) for reach, q, count in zip(reaches, lines, counts, strict=True)]
    held = new_zeros(windows, (n, channels, *[m * s for m, s in zip(taps, stride, strict=True)], *rooms))
    stretched = [slice(None, None, d) if s > 1 and d > 1 else slice(None) for s, d in zip(stride, dilation, strict=True)]
    part = held[(..., *stretched, *[slice(r, r + count) for r, count in zip(reaches, counts, strict=True)])]
    part = part[(..., *[slice(0, k) for k in kernel], *[slice(None)] * rank)]
    copy_to(part, windows)

    of_taps, of_rooms = held.layout.strides[2 : 2 + rank], held.layout.strides[2 + rank :]
    diagonal = [s * t - step * r for s, t, step, r in zip(stride, of_taps, steps, of_rooms, strict=True)]
    shape, strides = [n, channels, *taps], [*held.layout.strides[:2], *diagonal]
    for i in range(rank):
        shape += [lines[i], stride[i]]
        strides += [of_rooms[i], of_taps[i]]
    start = held.layout.offset + sum_of_products(reaches, of_rooms) if held.layout.size else 0
    seen = as_strided(held, shape, strides, start)
    axes = tuple(range(2, 2 + rank))
    added = seen if max(taps, default=1) == 1 else cast(total(seen, axes), windows.flat.kernels)
    places = reshape(added, (n, channels, *[q * s for q, s in zip(lines, stride, strict=True)]))
    return places[(..., *[slice(p, p + length) for p, length in zip(padding, lengths, strict=True)])]


def sum_of_products(a: Sequence[int], b: Sequence[int]) -> int:
    """The inner product of two short lists of integers."""
    return sum(x * y for x, y in zip(a, b, strict=True))


def by_channels(windows: NDArray, rank: int, groups: int) -> NDArray:
    """Windows (n, channels, *kernel, *counts) as columns (n, groups, channels per group * kernel, counts)."""
    shape = windows.layout.shape
    rows, columns = 1, 1
    for length in shape[2 : 2 + rank]:
        rows *= length
    for length in shape[2 + rank :]:
        columns *= length
    return reshape(windows, (shape[0], groups, shape[1] // groups * rows, columns))


def first(x: NDArray, axes: Sequence[int]) -> NDArray:
    """x with these axes in front, the others behind them in their order."""
    return permute(x, (*axes, *[i for i in range(x.layout.ndim) if i not in axes]))


