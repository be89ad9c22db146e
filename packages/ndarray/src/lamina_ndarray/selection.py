"""Reading and writing at an index: integers, slices, masks and arrays of positions, mixed as in NumPy and PyTorch."""

from __future__ import annotations

from typing import Any

import numpy as np

from lamina_flatarray import IndexOutOfRange, ShapeError
from lamina_flatarray import dtypes as dt

from .array import NDArray, empty_of, view_of
from .batching import all_slices
from .broadcast import broadcast_shapes
from .finding import nonzero
from .indexing import basic_index, split_index
from .layout import Layout
from .operands import as_operand, cast, common_kernels, copy_to, copy_with_room, guarded
from .writable import check_fits

__all__ = [
    "checked",
    "getitem",
    "index_put",
    "new_zeros",
    "one_hot_positions",
    "picked",
    "plain_positions",
    "put_into_zeros",
    "resolved",
    "separate",
    "setitem",
]


def getitem(x: NDArray, index: Any) -> NDArray:
    """`x[index]`: a view for integers, slices, None and `...`; a copy where arrays, lists or masks take part.

    Raises:
        IndexOutOfRange: an index lies outside.
        ShapeError: index arrays do not broadcast, or a mask has another shape.
    """
    places = plain_positions(x, index)
    if places is not None:
        return picked(x, places)
    layout = basic_index(x.layout, index)
    if layout is not None:
        return view_of(x, layout)
    source, positions, moved = _advanced(x, index)
    kernels = common_kernels("index", (x, *positions)).sibling(x.flat.dtype)
    made = empty_of(kernels, Layout.dense(_picked_shape(source, positions)))
    try:
        kernels["index"](made, source, *positions)
    except IndexError:
        _advanced(x, index, resolved)  # says which axis it is of x
        raise
    return made if moved is None else view_of(made, made.layout.permute(moved))


def plain_positions(x: NDArray, index: Any) -> tuple[NDArray, ...] | None:
    """The index, or the positions of a mask, as int64 arrays of one shape for x's first axes, next to x and looked at by its
    kernels; None for any other index, which takes the long way."""
    places: tuple[NDArray, ...] = index if index.__class__ is tuple else (index,)
    kernels = x.flat.kernels
    if not kernels.backend.checks_positions or not 0 < len(places) <= x.layout.ndim or places[0].__class__ is not NDArray:
        return None
    if places[0].flat.dtype is dt.bool:
        return None if len(places) > 1 or not _covers(x, places[0]) else nonzero(places[0])
    table, shape = kernels.sibling(dt.int64), places[0].layout.shape
    for place in places:
        if place.__class__ is not NDArray or place.flat.kernels is not table or place.layout.shape != shape or not shape:
            return None
    return places


def _covers(x: NDArray, mask: NDArray) -> bool:
    """Whether a mask is next to x, and has the lengths of its first axes."""
    shape = mask.layout.shape
    return mask.flat.kernels is x.flat.kernels.sibling(dt.bool) and len(shape) > 0 and shape == x.layout.shape[: len(shape)]


def picked(x: NDArray, places: tuple[NDArray, ...]) -> NDArray:
    """`x[places]` for what `plain_positions` gave.

    Raises:
        IndexOutOfRange: a position lies outside.
    """
    kernels = x.flat.kernels
    made = empty_of(kernels, Layout.dense(places[0].layout.shape + x.layout.shape[len(places) :]))
    try:
        kernels["index"](made, x, *places)
    except IndexError:
        _refuse(x, places)
        raise
    return made


def _refuse(x: NDArray, places: tuple[NDArray, ...]) -> None:
    for axis, place in enumerate(places):
        resolved("index", place, x.layout.shape[axis], axis)


def setitem(x: NDArray, index: Any, value: Any, *, accumulate: bool = False) -> None:
    """`x[index] = value`, the value broadcast; of equal positions the last wins, or all are added.

    The value, and index arrays, may share memory with x: they are read before anything is written.

    Raises:
        IndexOutOfRange: an index lies outside.
        ShapeError: the value does not broadcast to what is indexed, or several indices of x share an item.
        DTypeError: the value's kind does not go into x's dtype.
    """
    number = value if value.__class__ is NDArray or value.__class__ is float else as_operand("setitem", value)
    one = number.__class__ is not NDArray or number.layout.ndim == 0
    if one and index.__class__ is NDArray and index.flat.dtype is dt.bool and not accumulate and _covers(x, index):
        _fill_where(x, index, number)
        return
    places = None if one or index is Ellipsis else plain_positions(x, index)
    if places is not None and _put(x, places, number, accumulate):
        return
    layout = x.layout if index is Ellipsis else basic_index(x.layout, index)
    kernels = x.flat.kernels
    if layout is not None:
        target = x if layout is x.layout else view_of(x, layout)
        if isinstance(number, NDArray) and not layout.contiguous:  # one number may be written to an item several times
            _check_apart(target)
        _write(target, number, accumulate)
        return
    _check_apart(x)
    source, positions, moved = _advanced(x, index)
    shape = _picked_shape(source, positions)
    if not isinstance(number, NDArray):
        from .creation import full

        check_fits("setitem", number, x.dtype)
        number = full((), number, dtype=x.dtype, device=x.device)
    number = cast(number, kernels)
    if moved is not None:  # the caller sees the index axes in another place than the kernel
        inverse = sorted(range(len(moved)), key=moved.__getitem__)
        number = view_of(number, _fit(number, tuple(shape[i] for i in moved)).permute(inverse))
    elif number.layout.shape != shape:
        number = view_of(number, _fit(number, shape))
    number, *positions = (separate(x, array) for array in (number, *positions))
    kernels = common_kernels("index_put", (x, number, *positions)).sibling(x.flat.dtype)
    try:
        kernels["index_put"](source, number, *positions, accumulate=accumulate)
    except IndexError:
        _advanced(x, index, resolved)
        raise
    x.flat.version += 1


def _fill_where(x: NDArray, mask: NDArray, number: Any) -> None:
    """Assign a number, or an array without axes, to the items under a mask of x's first axes."""
    own, layout, dtype = x.layout, mask.layout, x.flat.dtype
    if not own.contiguous:
        _check_apart(x)
    check_fits("setitem", number, dtype)
    if isinstance(number, NDArray):
        number = cast(number, x.flat.kernels)
        number = guarded(x, view_of(number, number.layout.broadcast_to(own.shape)))
    elif dtype.kind in "ui":
        number = int(number)
    if layout.shape != own.shape:
        while layout.ndim < own.ndim:
            layout = layout.unsqueeze(layout.ndim)
        mask = view_of(mask, layout.broadcast_to(own.shape))
    if mask.flat.memory is x.flat.memory:
        mask = guarded(x, mask)
    x.flat.kernels["where"](x, mask, number, x)
    x.flat.version += 1


def _put(x: NDArray, places: tuple[NDArray, ...], value: NDArray, accumulate: bool) -> bool:
    """Assign at plain positions a value that need not be cast, broadcast or copied; False where it must be."""
    kernels, memory = x.flat.kernels, x.flat.memory
    if value.flat.kernels is not kernels or value.layout.shape != places[0].layout.shape + x.layout.shape[len(places) :]:
        return False
    for array in (value, *places):
        if array.flat.memory is memory:
            return False
    _check_apart(x)
    try:
        kernels["index_put"](x, value, *places, accumulate=accumulate)
    except IndexError:
        _refuse(x, places)
        raise
    x.flat.version += 1
    return True


def _write(target: NDArray, number: Any, accumulate: bool) -> None:
    """Assign, or add, to a whole view: no two of its indices share an item."""
    kernels = target.flat.kernels
    if isinstance(number, NDArray):
        number = cast(number, kernels if accumulate else kernels.sibling(number.flat.dtype))
        if number.flat.memory is target.flat.memory:
            number = guarded(target, number)
        if number.layout.shape != target.layout.shape:
            number = view_of(number, _fit(number, target.layout.shape))
    else:
        check_fits("setitem", number, target.dtype)
    if accumulate:
        from .elementwise import FUNCTIONS

        FUNCTIONS["add"](target, number, out=target)
        return
    if isinstance(number, NDArray):
        copy_to(target, number)
    else:
        kernels["fill"](target, value=number)
    target.flat.version += 1


def separate(out: NDArray, x: NDArray) -> NDArray:
    """What a kernel reads while it writes to `out` in another order: itself, or a copy if they share memory."""
    from .views import copy

    return copy(x) if x.flat.memory is out.flat.memory else x


def _check_apart(target: NDArray) -> None:
    if target.layout.overlaps:
        raise ShapeError(
            "setitem: unsupported operation: more than one element of the written-to tensor refers to a single memory "
            f"location (shape {target.layout.shape}, strides {target.layout.strides}); clone() it first"
        )


def _fit(value: NDArray, shape: tuple[int, ...]) -> Layout:
    """The value's layout for assignment to `shape`: leading axes of length 1 may be dropped, the rest broadcast."""
    layout = value.layout
    while layout.ndim > len(shape) and layout.shape[0] == 1:
        layout = layout.select(0, 0)
    try:
        return layout.broadcast_to(shape)
    except ShapeError:
        raise ShapeError(
            f"setitem: shape mismatch: value of shape {value.layout.shape} cannot be broadcast to indexing result "
            f"of shape {shape}"
        ) from None


def _advanced(x: NDArray, index: Any, check: Any = None) -> tuple[NDArray, list[NDArray], tuple[int, ...] | None]:
    """An index with arrays in it, as: x with the indexed axes in front, int64 arrays for these in one shape, and the
    permutation that puts the result's axes where the caller expects them (None if they are there).

    Index axes come in the place of the arrays if these stand together, else in front (NumPy's and PyTorch's rule).
    `check` takes the place of `checked`.
    """
    layout, entries = split_index(x.layout, index)
    axes: list[int] = []
    arrays: list[NDArray] = []
    axis = 0
    for entry in entries:
        if entry is None:
            axis += 1
            continue
        for array in _positions(x, layout, axis, entry, check or checked):
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


def _picked_shape(source: NDArray, positions: list[NDArray]) -> tuple[int, ...]:
    return positions[0].layout.shape + source.layout.shape[len(positions) :]


def _positions(x: NDArray, layout: Layout, axis: int, entry: Any, check: Any) -> list[NDArray]:
    """The int64 arrays that one advanced entry stands for: itself with negative positions resolved, or a mask's."""
    from .creation import asarray

    array = entry if isinstance(entry, NDArray) else asarray(entry, device=x.device)
    if array.dtype is dt.bool:
        return [cast(found, x.flat.kernels.sibling(dt.int64)) for found in nonzero(array)]
    if array.layout.size == 0 and not isinstance(entry, NDArray):
        array = cast(array, array.flat.kernels.sibling(dt.int64))
    if array.dtype.kind not in "ui":
        raise IndexOutOfRange(f"index: arrays used as indices must be integer or bool, not {array.dtype.name}")
    array = cast(array, x.flat.kernels.sibling(dt.int64))
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
    from .elementwise import FUNCTIONS
    from .reductions import max as greatest
    from .reductions import min as smallest

    if index.layout.size == 0:
        return index
    if index.flat.kernels.backend.host:
        places = index.numpy()
        if index.dtype is dt.int64 and int(places.view(np.uint64).max()) < length:
            return index  # as unsigned numbers, negative ones are the greatest: one look is enough
        low, high = int(places.min()), int(places.max())
    else:
        every = all_slices(index)
        low, high = smallest(every).item(), greatest(every).item()
    if low < -length or high >= length:
        bad = low if low < -length else high
        raise IndexOutOfRange(f"{op}: index {bad} is out of bounds for dimension {axis} with size {length}")
    if low >= 0:
        return index
    return FUNCTIONS["where"](FUNCTIONS["less"](index, 0), FUNCTIONS["add"](index, length), index)


def index_put(x: NDArray, indices: Any, values: Any, accumulate: bool = False) -> NDArray:
    """A copy of x with items written at an index, or added with `accumulate`: `x[indices] = values` without change.

    `indices` is whatever may stand in brackets. Of equal positions the last wins, or all are added.

    Raises:
        IndexOutOfRange: an index lies outside.
        ShapeError: the values do not broadcast to what is indexed.
    """
    made = copy_with_room(x, values, *(indices if isinstance(indices, tuple) else (indices,)))
    setitem(made, indices, values, accumulate=accumulate)
    return made


def put_into_zeros(values: NDArray, shape: tuple[int, ...], index: Any) -> NDArray:
    """Zeros of a shape with `values` added at an index: what reading at that index undoes to."""
    kernels = common_kernels("put_into_zeros", (values, *(index if isinstance(index, tuple) else (index,))))
    made = empty_of(kernels.sibling(values.flat.dtype), Layout.dense(shape))
    made.flat.kernels["fill"](made, value=0)
    layout = basic_index(made.layout, index)
    if layout is not None:
        copy_to(view_of(made, layout), values)
    else:
        setitem(made, index, values, accumulate=True)
    return made


def new_zeros(x: NDArray, shape: tuple[int, ...]) -> NDArray:
    """Zeros of any shape, with x's dtype and on its device."""
    made = empty_of(x.flat.kernels, Layout.dense(tuple(shape)))
    x.flat.kernels["fill"](made, value=0)
    return made


def one_hot_positions(indices: NDArray, length: int) -> NDArray:
    """A boolean array with a last axis of `length`, true where that axis equals the index."""
    from .creation import arange
    from .elementwise import FUNCTIONS

    places = arange(length, device=indices.device)
    return FUNCTIONS["equal"](view_of(indices, indices.layout.unsqueeze(-1)), places)
