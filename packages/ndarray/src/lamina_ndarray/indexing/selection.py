"""Reading and writing at an index: integers, slices, masks and arrays of positions, mixed as in NumPy and PyTorch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lamina_flatarray import ShapeError
from lamina_flatarray import dtypes as dt
from lamina_flatarray.backends.kernel_table import KernelTable

from ..array_fields import ArrayFields, empty_of, view_of
from ..dispatch.operands import as_operand, cast, common_kernels, copy_to, copy_with_room, guarded, moved, same_device
from ..elementwise import arithmetic, comparison
from ..layouts.layout import Layout
from ..shapes.views import copy
from .advanced_indices import Parts, picked_layout, picked_shape, planned, refuse_outside, resolved, taken_apart
from .basic_index import basic_index
from .nonzero import nonzero
from .writable import fitted

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = [
    "check_apart",
    "getitem",
    "has_arrays",
    "index_put",
    "new_zeros",
    "one_hot_positions",
    "overwrite",
    "picked",
    "plain_positions",
    "put_into_zeros",
    "separate",
    "setitem",
]


def getitem(x: NDArray, index: Any) -> NDArray:
    """`x[index]`: a view for integers, slices, None and `...`; a copy where arrays, lists or masks take part.

    Raises:
        IndexOutOfRange: an index lies outside.
        ShapeError: index arrays do not broadcast, or a mask has another shape.
    """
    if has_arrays(index):
        result = picked(x, index)
        if result is not None:
            return result
    layout = basic_index(x.layout, index)
    if layout is not None:
        return view_of(x, layout)
    return _at_positions(x, index, taken_apart(x, index))


def has_arrays(index: Any) -> bool:
    """Whether there is an array in an index, or it is one."""
    return isinstance(index, ArrayFields) or (index.__class__ is tuple and any(isinstance(part, ArrayFields) for part in index))


def picked(x: NDArray, index: Any) -> NDArray | None:
    """`x[index]` for an index of which `plain_positions` or `planned` knows what it comes to; None for any other.

    Raises:
        IndexOutOfRange: a position lies outside.
    """
    plain = plain_positions(x, index)
    if plain is not None:
        x, places = plain
        kernels = x.flat.kernels
        first, source = places[0].layout, x.layout
        if source.contiguous and first.contiguous and len(places) == 1:
            result = empty_of(kernels, Layout.dense(first.shape + source.shape[1:]))
        else:
            result = empty_of(kernels, picked_layout(x, places, None))
        try:
            kernels["index"](result, x, *places)
        except IndexError:
            _refuse(x, places)
            raise
        return result
    parts = planned(x, index)
    return None if parts is None else _at_positions(x, index, parts)


def _at_positions(x: NDArray, index: Any, parts: Parts) -> NDArray:
    source, positions, permutation = parts
    kernels = _kernels("index", x, x, positions)
    result = empty_of(kernels, picked_layout(source, positions, permutation))
    try:
        kernels["index"](result, source, *positions)
    except IndexError:
        refuse_outside(x, index)
        raise
    return result if permutation is None else view_of(result, result.layout.permute(permutation))


def _kernels(op: str, x: NDArray, items: NDArray, positions: Sequence[NDArray]) -> KernelTable:
    """The kernel table for x, other items of its dtype, and int64 positions."""
    kernels = x.flat.kernels
    table = kernels.sibling(dt.int64)
    for place in positions:
        if place.flat.kernels is not table:
            break
    else:
        if items.flat.kernels is kernels:
            return kernels
    return common_kernels(op, (x, items, *positions)).sibling(x.flat.dtype)


def plain_positions(x: NDArray, index: Any) -> tuple[NDArray, tuple[NDArray, ...]] | None:
    """x, and the index or the positions of a mask, as int64 arrays of one shape for its first axes, next to x and looked at by its
    kernels; None for any other index, which takes the long way. The axes of a mask are one where they lie so."""
    places: tuple[NDArray, ...] = index if index.__class__ is tuple else (index,)
    kernels = x.flat.kernels
    if not kernels.backend.checks_positions or not 0 < len(places) <= x.layout.ndim or not isinstance(places[0], ArrayFields):
        return None
    if places[0].flat.dtype is dt.bool:
        if len(places) > 1 or not _covers(x, places[0]):
            return None
        mask = places[0]
        if mask.layout.ndim > 1:
            source, flat = x.layout.flatten(0, mask.layout.ndim - 1), mask.layout.flatten()
            if source is not None and flat is not None:
                return view_of(x, source), nonzero(view_of(mask, flat))
        return x, nonzero(mask)
    table, shape = kernels.sibling(dt.int64), places[0].layout.shape
    for place in places:
        if not isinstance(place, ArrayFields) or place.flat.kernels is not table or place.layout.shape != shape or not shape:
            return None
    return x, places


def _covers(x: NDArray, mask: ArrayFields) -> bool:
    """Whether a mask is next to x, and has the lengths of its first axes."""
    shape = mask.layout.shape
    return mask.flat.kernels is x.flat.kernels.sibling(dt.bool) and len(shape) > 0 and shape == x.layout.shape[: len(shape)]


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
    number = value if isinstance(value, ArrayFields) or value.__class__ is float else as_operand("setitem", value)
    is_scalar = not isinstance(number, ArrayFields) or number.layout.ndim == 0
    if is_scalar and isinstance(index, ArrayFields) and index.flat.dtype is dt.bool and not accumulate and _covers(x, index):
        _fill_where(x, index, number)
        return
    plain = None if is_scalar or index is Ellipsis else plain_positions(x, index)
    if plain is not None and _put(*plain, number, accumulate):
        return
    parts = planned(x, index) if has_arrays(index) else None
    layout = x.layout if index is Ellipsis else basic_index(x.layout, index) if parts is None else None
    kernels = x.flat.kernels
    if layout is not None:
        overwrite(x if layout is x.layout else view_of(x, layout), number, accumulate)
        return
    check_apart("setitem", x)
    source, positions, permutation = parts or taken_apart(x, index)
    shape = picked_shape(source, positions)
    if not isinstance(number, ArrayFields):
        from ..creation.constructors import full

        number = full((), fitted("setitem", number, x.dtype), dtype=x.dtype, device=x.device)
    if number.device is not x.device:
        if number.layout.ndim:
            same_device("index_put", x, number)
        number = moved(number, kernels)
    number = cast(number, kernels)
    if permutation is not None:  # the caller sees the index axes in another place than the kernel
        inverse = sorted(range(len(permutation)), key=permutation.__getitem__)
        number = view_of(number, _fit(number, tuple(shape[i] for i in permutation)).permute(inverse))
    elif number.layout.shape != shape:
        number = view_of(number, _fit(number, shape))
    number, *positions = [separate(x, array) for array in (number, *positions)]
    kernels = _kernels("index_put", x, number, positions)
    try:
        kernels["index_put"](source, number, *positions, accumulate=accumulate)
    except IndexError:
        refuse_outside(x, index)
        raise
    x.flat.version += 1


def _fill_where(x: NDArray, mask: ArrayFields, number: Any) -> None:
    """Assign a number, or an array without axes, to the items under a mask of x's first axes."""
    target, layout, dtype = x.layout, mask.layout, x.flat.dtype
    if not target.contiguous:
        check_apart("setitem", x)
    number = fitted("setitem", number, dtype)
    if isinstance(number, ArrayFields):
        number = moved(number, x.flat.kernels)
        number = guarded(x, view_of(number, number.layout.broadcast_to(target.shape)))
    elif dtype.kind in "ui":
        number = int(number)
    if layout.shape != target.shape:
        while layout.ndim < target.ndim:
            layout = layout.unsqueeze(layout.ndim)
        mask = view_of(mask, layout.broadcast_to(target.shape))
    if mask.flat.memory is x.flat.memory:
        mask = guarded(x, mask)
    x.flat.kernels["where"](x, mask, number, x)
    x.flat.version += 1


def _put(x: NDArray, places: tuple[NDArray, ...], value: Any, accumulate: bool) -> bool:
    """Assign at plain positions a value that need not be cast or copied; False where it must be."""
    kernels, memory = x.flat.kernels, x.flat.memory
    if value.flat.kernels is not kernels:
        return False
    for array in (value, *places):
        if array.flat.memory is memory:
            return False
    check_apart("setitem", x)
    shape = places[0].layout.shape + x.layout.shape[len(places) :]
    if value.layout.shape != shape:
        value = view_of(value, _fit(value, shape))
    try:
        kernels["index_put"](x, value, *places, accumulate=accumulate)
    except IndexError:
        _refuse(x, places)
        raise
    x.flat.version += 1
    return True


def overwrite(target: NDArray, value: Any, accumulate: bool = False) -> None:
    """Assign, or add, to a whole array or view: an array that broadcasts to it and is cast, or a number.

    Raises:
        ShapeError: the value does not broadcast, or several indices of the target share an item.
        DTypeError: the value's kind does not go into the target's dtype.
    """
    kernels, layout = target.flat.kernels, target.layout
    if isinstance(value, ArrayFields):
        if not layout.contiguous:  # one number may be written to an item several times
            check_apart("setitem", target)
        if value.flat.kernels is not kernels:
            value = moved(value, kernels if accumulate else kernels.sibling(value.flat.dtype))
        if value.flat.memory is target.flat.memory:
            value = guarded(target, value)
        if value.layout is not layout and value.layout.shape != layout.shape:
            value = view_of(value, _fit(value, layout.shape))
    else:
        value = fitted("setitem", value, kernels.dtype)
    if accumulate:
        arithmetic.add(target, value, out=target)
        return
    if not isinstance(value, ArrayFields):
        kernels["fill"](target, value=value)
    elif value.flat.kernels is kernels:
        kernels["copy"](target, value)
    else:
        copy_to(target, value)
    target.flat.version += 1


def separate(out: NDArray, x: NDArray) -> NDArray:
    """What a kernel reads while it writes to `out` in another order: itself, or a copy if they share memory."""
    return copy(x) if x.flat.memory is out.flat.memory else x


def check_apart(op: str, target: NDArray) -> None:
    """Refuse to write where several indices share an item.

    Raises:
        ShapeError: they do.
    """
    if not target.layout.contiguous and target.layout.overlaps:
        raise ShapeError(
            f"{op}: unsupported operation: more than one element of the written-to tensor refers to a single memory "
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


def index_put(x: NDArray, indices: Any, values: Any, accumulate: bool = False) -> NDArray:
    """A copy of x with items written at an index, or added with `accumulate`: `x[indices] = values` without change.

    `indices` is whatever may stand in brackets. Of equal positions the last wins, or all are added.

    Raises:
        IndexOutOfRange: an index lies outside.
        ShapeError: the values do not broadcast to what is indexed.
    """
    result = copy_with_room("index_put", x, *_next_to(x, (values, *(indices if isinstance(indices, tuple) else (indices,)))))
    setitem(result, indices, values, accumulate=accumulate)
    result.flat.version = 0  # a new array, which nobody saw before
    return result


def _next_to(x: NDArray, operands: Sequence[Any]) -> list[Any]:
    """Those on x's device: values without axes, and positions on the host, are brought there later."""
    return [o for o in operands if not isinstance(o, ArrayFields) or o.device is x.device]


def put_into_zeros(values: NDArray, shape: tuple[int, ...], index: Any) -> NDArray:
    """Zeros of a shape with `values` added at an index: what reading at that index undoes to."""
    kernels = common_kernels("put_into_zeros", (values, *_next_to(values, index if isinstance(index, tuple) else (index,))))
    result = empty_of(kernels.sibling(values.flat.dtype), Layout.dense(shape))
    result.flat.kernels["fill"](result, value=0)
    layout = basic_index(result.layout, index)
    if layout is not None:
        copy_to(view_of(result, layout), values)
    else:
        setitem(result, index, values, accumulate=True)
    return result


def new_zeros(x: NDArray, shape: tuple[int, ...]) -> NDArray:
    """Zeros of any shape, with x's dtype and on its device."""
    result = empty_of(x.flat.kernels, Layout.dense(tuple(shape)))
    x.flat.kernels["fill"](result, value=0)
    return result


def one_hot_positions(indices: NDArray, length: int) -> NDArray:
    """A boolean array with a last axis of `length`, true where that axis equals the index."""
    from ..creation.ranges import arange
    places = arange(length, device=indices.device)
    return comparison.equal(view_of(indices, indices.layout.unsqueeze(-1)), places)
