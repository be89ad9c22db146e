"""Items by their number in row-major order, and these numbers as positions along the axes."""

from __future__ import annotations

import math
from collections.abc import Sequence

from lamina_flatarray import DTypeError, IndexOutOfRange, ShapeError

from ..dispatch.namespace import Array, generic, namespace
from ..dispatch.operands import same_device
from ..layouts.broadcast import integers, normalize_axis
from ..layouts.memory_order import laid_like
from .gathering import counted_from_front

__all__ = ["put", "take", "unravel_index"]


def _positions(op: str, x: Array, indices: Array) -> Array:
    if indices.dtype.kind not in "ui":
        raise DTypeError(f"{op}: Expected a long tensor for index, but got {indices.dtype}")
    count = math.prod(indices.shape)
    if count and not math.prod(x.shape):
        raise IndexOutOfRange(f"{op}: tried to take from an empty tensor: shape {tuple(x.shape)}")
    return namespace(x).reshape(indices, (count,))


@generic
def take(x: Array, indices: Array, axis: int | None = None) -> Array:
    """Select items by their numbers in row-major order; with an axis, slices of it.

    Args:
        x: an array.
        indices: integer positions of any shape, or a vector of them where there is an axis. Negative ones count from the end.
        axis: the axis to select from; None for the flattened array.

    Returns:
        A new array in x's dtype: of the shape of `indices`, or of x's shape with as many slices as positions.

    Raises:
        IndexOutOfRange: a position lies outside.
        DTypeError: the positions are not integers.

    >>> x = nd.asarray([[10, 20, 30], [40, 50, 60]])
    >>> nd.take(x, nd.asarray([[0, 5], [1, -1]]))
    NDArray([[10, 60],
             [20, 60]])
    >>> nd.take(x, nd.asarray([2, 0]), axis=1)
    NDArray([[30, 10],
             [60, 40]])
    """
    xp = namespace(x)
    same_device("take", x, indices)
    if axis is not None:
        at = normalize_axis(axis, x.ndim, "take")
        return xp.index_select(x, at, counted_from_front("take", indices, x.shape[at] if x.ndim else 1, at))
    flat = x if x.ndim == 1 else xp.reshape(x, (math.prod(x.shape),))
    if indices.ndim and indices.dtype.kind in "ui" and flat.shape[0]:
        return flat[indices]
    return xp.reshape(flat[_positions("take", x, indices)], tuple(indices.shape))


@generic
def put(x: Array, indices: Array, values: Array, accumulate: bool = False) -> Array:
    """Replace the items of the given numbers in row-major order, in a copy; with `accumulate`, add to them.

    Args:
        x: an array.
        indices: integer positions of any shape.
        values: as many items, of x's dtype.
        accumulate: whether values are added, also at equal positions.

    Returns:
        A new array of x's shape and dtype.

    Raises:
        IndexOutOfRange: a position lies outside.
        ShapeError: there are not as many values as positions.
        DTypeError: the dtypes differ, or the positions are not integers.

    >>> nd.put(nd.zeros((2, 3)), nd.asarray([0, 4]), nd.asarray([1.0, 2.0]))
    NDArray([[1., 0., 0.],
             [0., 2., 0.]])
    """
    xp = namespace(x)
    same_device("put", x, indices, values)
    if x.dtype is not values.dtype:
        raise DTypeError(f"put: self ({x.dtype}) and source ({values.dtype}) expected to have the same dtype")
    places, count = _positions("put", x, indices), math.prod(values.shape)
    if count != places.shape[0]:
        raise ShapeError(
            f"put: Expected source and index to have the same number of elements, but got {count} and {places.shape[0]}"
        )
    flat = xp.reshape(x, (math.prod(x.shape),))
    result = xp.index_put(flat, places, xp.reshape(values, (count,)), accumulate=accumulate)
    return laid_like(xp.reshape(result, tuple(x.shape)), x)


@generic
def unravel_index(indices: Array, shape: int | Sequence[int]) -> tuple[Array, ...]:
    """Convert numbers of items in row-major order to positions along each axis.

    Args:
        indices: integers of any shape.
        shape: the lengths of the axes, or one length.

    Returns:
        One int64 array per axis, of the shape of `indices`.

    Raises:
        DTypeError: the numbers are not integers.
        ShapeError: a length is negative.

    >>> nd.unravel_index(nd.asarray([1, 5]), (2, 3))
    (NDArray([0, 1]), NDArray([1, 2]))
    """
    if indices.dtype.kind not in "ui":
        raise DTypeError(f"unravel_index: expected 'indices' to be integer dtype, but got {indices.dtype}")
    lengths = integers(shape, "unravel_index")
    if min(lengths, default=0) < 0:
        raise ShapeError(f"unravel_index: 'shape' cannot have negative values, but got {lengths}")
    xp = namespace(indices)
    coordinates, rest = [], xp.astype(indices, xp.int64)
    for n in reversed(lengths):
        coordinates.append(rest % n)
        rest = rest // n
    if not coordinates:
        return ()
    order = xp.outermost_first(coordinates[0])
    together = xp.stack([xp.permute(part, order) for part in reversed(coordinates)], -1)  # those of an item lie side by side
    back = sorted(range(indices.ndim), key=order.__getitem__)
    return tuple([xp.permute(together[..., i], back) for i in range(len(lengths))])
