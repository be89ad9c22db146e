"""The same items in other places: rolled, turned and repeated."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from lamina_flatarray import DTypeError, IndexOutOfRange, ShapeError, UsageError

from ..array_fields import empty_of, view_of
from ..batching import levels_of, on_all_slices
from ..creation.array_likes import from_numpy
from ..dispatch.namespace import Array, generic, namespace
from ..dispatch.operands import same_device
from ..layouts.broadcast import integers, normalize_axis
from ..layouts.image_order import image_layout
from ..layouts.layout import Layout
from .views import reshape

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = ["fliplr", "flipud", "repeat", "repeat_interleave", "roll", "rot90", "tile"]


def roll(x: NDArray, shift: int | Sequence[int], axis: int | Sequence[int] | None = None) -> NDArray:
    """Shift items along axes; those that leave at one end come in at the other.

    Args:
        x: an array of any dtype.
        shift: by how many items, forward where positive; one number per axis.
        axis: along which, one axis or several; None shifts all items in row-major order.

    Returns:
        A new array of x's shape and dtype.

    Raises:
        UsageError: there is no shift, or there are not as many as axes.
        IndexOutOfRange: an axis does not exist.

    >>> nd.roll(nd.asarray([1, 2, 3, 4]), 1)
    NDArray([4, 1, 2, 3])
    >>> nd.roll(nd.asarray([[1, 2], [3, 4]]), 1, 0)
    NDArray([[3, 4],
             [1, 2]])
    """
    shifts, shape = (shift,) if shift.__class__ is int else integers(shift, "roll"), x.layout.shape
    axes = () if axis is None or axis == () else integers(axis, "roll")
    if not shifts:
        raise UsageError("roll: `shifts` required, none given")
    if not axes and len(shifts) == 1:
        return _rolled(x, 0, shifts[0]) if len(shape) == 1 else reshape(_rolled(reshape(x, (x.layout.size,)), 0, shifts[0]), shape)
    if len(shifts) != len(axes):
        raise UsageError(f"roll: shifts and dimensions must align. shifts: {len(shifts)}, dims: {len(axes)}")
    if not shape:
        raise IndexOutOfRange(f"roll: Dimension specified as {axes[0]} but tensor has no dimensions")
    result = x
    for step, at in zip(shifts, axes, strict=True):
        result = _rolled(result, normalize_axis(at, len(shape), "roll"), step)
    return result


def _rolled(x: NDArray, axis: int, step: int) -> NDArray:
    kernels, layout = x.flat.kernels, x.layout
    if not layout.size:
        return empty_of(kernels, layout.result)
    cut = -step % layout.shape[axis]
    if cut:
        result = empty_of(kernels, image_layout(layout.shape, layout))
        parts = [view_of(x, layout.slice(axis, cut, None)), view_of(x, layout.slice(axis, None, cut))]
        kernels["concat"](result, parts, axis=axis)
    else:  # row-major, as what PyTorch joins of all and of nothing
        result = empty_of(kernels, Layout.dense(layout.shape))
        kernels["copy"](result, x)
    return result


@generic
def rot90(x: Array, k: int = 1, axes: Sequence[int] = (0, 1)) -> Array:
    """Rotate an array by multiples of 90 degrees in the plane of two axes, from the first towards the second.

    Args:
        x: an array with two axes at least.
        k: how many times; a negative number turns the other way.
        axes: the two axes.

    Returns:
        A new array, with the two lengths exchanged where k is odd.

    Raises:
        UsageError: there are not two axes, or they are the same.
        ShapeError: x has fewer than two axes.
        IndexOutOfRange: an axis does not exist.

    >>> nd.rot90(nd.asarray([[1, 2], [3, 4]]))
    NDArray([[2, 4],
             [1, 3]])
    """
    pair = integers(axes, "rot90")
    if len(pair) != 2:
        raise UsageError(f"rot90: expected total rotation dims == 2, but got dims = {len(pair)}")
    if x.ndim < 2:
        raise ShapeError(f"rot90: expected total dims >= 2, but got total dims = {x.ndim}")
    a, b = (normalize_axis(d, x.ndim, "rot90") for d in pair)
    if a == b:
        raise UsageError(f"rot90: expected rotation dims to be different, but got dim0 = {pair[0]} and {pair[1]}")
    xp = namespace(x)
    turns = k % 4
    if turns == 2:
        return xp.copy(xp.flip(x, (a, b)))
    if turns == 0:
        return xp.copy(x, row_major=True)
    return xp.transpose(xp.copy(xp.flip(x, b if turns == 1 else a)), a, b)


@generic
def fliplr(x: Array) -> Array:
    """Reverse the second axis.

    Args:
        x: an array with two axes at least.

    Returns:
        A new array of x's shape.

    Raises:
        ShapeError: there are fewer than two axes.

    >>> nd.fliplr(nd.asarray([[1, 2], [3, 4]]))
    NDArray([[2, 1],
             [4, 3]])
    """
    if x.ndim < 2:
        raise ShapeError(f"fliplr: Input must be >= 2-d, got shape {tuple(x.shape)}")
    xp = namespace(x)
    return xp.copy(xp.flip(x, 1))


@generic
def flipud(x: Array) -> Array:
    """Reverse the first axis.

    Args:
        x: an array with one axis at least.

    Returns:
        A new array of x's shape.

    Raises:
        ShapeError: there are no axes.

    >>> nd.flipud(nd.asarray([[1, 2], [3, 4]]))
    NDArray([[3, 4],
             [1, 2]])
    """
    if x.ndim < 1:
        raise ShapeError("flipud: Input must be >= 1-d, got shape ()")
    xp = namespace(x)
    return xp.copy(xp.flip(x, 0))


@generic
def tile(x: Array, repetitions: int | Sequence[int]) -> Array:
    """Repeat the whole array along its axes.

    Args:
        x: an array of any dtype.
        repetitions: how often, per axis; missing numbers, and missing axes of x, are added in front as 1.

    Returns:
        A new array whose lengths are x's times the repetitions.

    Raises:
        ShapeError: a number of repetitions is negative.

    >>> nd.tile(nd.asarray([1, 2]), (2, 2))
    NDArray([[1, 2, 1, 2],
             [1, 2, 1, 2]])
    """
    xp = namespace(x)
    times = integers(repetitions, "tile")
    times = (1,) * (x.ndim - len(times)) + times
    if min(times, default=0) < 0:
        raise ShapeError(f"tile: Trying to create tensor with negative dimension: repetitions {tuple(times)}")
    shape = (1,) * (len(times) - x.ndim) + tuple(x.shape)
    # Each axis of length n repeated k times is an axis of length k (by a stride of 0) before it, merged with it.
    split = xp.reshape(x, [m for n in shape for m in (1, n)])
    spread = xp.broadcast_to(split, tuple(m for k, n in zip(times, shape, strict=True) for m in (k, n)))
    return xp.reshape(xp.copy(spread, row_major=True), tuple(k * n for k, n in zip(times, shape, strict=True)))


@generic
def repeat_interleave(x: Array, repeats: Any = None, axis: int | None = None, *, output_size: int | None = None) -> Array:
    """Repeat each item along an axis, the copies of one next to each other.

    Args:
        x: an array of any dtype; without `repeats`, the numbers of repetitions of 0, 1, 2, ...
        repeats: a number, or an integer vector with one number per item.
        axis: along which; None flattens first.
        output_size: the length of the result, where it is known; it is checked.

    Returns:
        A new array of x's dtype, as long along the axis as the repetitions add up to.

    Raises:
        UsageError: a number of repetitions is negative.
        ShapeError: there are not as many numbers as items, or `output_size` is not their sum.
        DTypeError: the numbers are not integers.
        IndexOutOfRange: the axis does not exist.

    >>> nd.repeat_interleave(nd.asarray([1, 2, 3]), nd.asarray([1, 0, 2]))
    NDArray([1, 3, 3])
    >>> nd.repeat_interleave(nd.asarray([[1, 2]]), 2, 1)
    NDArray([[1, 1, 2, 2]])
    """
    xp = namespace(x)
    if repeats is None:
        x, repeats, axis = xp.arange(x.shape[0] if x.ndim else 1, device=x.device), x, 0
    if axis is None:
        x, axis = xp.reshape(x, (math.prod(x.shape),)), 0
    elif not x.ndim:
        raise IndexOutOfRange(f"repeat_interleave: dim {axis} given, but the tensor has no dims")
    at = normalize_axis(axis, x.ndim, "repeat_interleave")
    length = x.shape[at]
    if isinstance(repeats, (list, tuple)):
        repeats = xp.asarray(repeats, device=x.device)
    if hasattr(repeats, "dtype"):
        if repeats.dtype.kind != "i":
            raise DTypeError(f"repeat_interleave: repeats has to be Long or Int, got {repeats.dtype}")
        if repeats.ndim > 1 or (repeats.ndim == 1 and repeats.shape[0] not in (1, length)):
            raise ShapeError(
                f"repeat_interleave: repeats must have the same size as input along dim, but got {tuple(repeats.shape)}"
                f" and {length}"
            )
        same_device("repeat_interleave", x, repeats)
        array = getattr(repeats, "array", repeats)
        if levels_of(array.flat.kernels):
            return xp.take(x, _places_by_slice(array, length, output_size), at)
        counts = repeats.tolist()
        counts = [counts] if isinstance(counts, int) else counts
        each = counts * length if len(counts) == 1 else counts
    else:
        each = [int(repeats)] * length
    if min(each, default=0) < 0:
        raise UsageError("repeat_interleave: repeats can not be negative")
    if output_size is not None and output_size != sum(each):
        raise ShapeError(f"repeat_interleave: output_size {output_size} given, but repeats sum to {sum(each)}")
    times = each[0] if each else int(repeats) if not hasattr(repeats, "dtype") else None
    if times is not None and all(n == times for n in each):  # a stride of 0, copied once
        wide = xp.unsqueeze(x, at + 1)
        spread = xp.broadcast_to(wide, (*x.shape[: at + 1], times, *x.shape[at + 1 :]))
        return xp.reshape(xp.copy(spread, row_major=True), (*x.shape[:at], length * times, *x.shape[at + 1 :]))
    places = np.repeat(np.arange(length), np.asarray(each, np.int64))
    return xp.index_select(x, at, xp.asarray(places, device=x.device))


def _places_by_slice(repeats: NDArray, length: int, output_size: int | None) -> NDArray:
    """Where the repeated items of each slice of a batch come from; their numbers are read for it."""
    per_slice = repeats.shape[0] if repeats.ndim else 1

    def of_all(counts: NDArray) -> NDArray:
        each = np.broadcast_to(counts.numpy().reshape(-1, per_slice), (counts.size // per_slice, length))
        if each.min(initial=0) < 0:
            raise UsageError("repeat_interleave: repeats can not be negative")
        totals = {*each.sum(1).tolist()} | ({output_size} if output_size is not None else set())
        if len(totals) != 1:
            raise ShapeError(f"repeat_interleave: vmap: results of one length for each slice are wanted, got lengths {sorted(totals)}")
        places = np.stack([np.repeat(np.arange(length), row) for row in each])
        return from_numpy(places.reshape(*counts.shape[: counts.ndim - repeats.ndim], -1))

    return on_all_slices(of_all, repeats)


@generic
def repeat(x: Array, repeats: Any, axis: int | None = None) -> Array:
    """Repeat each item along an axis: the Array API's name of `repeat_interleave`.

    Args:
        x: an array of any dtype.
        repeats: a number, or an integer vector with one number per item.
        axis: along which; None flattens first.

    Returns:
        A new array of x's dtype, as long along the axis as the repetitions add up to.

    Raises:
        UsageError: a number of repetitions is negative.
        ShapeError: there are not as many numbers as items.
        DTypeError: the numbers are not integers.
        IndexOutOfRange: the axis does not exist.

    >>> nd.repeat(nd.asarray([1, 2, 3]), 2)
    NDArray([1, 1, 2, 2, 3, 3])
    """
    return repeat_interleave(x, repeats, axis)
