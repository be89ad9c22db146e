"""The same items in other places: axes moved and merged, items rolled, turned and repeated."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from lamina_flatarray import DTypeError, IndexOutOfRange, ShapeError, UsageError

from ..array_fields import empty_of, view_of
from ..batching import levels_of, on_all_slices
from ..creation.constructors import from_numpy
from ..dispatch.namespace import Array, generic, namespace
from ..dispatch.operands import same_device
from ..layouts.broadcast import broadcast_shapes, normalize_axis
from ..layouts.image_order import image_layout
from ..layouts.layout import Layout
from ..layouts.reshaping import infer_lengths
from .views import reshape

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = [
    "adjoint",
    "atleast_1d",
    "atleast_2d",
    "atleast_3d",
    "broadcast_arrays",
    "broadcast_shapes",
    "flatten",
    "fliplr",
    "flipud",
    "meshgrid",
    "moveaxis",
    "ravel",
    "repeat",
    "repeat_interleave",
    "roll",
    "rot90",
    "swapaxes",
    "tile",
    "unflatten",
]


def _tuple(value: Any) -> tuple[int, ...]:
    return (value,) if hasattr(value, "__index__") else tuple(value)


# -- axes -------------------------------------------------------------------------------------------------------------


@generic
def moveaxis(x: Array, source: int | Sequence[int], destination: int | Sequence[int]) -> Array:
    """Move axes to other indices; the remaining axes keep their order.

    Args:
        x: an array of any shape.
        source: the axes to move: one, or several.
        destination: as many indices, where they go in the result.

    Returns:
        A view of x.

    Raises:
        ShapeError: the numbers of axes differ, or one is named twice.
        IndexOutOfRange: an axis does not exist.

    >>> nd.moveaxis(nd.ones((2, 3, 4)), 0, -1).shape
    (3, 4, 2)
    """
    sources, targets = _tuple(source), _tuple(destination)
    if len(sources) != len(targets):
        raise ShapeError(
            f"movedim: Invalid source or destination dims: source ({list(sources)} dims) should contain the same "
            f"number of dims as destination ({list(targets)} dims)"
        )
    old = [normalize_axis(a, x.ndim, "movedim") for a in sources]
    new = [normalize_axis(a, x.ndim, "movedim") for a in targets]
    for name, passed, axes in (("source", sources, old), ("destination", targets, new)):
        if len(set(axes)) != len(axes):
            raise ShapeError(f"movedim: repeated dim in `{name}` ({list(passed)})")
    if not x.ndim:
        return namespace(x).permute(x, ())
    rest = iter([a for a in range(x.ndim) if a not in old])
    return namespace(x).permute(x, [old[new.index(i)] if i in new else next(rest) for i in range(x.ndim)])


@generic
def swapaxes(x: Array, axis1: int, axis2: int) -> Array:
    """Exchange two axes.

    Args:
        x: an array with the two axes.
        axis1: an axis; negative ones count from the end.
        axis2: another axis.

    Returns:
        A view with the two axes exchanged.

    Raises:
        IndexOutOfRange: an axis does not exist.

    >>> nd.swapaxes(nd.ones((2, 3, 4)), 0, 2).shape
    (4, 3, 2)
    """
    return namespace(x).transpose(x, axis1, axis2)


@generic
def adjoint(x: Array) -> Array:
    """Return the conjugate transpose of matrices.

    Args:
        x: (..., m, n), or an array without axes.

    Returns:
        (..., n, m) of x's dtype; a view where x is real.

    Raises:
        ShapeError: there is exactly one axis.

    >>> nd.adjoint(nd.asarray([[1.0, 2j]]))
    NDArray([[1.-0.j],
             [0.-2.j]])
    """
    if x.ndim == 1:
        raise ShapeError(f"adjoint: shape {tuple(x.shape)} given; it wants a matrix or several")
    xp = namespace(x)
    turned = xp.transpose(x, -2, -1) if x.ndim else x
    return xp.conj(turned) if x.dtype.is_complex else turned


@generic(strict=True)
def flatten(x: Array, start: int = 0, end: int = -1) -> Array:
    """Merge the axes from `start` to `end` into one.

    Args:
        x: an array of any shape; without axes it becomes a vector of one item.
        start: the first axis to merge.
        end: the last axis to merge.

    Returns:
        x itself where there is nothing to merge, a view where strides allow it, else a copy.

    Raises:
        ShapeError: `start` comes after `end`.
        IndexOutOfRange: an axis does not exist.

    >>> nd.flatten(nd.ones((2, 3, 4)), 1).shape
    (2, 12)
    """
    if not x.ndim:
        normalize_axis(start, 0, "flatten"), normalize_axis(end, 0, "flatten")
        return namespace(x).reshape(x, (1,))
    first, last = normalize_axis(start, x.ndim, "flatten"), normalize_axis(end, x.ndim, "flatten")
    if first > last:
        raise ShapeError(f"flatten: start axis {start} comes after end axis {end} in shape {tuple(x.shape)}")
    shape = tuple(x.shape)
    merged = (*shape[:first], math.prod(shape[first : last + 1]), *shape[last + 1 :])
    return x if first == last else namespace(x).reshape(x, merged)


@generic
def ravel(x: Array) -> Array:
    """Flatten an array to a vector.

    Args:
        x: an array of any shape.

    Returns:
        All items in row-major order: a view where they lie so, else a copy.

    >>> nd.ravel(nd.asarray([[1, 2], [3, 4]]))
    NDArray([1, 2, 3, 4])
    """
    xp = namespace(x)
    return xp.reshape(xp.contiguous(x), (math.prod(x.shape),))


@generic
def unflatten(x: Array, axis: int, sizes: Sequence[int]) -> Array:
    """Split an axis into several.

    Args:
        x: an array of any shape.
        axis: which axis to split.
        sizes: the new lengths, whose product is the axis' own; one may be -1, and is then inferred.

    Returns:
        A view with the new axes in the place of the old one.

    Raises:
        ShapeError: the lengths do not fit, or there are none.
        IndexOutOfRange: the axis does not exist.

    >>> nd.unflatten(nd.ones((2, 12)), 1, (3, -1)).shape
    (2, 3, 4)
    """
    at = normalize_axis(axis, x.ndim, "unflatten")
    shape = tuple(x.shape) or (1,)
    lengths = infer_lengths("unflatten", _tuple(sizes), shape[at], shape)
    if not lengths:
        raise ShapeError(f"unflatten: sizes must be non-empty, got {tuple(sizes)} for axis {axis}")
    return namespace(x).view(x, (*shape[:at], *lengths, *shape[at + 1 :]))


def _each(function: Any, arrays: tuple[Any, ...]) -> Any:
    """The function of one array, or of each of several (or of a sequence of them) as a tuple."""
    if len(arrays) == 1 and not isinstance(arrays[0], (list, tuple)):
        return function(arrays[0])
    return tuple(map(function, arrays[0] if len(arrays) == 1 else arrays))


def _at_least(x: Array, shapes: tuple[tuple[int | None, ...], ...]) -> Array:
    """x with axes of length 1 added up to the pattern for its rank; None stands for its own lengths, in order."""
    if x.ndim >= len(shapes):
        return x
    lengths = iter(x.shape)
    return namespace(x).reshape(x, tuple(next(lengths) if n is None else n for n in shapes[x.ndim]))


@overload
def atleast_1d(x: Array, /) -> Array: ...
@overload
def atleast_1d(x: Sequence[Array], /) -> tuple[Array, ...]: ...
@overload
def atleast_1d(x: Array, y: Array, /, *more: Array) -> tuple[Array, ...]: ...
@generic
def atleast_1d(*arrays: Any) -> Any:
    """Give arrays one axis at least.

    Args:
        arrays: arrays of any shape, or one sequence of them.

    Returns:
        The array, with shape (1,) where it had no axes; a tuple of arrays for several.

    >>> nd.atleast_1d(nd.asarray(3.0))
    NDArray([3.])
    """
    return _each(lambda x: _at_least(x, ((1,),)), arrays)


@overload
def atleast_2d(x: Array, /) -> Array: ...
@overload
def atleast_2d(x: Sequence[Array], /) -> tuple[Array, ...]: ...
@overload
def atleast_2d(x: Array, y: Array, /, *more: Array) -> tuple[Array, ...]: ...
@generic
def atleast_2d(*arrays: Any) -> Any:
    """Give arrays two axes at least; a vector becomes a row.

    Args:
        arrays: arrays of any shape, or one sequence of them.

    Returns:
        The array, with axes of length 1 put in front; a tuple of arrays for several.

    >>> nd.atleast_2d(nd.asarray([1, 2]))
    NDArray([[1, 2]])
    """
    return _each(lambda x: _at_least(x, ((1, 1), (1, None))), arrays)


@overload
def atleast_3d(x: Array, /) -> Array: ...
@overload
def atleast_3d(x: Sequence[Array], /) -> tuple[Array, ...]: ...
@overload
def atleast_3d(x: Array, y: Array, /, *more: Array) -> tuple[Array, ...]: ...
@generic
def atleast_3d(*arrays: Any) -> Any:
    """Give arrays three axes at least: shape (n,) becomes (1, n, 1), and (m, n) becomes (m, n, 1).

    Args:
        arrays: arrays of any shape, or one sequence of them.

    Returns:
        The array with axes of length 1 added; a tuple of arrays for several.

    >>> nd.atleast_3d(nd.ones((2, 3))).shape
    (2, 3, 1)
    """
    return _each(lambda x: _at_least(x, ((1, 1, 1), (1, None, 1), (None, None, 1))), arrays)


# -- broadcasting -----------------------------------------------------------------------------------------------------


@overload
def broadcast_arrays(arrays: Sequence[Array], /) -> tuple[Array, ...]: ...
@overload
def broadcast_arrays(*arrays: Array) -> tuple[Array, ...]: ...
@generic
def broadcast_arrays(*arrays: Any) -> tuple[Any, ...]:
    """Broadcast arrays against each other.

    Args:
        arrays: arrays of any shapes, or one sequence of them.

    Returns:
        A tuple of views, all of the shape that the arrays broadcast to; an array that has it is its own.

    Raises:
        ShapeError: they do not broadcast.

    >>> rows, columns = nd.broadcast_arrays(nd.asarray([[1], [2]]), nd.asarray([3, 4]))
    >>> rows
    NDArray([[1, 1],
             [2, 2]])
    """
    if len(arrays) == 1 and isinstance(arrays[0], (list, tuple)):
        arrays = tuple(arrays[0])
    shape = broadcast_shapes(*(tuple(x.shape) for x in arrays), op="broadcast_tensors")
    return tuple(x if tuple(x.shape) == shape else namespace(x).broadcast_to(x, shape) for x in arrays)


@overload
def meshgrid(arrays: Sequence[Array], /, *, indexing: str = "xy") -> tuple[Array, ...]: ...
@overload
def meshgrid(*arrays: Array, indexing: str = "xy") -> tuple[Array, ...]: ...
@generic
def meshgrid(*arrays: Any, indexing: str = "xy") -> tuple[Any, ...]:
    """Return the coordinates of the points of a grid.

    Args:
        arrays: vectors of one dtype, the coordinates along each axis of the grid, or one sequence of them.
        indexing: "ij" for a grid of shape (n0, n1, ...), "xy" for (n1, n0, ...), as the rows and columns of a picture.

    Returns:
        A tuple of views of the grid's shape, one per vector.

    Raises:
        UsageError: `indexing` is neither "xy" nor "ij".
        ShapeError: an array has more than one axis.
        DTypeError: the dtypes differ.

    >>> x, y = nd.meshgrid(nd.asarray([1, 2, 3]), nd.asarray([10, 20]))
    >>> x
    NDArray([[1, 2, 3],
             [1, 2, 3]])
    >>> y
    NDArray([[10, 10, 10],
             [20, 20, 20]])
    """
    if len(arrays) == 1 and isinstance(arrays[0], (list, tuple)):
        arrays = tuple(arrays[0])
    if indexing not in ("xy", "ij"):
        raise UsageError(f'meshgrid: indexing must be one of "xy" or "ij", but received: {indexing}')
    for x in arrays:
        if x.ndim > 1:
            raise ShapeError(f"meshgrid: Expected 0D or 1D tensor in the tensor list but got: {tuple(x.shape)}")
        if x.dtype is not arrays[0].dtype:
            raise DTypeError(f"meshgrid: expects all tensors to have the same dtype: {arrays[0].dtype} and {x.dtype}")
        same_device("meshgrid", arrays[0], x)
    order = list(range(len(arrays)))
    if indexing == "xy" and len(arrays) > 1:
        order[:2] = [1, 0]
    lengths = [math.prod(x.shape) for x in arrays]
    shape = tuple(lengths[i] for i in order)
    grids = []
    for i, x in enumerate(arrays):
        xp, place = namespace(x), order.index(i)
        column = xp.reshape(x, [lengths[i] if d == place else 1 for d in range(len(arrays))])
        grids.append(xp.broadcast_to(column, shape))
    return tuple(grids)


# -- items ------------------------------------------------------------------------------------------------------------


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
    shifts, shape = _tuple(shift), x.layout.shape
    axes = () if axis is None else _tuple(axis)
    if not shifts:
        raise UsageError("roll: `shifts` required, none given")
    if not axes and len(shifts) == 1:
        return reshape(roll(reshape(x, (x.layout.size,)), shifts, 0), shape)
    if len(shifts) != len(axes):
        raise UsageError(f"roll: shifts and dimensions must align. shifts: {len(shifts)}, dims: {len(axes)}")
    if not shape:
        raise IndexOutOfRange(f"roll: Dimension specified as {axes[0]} but tensor has no dimensions")
    result, kernels = x, x.flat.kernels
    for step, at in zip(shifts, axes, strict=True):
        d = normalize_axis(at, len(shape), "roll")
        layout, before = result.layout, result
        cut = -step % shape[d] if shape[d] else 0
        if not layout.size:
            result = empty_of(kernels, layout.result)
        elif cut:
            parts = [view_of(before, layout.slice(d, cut, None)), view_of(before, layout.slice(d, None, cut))]
            result = empty_of(kernels, image_layout(shape, layout))
            kernels["concat"](result, parts, axis=d)
        else:  # row-major, as what PyTorch joins of all and of nothing
            result = empty_of(kernels, Layout.dense(shape))
            kernels["copy"](result, before)
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
    pair = _tuple(axes)
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
    times = _tuple(repetitions)
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
