"""Gather and scatter: items along one axis, at positions that an array of the same rank gives."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

from lamina_flatarray import DTypeError, ShapeError, iinfo
from lamina_flatarray import dtypes as dt

from ..array_fields import ArrayFields, empty_of, view_of
from ..creation.constructors import full
from ..creation.ranges import arange
from ..dispatch.namespace import Array, generic, namespace
from ..dispatch.operands import cast, common_kernels, copy_with_room, same_device
from ..elementwise import arithmetic
from ..elementwise.complex_parts import real
from ..layouts.bounded_cache import BoundedCache
from ..layouts.broadcast import broadcast_shapes, normalize_axis
from ..layouts.layout import Layout
from ..reductions.extremes import min as smallest
from ..shapes.views import reshape
from .advanced_indices import from_front, resolved
from .selection import check_apart, new_zeros, separate
from .writable import fitted

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = [
    "counted_from_front",
    "gather",
    "picked_along",
    "positions_along",
    "scatter",
    "scatter_add",
    "scatter_reduce",
    "take_along_axis",
]

_PLANS: Final[BoundedCache[tuple[bytes, int, bytes], tuple[int, Layout]]] = BoundedCache("gather", 1024)
"""From the packed layout of items, an axis, and the packed layout of indices to the axis from the front and what is reached."""


def _along(op: str, x: NDArray, indices: NDArray, axis: int) -> tuple[int, NDArray]:
    at = normalize_axis(axis, x.layout.ndim, op)
    if indices.dtype.kind not in "ui":
        raise DTypeError(f"{op}: Expected dtype int64 for index, got {indices.dtype.name}")
    if indices.layout.size:
        _check_sizes(op, indices.layout.shape, "self", x.layout.shape, at)
    table = x.flat.kernels.sibling(dt.int64)
    if indices.flat.kernels is table and table.backend.checks_positions:
        return at, indices
    same_device(op, x, indices)
    positions = cast(indices, table)
    return at, positions if table.backend.checks_positions else from_front(op, positions, x.layout.shape[at], at)


def _run(op: str, kernels: Any, out: NDArray, x: NDArray, positions: NDArray, axis: int, length: int, **params: Any) -> None:
    """Run the kernel; if it finds a position outside, the error is one that programs expect."""
    try:
        kernels[op](out, x, positions, axis=axis, **params)
    except IndexError:
        from_front(op, positions, length, axis)
        raise


def _check_sizes(op: str, own: tuple[int, ...], name: str, other: tuple[int, ...], axis: int) -> None:
    """The index's shape may not exceed that of x, or of the values, apart from the axis."""
    if len(own) != len(other):
        raise ShapeError(
            f"{op}: Index tensor must have the same number of dimensions as {name} tensor: {own} for {other}"
        )
    for i, (n, m) in enumerate(zip(own, other, strict=True)):
        if i != axis and n > m:
            raise ShapeError(
                f"{op}: Size does not match at dimension {i}: expected index {own} to be no larger than {name} {other}"
                + (f" apart from dimension {axis}" if axis >= 0 else "")
            )


def _cut(x: NDArray, shape: tuple[int, ...], axis: int) -> NDArray:
    """x without what lies beyond `shape` on the other axes than `axis`."""
    layout = _cut_layout(x.layout, shape, axis)
    return x if layout is x.layout else view_of(x, layout)


def _cut_layout(layout: Layout, shape: tuple[int, ...], axis: int) -> Layout:
    for i, n in enumerate(shape):
        if i != axis and n != layout.shape[i]:
            layout = layout.slice(i, 0, n, 1)
    return layout


def _vector(x: Array) -> Array:
    """An array without axes as a vector of one item."""
    return view_of(x, x.layout.unsqueeze(0)) if isinstance(x, ArrayFields) and x.layout.ndim == 0 else x


def gather(x: NDArray, indices: NDArray, axis: int) -> NDArray:
    """Gather items along an axis: for axis 0, `out[i, j] = x[indices[i, j], j]`.

    Args:
        x: an array.
        indices: integer positions; as many axes as x, and no longer than x on the others.
        axis: the axis to gather from.

    Returns:
        A new array of the shape of `indices`, in x's dtype.

    Raises:
        PositionOutOfRange: an index is negative, or lies outside of the axis.
        ShapeError: `indices` is larger than `x` on another axis.

    >>> nd.gather(nd.asarray([[1, 2], [3, 4]]), nd.asarray([[1, 1], [0, 1]]), 1)
    NDArray([[2, 2],
             [3, 4]])
    """
    kernels, layout = x.flat.kernels, indices.layout
    plan = _planned("gather", x, layout, axis) if indices.flat.kernels is kernels.sibling(dt.int64) else None
    if plan is not None:
        at, narrowed = plan
        result = empty_of(kernels, Layout.dense(layout.shape))
        _run("gather", kernels, result, x if narrowed is x.layout else view_of(x, narrowed), indices, at, x.layout.shape[at])
        return result
    lined, places = _vector(x), _vector(indices)
    at, positions = _along("gather", lined, places, axis)
    kernels = common_kernels("gather", (x, positions)).sibling(x.flat.dtype)
    result = empty_of(kernels, Layout.dense(places.layout.shape))
    if places.layout.size:
        _run("gather", kernels, result, _cut(lined, places.layout.shape, at), positions, at, lined.layout.shape[at])
    return view_of(result, result.layout.select(0, 0)) if layout.ndim == 0 else result


def _planned(op: str, x: NDArray, indices: Layout, axis: int) -> tuple[int, Layout] | None:
    """The axis counted from the front, and the layout of what positions can reach that x's kernels look at: worked out once per
    layouts. None where there are no axes or positions, or somebody else must look at these."""
    layout = x.layout
    if not layout.ndim or not indices.ndim or not indices.size or axis.__class__ is not int or not x.flat.kernels.backend.checks_positions:
        return None
    key = (layout.packed, axis, indices.packed)
    plan = _PLANS.get(key)
    if plan is None:
        at = normalize_axis(axis, layout.ndim, op)
        _check_sizes(op, indices.shape, "self", layout.shape, at)
        plan = _PLANS.remember(key, (at, _cut_layout(layout, indices.shape, at)))
    return plan


@generic
def take_along_axis(x: Array, indices: Array, axis: int | None = -1) -> Array:
    """Pick items along an axis as `gather` does, the other axes broadcast together.

    Args:
        x: an array.
        indices: integer positions, with as many axes as x.
        axis: the axis to pick from; None flattens both first.

    Returns:
        A new array in x's dtype, of the broadcast shape, with the length of `indices` along the axis.

    Raises:
        IndexOutOfRange: an index lies outside of the axis.
        ShapeError: the other axes do not broadcast, or the numbers of axes differ.
        DTypeError: the indices are not integers.

    >>> x = nd.asarray([[3, 1, 2], [9, 7, 8]])
    >>> nd.take_along_axis(x, nd.argsort(x), axis=1)
    NDArray([[1, 2, 3],
             [7, 8, 9]])
    """
    return picked_along("take_along_axis", x, indices, axis)


def picked_along(op: str, x: Array, indices: Array, axis: int | None) -> Array:
    """`take_along_axis` for a function of this name, which errors tell."""
    xp = namespace(x)
    same_device(op, x, indices)
    if indices.dtype.kind not in "ui":
        raise DTypeError(f"{op}: dtype of indices should be Long but got {indices.dtype}")
    if axis is None:
        return xp.gather(xp.ravel(x), xp.ravel(indices), 0)
    if x.ndim != indices.ndim:
        raise ShapeError(
            f"{op}: input and indices should have the same number of dimensions, but got {x.ndim} dimensions for input, and "
            f"{indices.ndim} dimensions for indices"
        )
    at = normalize_axis(axis, x.ndim, op)
    x_shape, index_shape = list(x.shape), list(indices.shape)
    alike = x_shape[:at] == index_shape[:at] and x_shape[at + 1 :] == index_shape[at + 1 :]
    positions: Any = indices
    if alike and not getattr(positions, "array", positions).flat.backend.late_errors:
        try:
            return xp.gather(x, indices, at)
        except IndexError:
            return xp.gather(x, counted_from_front(op, indices, x_shape[at] if x_shape else 1, at), at)
    indices = counted_from_front(op, indices, x_shape[at] if x_shape else 1, at)
    if x_shape:
        x_shape[at] = index_shape[at] = 1
    shape = list(broadcast_shapes(x_shape, index_shape, op=op))

    def spread(array: Any) -> Any:
        return xp.broadcast_to(array, (*shape[:at], *array.shape[at : at + 1], *shape[at + 1 :]))

    return xp.gather(spread(x), spread(indices), at)


def counted_from_front(op: str, indices: Array, length: int, axis: int) -> Array:
    """Positions with the negative ones counted from the end."""
    array: Any = indices
    array = array if isinstance(array, ArrayFields) else array.array
    backend = array.flat.kernels.backend
    if backend.late_errors:
        return namespace(indices).where(indices < 0, indices + length, indices)  # the kernel looks at them, and nobody waits
    if not array.layout.size or not backend.holds_items or (backend.checks_positions and smallest(array).item() >= 0):
        return indices  # those that are too large are looked at by the kernel
    if resolved(op, array, length, axis) is array:
        return indices
    xp = namespace(indices)
    return xp.where(indices < 0, indices + length, indices)


def _scatter(
    op: str, x: NDArray, indices: NDArray, values: Any, axis: int, out: NDArray | None, **params: Any
) -> NDArray:
    result = copy_with_room(op, x, indices, values, layout=x.layout.compact) if out is None else out
    kernels = result.flat.kernels
    if not isinstance(values, ArrayFields):
        scalar = empty_of(kernels, Layout.dense(()))
        kernels["fill"](scalar, value=fitted(op, values, kernels.dtype))
        values = view_of(scalar, scalar.layout.broadcast_to(indices.layout.shape))
    if values.flat.dtype is not kernels.dtype:
        raise DTypeError(f"{op}: Expected self.dtype to be equal to src.dtype: {result.dtype!r} and {values.dtype!r}")
    shape = indices.layout.shape
    if out is not None:
        check_apart(op, out)
        indices, values = separate(out, indices), separate(out, values)
    plan = None
    if values.layout.shape == shape and values.flat.kernels is kernels and indices.flat.kernels is kernels.sibling(dt.int64):
        plan = _planned(op, result, indices.layout, axis)
    if plan is not None:
        at, narrowed = plan
        _run(
            op, kernels, result if narrowed is result.layout else view_of(result, narrowed), values, indices, at,
            result.layout.shape[at], **params,
        )  # fmt: skip
        if out is not None:
            out.flat.version += 1
        return result
    target, places = result, indices
    if not (result.layout.ndim and places.layout.ndim and values.layout.ndim):
        target, places, values = _vector(result), _vector(indices), _vector(values)
    if places.layout.size == 0:
        if out is not None:
            out.flat.version += 1
        return result
    shape = places.layout.shape
    _check_sizes(op, shape, "src", values.layout.shape, -1)
    at, positions = _along(op, target, places, axis)
    source = _cut(values, shape, -1)
    if out is not None:
        kernels = common_kernels(op, (result, source, positions)).sibling(kernels.dtype)
    _run(op, kernels, _cut(target, shape, at), source, positions, at, target.layout.shape[at], **params)
    if out is not None:
        out.flat.version += 1
    return result


def scatter(x: NDArray, indices: NDArray, values: Any, axis: int, *, out: NDArray | None = None) -> NDArray:
    """Write items along an axis at positions: for axis 0, `out[indices[i, j], j] = values[i, j]`.

    Args:
        x: what is copied first, so that places without an index keep their items.
        indices: integer positions; as many axes as x. Of equal ones the last wins.
        values: an array of x's dtype at least as large as `indices`, or a number.
        axis: the axis to scatter along.
        out: x itself, to write in place.

    Returns:
        A new array of x's shape and dtype, or `out`.

    Raises:
        PositionOutOfRange: an index is negative, or lies outside of the axis.
        ShapeError: `indices` is larger than the values, or than x on another axis.
        DTypeError: x and the values differ in dtype.

    >>> nd.scatter(nd.zeros((2, 3)), nd.asarray([[2], [0]]), nd.asarray([[5.0], [6.0]]), 1)
    NDArray([[0., 0., 5.],
             [6., 0., 0.]])
    """
    return _scatter("scatter", x, indices, values, axis, out)


def scatter_add(x: NDArray, indices: NDArray, values: Any, axis: int, *, out: NDArray | None = None) -> NDArray:
    """Add items along an axis at positions: for axis 0, `out[indices[i, j], j] += values[i, j]`, also for equal indices.

    Args:
        x: what is copied first and added to.
        indices: integer positions; as many axes as x.
        values: an array of x's dtype at least as large as `indices`, or a number.
        axis: the axis to scatter along.
        out: x itself, to add in place.

    Returns:
        A new array of x's shape and dtype, or `out`.

    Raises:
        PositionOutOfRange: an index is negative, or lies outside of the axis.
        ShapeError: `indices` is larger than the values, or than x on another axis.
        DTypeError: x and the values differ in dtype.

    >>> nd.scatter_add(nd.zeros(3), nd.asarray([0, 2, 0]), nd.asarray([1.0, 2.0, 3.0]), 0)
    NDArray([4., 0., 2.])
    """
    return _scatter("scatter_add", x, indices, values, axis, out)


def scatter_into_zeros(values: NDArray, shape: tuple[int, ...], indices: NDArray, axis: int) -> NDArray:
    """Zeros of a shape with `values` added along an axis at positions: what gathering from there undoes to."""
    start = new_zeros(values, shape)
    return _scatter("scatter_add", start, indices, values, axis, start)


def scatter_reduce(
    x: NDArray, axis: int, indices: NDArray, values: Any, reduce: str, *, include_self: bool = True
) -> NDArray:
    """Reduce all items that go to one place along an axis; places that none goes to keep x's items.

    Args:
        x: what is written over, and with `include_self` also reduced.
        axis: the axis that `indices` counts along.
        indices: for axis 0, `values[i, j]` goes to `[indices[i, j], j]`.
        values: an array of x's dtype at least as large as `indices`.
        reduce: "sum", "prod", "mean" (of integers rounded down), "amax" or "amin" (NaN wins).
        include_self: whether x's own item takes part.

    Returns:
        A new array of x's shape and dtype.

    Raises:
        IndexOutOfRange: an index lies outside of the axis.
        ShapeError: the reduction is unknown, or the shapes do not fit.
        DTypeError: x and the values differ in dtype, or it has no order, or no mean.

    >>> nd.scatter_reduce(nd.ones(3), 0, nd.asarray([0, 2, 0]), nd.asarray([4.0, 5.0, 6.0]), "amax")
    NDArray([6., 1., 5.])
    """
    if reduce not in _IDENTITIES:
        raise ShapeError(f"scatter_reduce: reduce argument must be either {', '.join(_IDENTITIES)}, got {reduce}")
    if (reduce in ("amax", "amin") and x.dtype.is_complex) or (reduce == "mean" and x.dtype is dt.bool):
        raise DTypeError(f"scatter_reduce: {reduce} is not defined for {x.dtype!r}")
    start = x
    if not include_self:
        start = scatter(start, indices, _IDENTITIES[reduce](x.dtype), axis)
    if reduce == "sum":
        return scatter_add(start, indices, values, axis)
    if reduce == "mean":
        total = scatter_add(start, indices, values, axis)
        ones = full(values.layout.shape, 1, dtype=x.dtype, device=x.device)
        count = full(x.layout.shape, 1 if include_self else 0, dtype=x.dtype, device=x.device)
        count = arithmetic.maximum(real(scatter_add(count, indices, ones, axis)), 1)
        return (arithmetic.divide if x.dtype.is_inexact else arithmetic.floor_divide)(total, count)
    return _scatter("scatter_reduce", start, indices, values, axis, None, reduce=reduce)


def _extreme(sign: int) -> Any:
    def found(dtype: Any) -> Any:
        if dtype.kind == "b":
            return sign > 0
        if dtype.kind in "ui":
            return iinfo(dtype).max if sign > 0 else iinfo(dtype).min
        return sign * math.inf

    return found


_IDENTITIES: dict[str, Any] = {
    "sum": lambda dtype: 0,
    "prod": lambda dtype: 1,
    "mean": lambda dtype: 0,
    "amax": _extreme(-1),
    "amin": _extreme(1),
}


def positions_along(indices: NDArray, axis: int) -> tuple[NDArray, ...]:
    """Index arrays for every axis: the given one on `axis`, each other axis counted by its own position."""
    ndim = indices.layout.ndim
    return tuple(
        indices if i == axis else reshape(arange(n, device=indices.device), [n if j == i else 1 for j in range(ndim)])
        for i, n in enumerate(indices.layout.shape)
    )
