"""Whole slices of one axis, at positions that a vector gives: picked, filled, replaced, added and reduced."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from lamina_flatarray import DTypeError, IndexOutOfRange, ShapeError
from lamina_flatarray import dtypes as dt

from ..array_fields import ArrayFields, empty_of, view_of
from ..creation.scalars import fitting
from ..dispatch.namespace import Array, generic, namespace
from ..dispatch.operands import cast, common_kernels, copy_with_room, same_device
from ..elementwise import arithmetic
from ..layouts.bounded_cache import BoundedCache
from ..layouts.broadcast import normalize_axis
from ..layouts.layout import Layout
from .advanced_indices import from_front, resolved
from .selection import check_apart, separate
from .writable import filling

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = ["index_add", "index_copy", "index_fill", "index_reduce", "index_select"]

_FRONTED: Final[BoundedCache[tuple[bytes, int], Layout]] = BoundedCache("axis in front", 512)
"""From a packed layout and an axis to the layout with that axis in front."""

_FROM_END: Final = ("index_fill",)
"""The functions that take negative positions as counted from the end, as PyTorch's do; the others refuse them."""


def _checked(op: str, x: Array, axis: int, indices: Array) -> int:
    """The axis counted from the front; the positions are a vector, or one number, of an integer type."""
    at = normalize_axis(axis, x.ndim, op)
    if indices.dtype.kind not in "ui":
        raise DTypeError(f"{op}: Expected dtype int32 or int64 for index, got {indices.dtype}")
    if indices.ndim > 1:
        raise IndexOutOfRange(f"{op}: Index is supposed to be a vector, but got shape {tuple(indices.shape)}")
    return at


def _check_values(op: str, x: Array, axis: int, indices: Array, values: Array) -> None:
    """Slices to be written: of x's dtype, as many as positions, of x's other lengths."""
    if values.dtype is x.dtype and indices.ndim == 1 and values.shape == (*x.shape[:axis], *indices.shape, *x.shape[axis + 1 :]):
        return
    if values.dtype is not x.dtype:
        raise DTypeError(f"{op}: self ({x.dtype}) and source ({values.dtype}) expected to have the same dtype")
    count = indices.shape[0] if indices.ndim else 1
    expected = (*x.shape[:axis], count, *x.shape[axis + 1 :]) if x.ndim else (count,)
    shape = tuple(values.shape) or (1,)
    if shape != expected and not (x.ndim == 1 and not values.ndim and count == 1):
        raise ShapeError(
            f"{op}: source tensor shape must match self tensor shape, excluding the specified dimension. Got self.shape"
            f" = {list(x.shape)} source.shape = {list(values.shape)}, dimension {axis}, positions: {count}"
        )


def _places(op: str, x: NDArray, axis: int, indices: NDArray) -> tuple[int, NDArray]:
    """The axis counted from the front, and the positions as an int64 vector that the kernels of x look at."""
    table = x.flat.kernels.sibling(dt.int64)
    looks, shape = table.backend.checks_positions, x.layout.shape
    if indices.flat.kernels is table and looks and indices.layout.ndim == 1:
        at = axis if axis.__class__ is int and 0 <= axis < len(shape) else normalize_axis(axis, len(shape), op)
    else:
        at = _checked(op, x, axis, indices)
        same_device(op, x, indices)
        indices = cast(indices, table)
    if not looks:
        length = shape[at] if shape else 1
        indices = (resolved if op in _FROM_END else from_front)(op, indices, length, at)
    return at, indices if indices.layout.ndim else view_of(indices, indices.layout.unsqueeze(0))


def _in_front(x: NDArray, axis: int) -> NDArray:
    """x with an axis before all others; an array without axes as a vector of one item."""
    layout = x.layout
    in_front = _FRONTED.get((layout.packed, axis))
    if in_front is None:
        order = (axis, *range(axis), *range(axis + 1, layout.ndim))
        in_front = _FRONTED.remember((layout.packed, axis), layout.permute(order) if layout.ndim else layout.unsqueeze(0))
    return view_of(x, in_front)




def index_select(x: NDArray, axis: int, indices: NDArray) -> NDArray:
    """Select slices of an axis by their positions, in their order.

    Args:
        x: an array.
        axis: the axis to select from.
        indices: a vector of integer positions.

    Returns:
        A new array in x's dtype, with as many slices along the axis as there are positions.

    Raises:
        IndexOutOfRange: a position is negative or lies outside, or they are not a vector.
        DTypeError: the positions are not integers.

    >>> nd.index_select(nd.asarray([[1, 2, 3], [4, 5, 6]]), 1, nd.asarray([2, 0]))
    NDArray([[3, 1],
             [6, 4]])
    """
    at, places = _places("index_select", x, axis, indices)
    shape, (count,), kernels = x.layout.shape, places.layout.shape, x.flat.kernels
    if not shape and count != 1:
        raise IndexOutOfRange(f"index_select: {count} positions for an array without axes; it wants one")
    if places.flat.kernels is not kernels.sibling(dt.int64):
        kernels = common_kernels("index_select", (x, places)).sibling(x.flat.dtype)
    result = empty_of(kernels, Layout.dense((*shape[:at], count, *shape[at + 1 :]) if shape else ()))
    into, source = (result, x) if at == 0 and shape else (_in_front(result, at), _in_front(x, at))
    try:
        if kernels.backend.checks_positions:
            kernels["index"](into, source, places, from_front=True)
        else:
            kernels["index"](into, source, places)
    except IndexError:
        from_front("index_select", places, shape[at] if shape else 1, at)
        raise
    return result


def _put(
    op: str, kernels: Any, out: NDArray, values: NDArray, places: NDArray, axis: int, accumulate: bool
) -> None:
    """Write or add slices; if the kernel finds a position outside, the error names the op and the axis."""
    shape = out.layout.shape
    if not out.layout.size and len(shape) > 1:
        return  # PyTorch reads no positions where the slices have no items
    into, source = (out, values) if axis == 0 and shape and values.layout.ndim else (_in_front(out, axis), _in_front(values, axis))
    try:
        if kernels.backend.checks_positions:
            kernels["index_put"](into, source, places, accumulate=accumulate, from_front=op not in _FROM_END)
        else:
            kernels["index_put"](into, source, places, accumulate=accumulate)
    except IndexError:
        (resolved if op in _FROM_END else from_front)(op, places, shape[axis] if shape else 1, axis)
        raise


def _written(
    op: str, x: NDArray, at: int, places: NDArray, values: NDArray, accumulate: bool, in_place: bool
) -> NDArray:
    """A copy of x, or itself, with slices written, or added, at positions."""
    if not in_place:
        result = copy_with_room(op, x, values, places, layout=None if op == "index_fill" else x.layout.compact)
        _put(op, result.flat.kernels, result, values, places, at, accumulate)
        return result
    check_apart(op, x)
    values, places = separate(x, values), separate(x, places)
    kernels = x.flat.kernels
    if values.flat.kernels is not kernels or places.flat.kernels is not kernels.sibling(dt.int64):
        kernels = common_kernels(op, (x, values, places)).sibling(x.flat.dtype)
    _put(op, kernels, x, values, places, at, accumulate)
    x.flat.version += 1
    return x


def _filled(x: NDArray, axis: int, indices: NDArray, value: Any, in_place: bool) -> NDArray:
    at, places = _places("index_fill", x, axis, indices)
    if value.__class__ is not float and getattr(value, "ndim", 0) != 0:
        raise ShapeError(f"index_fill: Only supports 0-dimensional value tensor. Got a tensor with {value.ndim} dims")
    dtype = x.flat.dtype
    if not dtype.is_complex and (isinstance(value, complex) or (isinstance(value, ArrayFields) and value.dtype.is_complex)):
        raise DTypeError(f"index_fill: Converting complex Scalar to non-complex type is not supported: {value!r} for {dtype.name}")
    value = filling("index_fill", value, dtype)
    kernels, shape = x.flat.kernels, x.layout.shape
    if getattr(value, "device", kernels.device) is not kernels.device:
        value = value.item()
    if isinstance(value, ArrayFields):
        scalar = cast(value, kernels)
    else:
        scalar = empty_of(kernels, Layout.dense(()))
        kernels["fill"](scalar, value=value)
    (count,) = places.layout.shape
    slices = view_of(scalar, scalar.layout.broadcast_to((*shape[:at], count, *shape[at + 1 :])))
    return _written("index_fill", x, at, places, slices, False, in_place)


def index_fill(x: NDArray, axis: int, indices: NDArray, value: Any) -> NDArray:
    """Fill the slices at positions of an axis with one value, in a copy.

    Args:
        x: an array.
        axis: the axis that the positions belong to.
        indices: a vector of integer positions.
        value: a number, or an array without axes.

    Returns:
        A new array of x's shape and dtype.

    Raises:
        IndexOutOfRange: a position lies outside, or they are not a vector.
        ShapeError: the value has axes.
        DTypeError: x's dtype cannot hold the value.

    >>> nd.index_fill(nd.zeros((2, 3)), 1, nd.asarray([0, 2]), 7)
    NDArray([[7., 0., 7.],
             [7., 0., 7.]])
    """
    return _filled(x, axis, indices, value, False)


def index_fill_(x: NDArray, axis: int, indices: NDArray, value: Any) -> NDArray:
    """As `index_fill`, in x itself. Raises ShapeError, too, where several of x's indices share an item."""
    return _filled(x, axis, indices, value, True)


def _replaced(x: NDArray, axis: int, indices: NDArray, values: NDArray, in_place: bool) -> NDArray:
    at, places = _places("index_copy", x, axis, indices)
    _check_values("index_copy", x, at, indices, values)
    return _written("index_copy", x, at, places, values, False, in_place)


def index_copy(x: NDArray, axis: int, indices: NDArray, values: NDArray) -> NDArray:
    """Replace the slices at positions of an axis, in a copy; of equal positions the last wins.

    Args:
        x: an array.
        axis: the axis that the positions belong to.
        indices: a vector of integer positions.
        values: the new slices, of x's dtype: x's shape, but as long along the axis as `indices`.

    Returns:
        A new array of x's shape and dtype.

    Raises:
        IndexOutOfRange: a position is negative or lies outside, or they are not a vector.
        ShapeError: the slices have another shape.
        DTypeError: the dtypes differ.

    >>> nd.index_copy(nd.zeros((3, 2)), 0, nd.asarray([2, 0]), nd.asarray([[1.0, 2.0], [3.0, 4.0]]))
    NDArray([[3., 4.],
             [0., 0.],
             [1., 2.]])
    """
    return _replaced(x, axis, indices, values, False)


def index_copy_(x: NDArray, axis: int, indices: NDArray, values: NDArray) -> NDArray:
    """As `index_copy`, in x itself. Raises ShapeError, too, where several of x's indices share an item."""
    return _replaced(x, axis, indices, values, True)


def _added(x: NDArray, axis: int, indices: NDArray, values: NDArray, alpha: Any, in_place: bool) -> NDArray:
    at, places = _places("index_add", x, axis, indices)
    _check_values("index_add", x, at, indices, values)
    alpha = alpha if isinstance(alpha, ArrayFields) else fitting("index_add", alpha, values.dtype)
    if isinstance(alpha, float) and not values.dtype.is_inexact:
        alpha = int(alpha)  # PyTorch drops the fraction
    scaled = values if alpha == 1 else arithmetic.multiply(values, alpha)
    return _written("index_add", x, at, places, scaled, True, in_place)


def index_add(x: NDArray, axis: int, indices: NDArray, values: NDArray, alpha: Any = 1) -> NDArray:
    """Add `alpha` times slices to those at positions of an axis, in a copy, also at equal positions.

    Args:
        x: an array.
        axis: the axis that the positions belong to.
        indices: a vector of integer positions.
        values: the slices to add, of x's dtype: x's shape, but as long along the axis as `indices`.
        alpha: the factor of the slices.

    Returns:
        A new array of x's shape and dtype.

    Raises:
        IndexOutOfRange: a position is negative or lies outside, or they are not a vector.
        ShapeError: the slices have another shape.
        DTypeError: the dtypes differ.

    >>> nd.index_add(nd.ones(3), 0, nd.asarray([0, 2, 0]), nd.asarray([1.0, 2.0, 3.0]), alpha=10)
    NDArray([41.,  1., 21.])
    """
    return _added(x, axis, indices, values, alpha, False)


def index_add_(x: NDArray, axis: int, indices: NDArray, values: NDArray, alpha: Any = 1) -> NDArray:
    """As `index_add`, in x itself. Raises ShapeError, too, where several of x's indices share an item."""
    return _added(x, axis, indices, values, alpha, True)


@generic
def index_reduce(x: Array, axis: int, indices: Array, values: Array, reduce: str, *, include_self: bool = True) -> Array:
    """Reduce slices into those at positions of an axis, in a copy.

    Args:
        x: an array.
        axis: the axis that the positions belong to.
        indices: a vector of integer positions.
        values: the slices, of x's dtype: x's shape, but as long along the axis as `indices`.
        reduce: "prod", "mean" (of integers rounded down), "amax" or "amin" (NaN wins).
        include_self: whether x's own items take part.

    Returns:
        A new array of x's shape and dtype.

    Raises:
        IndexOutOfRange: a position is negative or lies outside, or they are not a vector.
        ShapeError: the slices have another shape, or the reduction is none of these.
        DTypeError: the dtypes differ.

    >>> nd.index_reduce(nd.ones(3), 0, nd.asarray([0, 2, 0]), nd.asarray([4.0, 5.0, 6.0]), "prod")
    NDArray([24.,  1.,  5.])
    """
    xp = namespace(x)
    same_device("index_reduce", x, indices, values)
    at = _checked("index_reduce", x, axis, indices)
    if reduce not in ("prod", "mean", "amax", "amin"):
        raise ShapeError(f"index_reduce: expected reduce to be one of prod, mean, amax or amin but got {reduce}.")
    _check_values("index_reduce", x, at, indices, values)
    line, source = (array if array.ndim else xp.reshape(array, (1,)) for array in (x, values))
    wide = xp.reshape(indices, [-1 if d == at else 1 for d in range(line.ndim)])
    wide = xp.broadcast_to(wide, tuple(source.shape))
    if 0 in source.shape:  # where nothing is reduced, no kernel looks at the positions; PyTorch does
        places: Any = indices
        if not isinstance(indices, ArrayFields):
            places = places.array
        from_front("index_reduce", places, tuple(line.shape)[at], at)
    result = xp.scatter_reduce(line, at, wide, source, reduce, include_self=include_self)
    return xp.reshape(result, tuple(x.shape))
