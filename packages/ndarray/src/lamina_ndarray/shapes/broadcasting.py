"""Arrays of different shapes brought to one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, overload

from lamina_flatarray import DTypeError, ShapeError, UsageError

from ..dispatch.namespace import Array, generic, namespace
from ..dispatch.operands import same_device
from ..layouts.broadcast import broadcast_shapes

__all__ = ["broadcast_arrays", "meshgrid"]


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
