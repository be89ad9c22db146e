"""Indices with arrays in them, as kernels take them: x with the indexed axes in front, and positions for these."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from lamina_flatarray import DeviceError, IndexOutOfRange
from lamina_flatarray import dtypes as dt
from lamina_flatarray.errors import PositionOutOfRange

from ..array_fields import ArrayFields, is_array, view_of
from ..batching import all_slices
from ..dispatch.operands import cast, described, moved
from ..elementwise import arithmetic, choosing, comparison
from ..layouts.bounded_cache import BoundedCache
from ..layouts.broadcast import broadcast_shapes
from ..layouts.layout import Layout
from ..layouts.strides import kept_strides
from ..reductions.extremes import max as greatest
from ..reductions.extremes import min as smallest
from .basic_index import differs_by_slice, split_index
from .nonzero import nonzero

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = ["checked", "from_front", "picked_shape", "planned", "refuse_outside", "resolved", "taken_apart"]

Parts = tuple["NDArray", list["NDArray"], tuple[int, ...] | None]
_BOUNDS: Final = frozenset({int, type(None)})

_PLANS: Final[BoundedCache[tuple[Any, ...], tuple[Layout, list[Layout], tuple[int, ...] | None]]] = BoundedCache("advanced index", 1024)
"""From a packed layout and the parts of an index (of an array, its packed layout) to what `planned` makes of them."""


def taken_apart(x: NDArray, index: Any) -> Parts:
    """An index with arrays in it, as: x with the indexed axes in front, int64 arrays for these in one shape, and the
    permutation that puts the result's axes where the caller expects them (None if they are there).

    Index axes come in the place of the arrays if these stand together, else in front (NumPy's and PyTorch's rule).

    Raises:
        IndexOutOfRange: an index lies outside, or is none.
        ShapeError: index arrays do not broadcast.
    """
    return _worked_out(x, index, checked)


def planned(x: NDArray, index: Any) -> Parts | None:
    """The same for an index that has, besides integers, slices, None and `...`, int64 arrays next to x that its kernels look at:
    worked out once per layouts. None for any other index."""
    kernels, entries = x.flat.kernels, index if index.__class__ is tuple else (index,)
    if not kernels.backend.checks_positions:
        return None
    table, arrays = kernels.sibling(dt.int64), []
    key: list[Any] = [x.layout.packed]
    for part in entries:
        kind = part.__class__
        if issubclass(kind, ArrayFields) and part.flat.kernels is table:
            if part.layout.ndim or differs_by_slice(part):
                key.append(part.layout.packed)
                arrays.append(part)
            else:
                key.append(int(part))  # an integer like any other
        elif kind is slice and _BOUNDS.issuperset((part.start.__class__, part.stop.__class__, part.step.__class__)):
            key.append((part.start, part.stop, part.step))
        elif kind is int or part is None or part is Ellipsis:
            key.append(part)
        else:
            return None
    if not arrays:
        return None
    cache_key = tuple(key)
    plan = _PLANS.get(cache_key)
    if plan is None:
        parts = taken_apart(x, index)
        _PLANS.remember(cache_key, (parts[0].layout, [p.layout for p in parts[1]], parts[2]))
        return parts
    layout, layouts, moved = plan
    for i, planned_layout in enumerate(layouts):
        if arrays[i].layout is not planned_layout:
            arrays[i] = view_of(arrays[i], planned_layout)
    return view_of(x, layout), arrays, moved


def refuse_outside(x: NDArray, index: Any) -> None:
    """Name the axis of x along which a position lies outside, after a kernel found one.

    Raises:
        IndexOutOfRange: it does.
    """
    _worked_out(x, index, resolved)


def _worked_out(x: NDArray, index: Any, check: Any) -> Parts:
    """The same from the entries themselves; `check` looks at positions."""
    layout, entries = split_index(x.layout, index)
    axes: list[int] = []
    arrays: list[NDArray] = []
    axis = 0
    for entry in entries:
        if entry is None:
            axis += 1
            continue
        for array in _positions(x, layout, axis, entry, check):
            axes.append(axis)
            arrays.append(array)
            axis += 1
    shape = broadcast_shapes(*(a.layout.shape for a in arrays))
    arrays = [view_of(a, a.layout.broadcast_to(shape)) for a in arrays]
    rest = [i for i in range(layout.ndim) if i not in axes]
    source = view_of(x, layout.permute((*axes, *rest)))
    together = axes == list(range(axes[0], axes[0] + len(axes)))
    if not together or axes[0] == 0:
        return source, arrays, None
    lead, n = axes[0], len(shape)
    return source, arrays, (*range(n, n + lead), *range(n), *range(n + lead, n + len(rest)))


def picked_shape(source: NDArray, positions: Sequence[NDArray]) -> tuple[int, ...]:
    """The shape of what is at positions for the first axes."""
    return positions[0].layout.shape + source.layout.shape[len(positions) :]


_PICKED: Final[BoundedCache[tuple[bytes | tuple[int, ...] | None, ...], Layout]] = BoundedCache("picked", 1024)
"""From the packed layouts of a source and of positions, and where index axes go, to the layout of what is picked."""


def picked_layout(source: NDArray, positions: Sequence[NDArray], moved: tuple[int, ...] | None) -> Layout:
    """The layout of what is at positions for the first axes: it keeps the order in which the other axes lie in the source, and that
    of the positions, as PyTorch's does.

    Args:
        source: the array.
        positions: int64 arrays of one shape.
        moved: which axis of the result each axis of the program's is; None where they are the same.
    """
    key = source.layout.packed, moved, *[place.layout.packed for place in positions]
    known = _PICKED.get(key)
    if known is not None:
        return known
    shape, rest = picked_shape(source, positions), source.layout.strides[len(positions) :]
    width = len(shape) - len(rest)
    order = tuple(range(len(shape))) if moved is None else moved
    lengths, lead = tuple([shape[axis] for axis in order]), order.index(0) if width else 0
    operands = [(*rest[:lead], *(0,) * width, *rest[lead:])]
    for place in positions:  # spread over the other axes, as a view where there is one
        spread = (1,) * lead + place.layout.shape + (1,) * (len(rest) - lead)
        strides = (place.layout.reshape(spread) or Layout.dense(spread)).strides
        operands.append(tuple([stride if own == n else 0 for stride, own, n in zip(strides, spread, lengths, strict=True)]))
    kept = kept_strides(lengths, operands)
    inverse = sorted(range(len(order)), key=order.__getitem__)
    return _PICKED.remember(key, Layout.of(lengths, kept).permute(inverse))


def _positions(x: NDArray, layout: Layout, axis: int, entry: Any, check: Any) -> list[NDArray]:
    """The int64 arrays that one advanced entry stands for: itself with negative positions resolved, or a mask's."""
    from ..creation.array_likes import asarray

    array = entry if is_array(entry) else asarray(entry, device=x.device)
    table = x.flat.kernels.sibling(dt.int64)
    if array.device is not x.device and array.device.type != "cpu":
        raise DeviceError(
            f"index: indices should be either on cpu or on the same device as the indexed tensor ({x.device}), but got "
            f"{described([x, array])}; move them with .to({str(x.device)!r})"
        )
    if array.dtype is dt.bool:
        return [moved(positions, table) for positions in nonzero(array)]
    if array.layout.size == 0 and not isinstance(entry, ArrayFields):
        array = cast(array, array.flat.kernels.sibling(dt.int64))
    if array.dtype.kind not in "ui":
        raise IndexOutOfRange(f"index: arrays used as indices must be integer or bool, not {array.dtype.name}")
    array = moved(array, table)
    return [check("index", array, layout.shape[axis], axis)]


def checked(op: str, index: NDArray, length: int, axis: int) -> NDArray:
    """Positions that the kernels look at themselves; for other backends, as `resolved`.

    Raises:
        IndexOutOfRange: one lies outside.
    """
    return index if index.flat.kernels.backend.checks_positions else resolved(op, index, length, axis)


def resolved(op: str, index: NDArray, length: int, axis: int) -> NDArray:
    """Positions with the negative ones counted from the end.

    Raises:
        IndexOutOfRange: one lies outside.
    """
    low, high = _extremes(index, length)
    if low < -length or high >= length:
        bad = low if low < -length else high
        raise IndexOutOfRange(f"{op}: index {bad} is out of bounds for dimension {axis} with size {length}")
    if low >= 0:
        return index
    return choosing.where(comparison.less(index, 0), arithmetic.add(index, length), index)


def from_front(op: str, index: NDArray, length: int, axis: int) -> NDArray:
    """Positions as they are, all counted from the front: where PyTorch refuses negative ones, a -1 that stands for "none" is an error.

    Raises:
        PositionOutOfRange: one is negative, or too large.
    """
    low, high = _extremes(index, length)
    if low < 0 or high >= length:
        bad = low if low < 0 else high
        raise PositionOutOfRange(f"{op}: index {bad} is out of bounds for dimension {axis} with size {length}")
    return index


def _extremes(index: NDArray, length: int) -> tuple[int, int]:
    """The least and the greatest position, or (0, -1) where all lie in 0 ... length - 1."""
    if index.layout.size == 0 or not index.flat.kernels.backend.holds_items:
        return 0, -1
    if not index.flat.kernels.backend.host:
        values = all_slices(index)
        return int(smallest(values)), int(greatest(values))
    places = index.numpy()
    if index.dtype is dt.int64 and int(places.view(np.uint64).max()) < length:
        return 0, -1  # as unsigned numbers, negative ones are the greatest: one look is enough
    return int(places.min()), int(places.max())
