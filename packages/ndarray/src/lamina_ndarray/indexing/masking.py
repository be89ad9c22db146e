"""Items by a mask: picked, filled, replaced in order."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from lamina_flatarray import DTypeError, ShapeError
from lamina_flatarray import dtypes as dt

from ..creation.constructors import full
from ..dispatch.namespace import Array, generic, namespace
from ..dispatch.operands import same_device
from ..elementwise.dispatcher import holds
from ..layouts.broadcast import broadcast_shapes
from ..shapes.joining import concat
from .nonzero import argwhere
from .writable import filling

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = ["masked_fill", "masked_scatter", "masked_select", "nonzero_static"]


def _check_mask(op: str, x: Any, mask: Any) -> None:
    same_device(op, x, mask)
    if mask.dtype.kind != "b":
        raise DTypeError(f"{op}: only supports boolean masks, but got mask with dtype {mask.dtype}")


@generic
def masked_select(x: Array, mask: Array) -> Array:
    """Select the items where a mask is true, in row-major order.

    Args:
        x: an array.
        mask: a bool array; both broadcast.

    Returns:
        A vector of the selected items, in x's dtype.

    Raises:
        DTypeError: the mask is not boolean.
        ShapeError: the shapes do not broadcast.

    >>> x = nd.asarray([[1, 2], [3, 4]])
    >>> nd.masked_select(x, x > 2)
    NDArray([3, 4])
    """
    xp = namespace(x)
    _check_mask("masked_select", x, mask)
    if x.ndim and x.shape == mask.shape:
        return x[mask]
    shape = broadcast_shapes(tuple(x.shape), tuple(mask.shape), op="masked_select") or (1,)
    return xp.broadcast_to(x, shape)[xp.broadcast_to(mask, shape)]


@generic
def masked_fill(x: Array, mask: Array, value: Array | complex) -> Array:
    """Replace the items where a mask is true by one value, in a copy.

    Args:
        x: an array.
        mask: a bool array; both broadcast.
        value: a number, or an array without axes.

    Returns:
        A new array of the broadcast shape, in x's dtype.

    Raises:
        DTypeError: the mask is not boolean, or x's dtype cannot hold the value.
        ShapeError: the shapes do not broadcast, or the value has axes.

    >>> nd.masked_fill(nd.asarray([1.0, 2.0, 3.0]), nd.asarray([True, False, True]), 0)
    NDArray([0., 2., 0.])
    """
    xp = namespace(x)
    _check_mask("masked_fill", x, mask)
    ndim = getattr(value, "ndim", 0)
    if ndim:
        raise ShapeError(
            f"masked_fill: only supports a 0-dimensional value tensor, but got tensor with {ndim} dimension(s)"
        )
    value = filling("masked_fill", value, x.dtype)
    if hasattr(value, "dtype"):
        value = xp.astype(value, x.dtype)
    elif not holds(x.dtype, value):
        value = xp.full((), value, dtype=x.dtype, device=x.device)
    return xp.contiguous(xp.where(mask, value, x))  # as in PyTorch, whatever order x lies in


@generic
def masked_scatter(x: Array, mask: Array, values: Array) -> Array:
    """Replace the items where a mask is true by the items of `values` in their order, in a copy.

    Args:
        x: an array.
        mask: a bool array; both broadcast.
        values: at least as many items as the mask is true, of x's dtype; they are used in row-major order.

    Returns:
        A new array of the broadcast shape, in x's dtype.

    Raises:
        DTypeError: the mask is not boolean, or the dtypes differ.
        ShapeError: there are fewer values than places.

    >>> nd.masked_scatter(nd.zeros(4), nd.asarray([True, False, True, False]), nd.asarray([7.0, 8.0]))
    NDArray([7., 0., 8., 0.])
    """
    xp = namespace(x)
    _check_mask("masked_scatter", x, mask)
    same_device("masked_scatter", x, values)
    if x.dtype is not values.dtype:
        raise DTypeError(f"masked_scatter: expected self and source to have same dtypes but got {x.dtype} and "
                         f"{values.dtype}")  # fmt: skip
    shape = broadcast_shapes(tuple(x.shape), tuple(mask.shape), op="masked_scatter")
    places = xp.nonzero(xp.reshape(xp.broadcast_to(mask, shape), (math.prod(shape),)))[0]
    source = xp.reshape(values, (math.prod(values.shape),))
    count = places.shape[0]
    if source.shape[0] < count:
        raise ShapeError(
            f"masked_scatter: the number of elements in source ({source.shape[0]}) must be at least the number of ones "
            f"in the mask ({count})"
        )
    flat = xp.reshape(xp.broadcast_to(x, shape), (math.prod(shape),))
    return xp.reshape(xp.index_put(flat, places, source[:count]), shape)


def nonzero_static(x: NDArray, *, size: int, fill_value: int = -1) -> NDArray:
    """As `argwhere` with a fixed number of rows: what is too many is left out, what is missing is `fill_value`.

    Raises:
        ShapeError: `size` is negative.
    """
    if size < 0:
        raise ShapeError(f"nonzero_static: size {size} given; it must be 0 or more")
    if not x.flat.backend.holds_items:
        return full((size, x.ndim), fill_value, dtype=dt.int64, device=x.device)
    coordinates = argwhere(x)[:size]
    rest = (size - coordinates.layout.shape[0], coordinates.layout.shape[1])
    return concat([coordinates, full(rest, fill_value, dtype=dt.int64, device=x.device)], 0)
