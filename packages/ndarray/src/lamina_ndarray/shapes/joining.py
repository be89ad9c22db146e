"""Arrays one after another, or side by side along a new axis."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from operator import index as as_int
from typing import TYPE_CHECKING, Any, Final

from lamina_flatarray import ArgumentValueError, DTypeError, ShapeError, UsageError
from lamina_flatarray.backends.kernel_table import KernelTable
from lamina_flatarray.promotion import promote_types

from ..array_fields import ArrayFields, empty_of, view_of
from ..dispatch.namespace import Array, generic, namespace
from ..dispatch.operands import common_kernels
from ..layouts.bounded_cache import BoundedCache
from ..layouts.broadcast import normalize_axis
from ..layouts.image_order import arranged, image_layout
from ..layouts.layout import Layout
from .axes import atleast_2d, flatten
from .views import reshape

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = ["block_diag", "column_stack", "concat", "dstack", "hstack", "row_stack", "stack", "vstack"]


Plan = tuple[Layout, int, Callable[[Sequence["NDArray"]], Sequence["NDArray"]] | None, Layout | None]
"""How arrays are put in a row: the row's layout, its axis from the front, what is done to them before (None: nothing), and the
layout that the row is then read by (None: its own)."""

_PLANS: Final[BoundedCache[tuple[Any, ...], Plan]] = BoundedCache("concat", 1024)
"""Of arrays of one layout: from that packed, the op, the axis and the number of arrays to how they are put in a row."""


@lru_cache(1024)
def _joined(shapes: tuple[tuple[int, ...], ...], axis: int, op: str) -> Plan:
    """How arrays of these shapes are joined. A vector without items fits to anything, and has no part in it.

    Raises:
        ShapeError: there are no axes, or lengths differ on another axis.
    """
    used = [i for i, shape in enumerate(shapes) if shape != (0,)] or [0]
    first = shapes[used[0]]
    if not first:
        raise ShapeError(f"{op}: zero-dimensional arrays cannot be concatenated; stack them")
    at = normalize_axis(axis, len(first), op)
    lead, rest, length = first[:at], first[at + 1 :], 0
    for i in used:
        current = shapes[i]
        if len(current) != len(first) or current[:at] != lead or current[at + 1 :] != rest:
            raise _unfit(op, first, current, at, i)
        length += current[at]
    return Layout.dense((*lead, length, *rest)), at, None if len(used) == len(shapes) else partial(_some, used), None


@lru_cache(1024)
def _stacked(shapes: tuple[tuple[int, ...], ...], axis: int) -> Plan:
    """How arrays of one shape are stacked: along `axis` of the result they lie just as along that axis of their own, which then
    has two. Behind all axes each has to have one there.

    Raises:
        ShapeError: the shapes differ.
    """
    shape, count = shapes[0], len(shapes)
    for i, other in enumerate(shapes):
        if other != shape:
            raise ShapeError(f"stack expects each tensor to be equal size, but got {list(shape)} at entry 0 and {list(other)} at entry {i}")
    at = normalize_axis(axis, len(shape) + 1, "stack")
    behind = at == len(shape)
    along = (*shape, 1) if behind else shape
    row = Layout.dense((*along[:at], count * along[at], *along[at + 1 :]))
    return row, at, partial(_columns, at) if behind else None, Layout.dense((*shape[:at], count, *shape[at:]))


def _some(used: list[int], arrays: Sequence[NDArray]) -> Sequence[NDArray]:
    return [arrays[i] for i in used]


def _columns(axis: int, arrays: Sequence[NDArray]) -> Sequence[NDArray]:
    return [view_of(a, a.layout.unsqueeze(axis)) for a in arrays]


def in_a_row(op: str, arrays: Sequence[NDArray], axis: int = 0) -> NDArray:
    """Join arrays as an op plans it for their shapes.

    Args:
        op: "concat", "stack", or one of the keys of PART_SHAPES.
        arrays: a sequence of arrays on one device; their dtypes are promoted, all of them counting.
        axis: of the result, for "concat" and "stack".

    Returns:
        The joined array, in the dtype of all together.

    Raises:
        ShapeError: their shapes do not fit.
        ArgumentValueError: there are no arrays to concatenate.
        UsageError: there are no arrays for another op.
        DTypeError: something in the sequence is not an array.
    """
    if isinstance(arrays, ArrayFields) or not arrays:
        raise _refused(op, arrays)
    try:
        first, kernels = arrays[0].layout, arrays[0].flat.kernels
        one_layout = one_kind = True
        for a in arrays:
            if a.layout is not first:
                one_layout = False
            if a.flat.kernels is not kernels:
                one_kind = False
        plan = _PLANS.get((first.packed, op, axis, axis.__class__, len(arrays))) if one_layout else None
        layout, at, prepared, shown = plan or _planned(op, arrays, axis, one_layout)
    except AttributeError:
        raise _refused(op, arrays) from None
    if not one_kind:
        kernels = _promoted(op, arrays)
    result, parts = empty_of(kernels, layout), [*arrays] if prepared is None else prepared(arrays)
    kernels["concat"](result, parts, axis=at)
    if not first.row_major:
        layouts = {image_layout(layout.shape, part.layout) for part in parts}
        result = arranged(result, layouts.pop()) if len(layouts) == 1 else result
        shown = shown and result.layout.reshape(shown.shape)
    return result if shown is None else view_of(result, shown)


def _planned(op: str, arrays: Sequence[NDArray], axis: int, one_layout: bool) -> Plan:
    """The plan; remembered with the layout where all arrays have one."""
    at, first = as_int(axis), arrays[0].layout
    shapes = tuple([a.layout.shape for a in arrays])
    plan = _stacked(shapes, at) if op == "stack" else _raised(op, shapes) if op in PART_SHAPES else _joined(shapes, at, op)
    if one_layout and axis.__class__ is int:
        _PLANS.remember((first.packed, op, at, int, len(arrays)), plan)
    return plan


def _promoted(op: str, arrays: Sequence[NDArray]) -> KernelTable:
    dtype = arrays[0].dtype
    for other in arrays[1:]:
        dtype = promote_types(dtype, other.dtype)
    return common_kernels(op, arrays).sibling(dtype)


def concat(arrays: Sequence[NDArray], axis: int | None = 0) -> NDArray:
    """Join arrays along an axis that they have.

    Args:
        arrays: a sequence of arrays on one device, equal in shape but for `axis`; vectors without items fit to any
            shape.
        axis: along which; None flattens all arrays first.

    Returns:
        An array whose length along the axis is the sum of theirs, in the dtype of all together.

    Raises:
        ShapeError: the arrays differ in another axis, or have no axes.
        ArgumentValueError: there are no arrays.
        DTypeError: something in the sequence is not an array.
        IndexOutOfRange: the axis does not exist.

    >>> nd.concat([nd.asarray([1, 2]), nd.asarray([3.0])])
    NDArray([1., 2., 3.])
    >>> nd.concat([nd.ones((2, 3)), nd.ones((2, 1))], 1).shape
    (2, 4)
    """
    if axis is None and not isinstance(arrays, ArrayFields):
        return concat([flatten(a) for a in arrays], 0)
    return in_a_row("concat", arrays, axis)  # type: ignore[arg-type]  # None of one array is refused


def stack(arrays: Sequence[NDArray], axis: int = 0) -> NDArray:
    """Join arrays of one shape along a new axis.

    Args:
        arrays: a sequence of arrays of one shape, on one device.
        axis: the index of the new axis in the result.

    Returns:
        An array with one axis more, whose length is the number of arrays, in the dtype of all together.

    Raises:
        ShapeError: their shapes differ.
        UsageError: there are no arrays.
        DTypeError: something in the sequence is not an array.
        IndexOutOfRange: the axis lies outside.

    >>> nd.stack([nd.asarray([1, 2]), nd.asarray([3, 4])], 1)
    NDArray([[1, 3],
             [2, 4]])
    """
    return in_a_row("stack", arrays, axis)


def _refused(op: str, arrays: Any) -> Exception:
    """The error for what cannot be joined: nothing, or something else than arrays."""
    if not isinstance(arrays, ArrayFields) and not arrays:
        error = UsageError if op == "stack" or op in PART_SHAPES else ArgumentValueError
        return error(f"{op}: expected a non-empty list of arrays")
    kinds = "one array" if isinstance(arrays, ArrayFields) else [type(a).__name__ for a in arrays]
    return DTypeError(f"{op}: expected a sequence of arrays (argument 'arrays' must be tuple), but got {kinds}")


def _unfit(op: str, first: tuple[int, ...], own: tuple[int, ...], axis: int, i: int) -> ShapeError:
    if len(own) != len(first):
        return ShapeError(f"{op}: Tensors must have same number of dimensions: got {first} and {own} (array {i})")
    return ShapeError(f"{op}: Sizes of tensors must match except in dimension {axis}: {first} and {own} (array {i})")


PART_SHAPES: Final[dict[str, Callable[[tuple[int, ...]], tuple[int, ...]]]] = {
    "hstack": lambda shape: shape or (1,),
    "vstack": lambda shape: shape if len(shape) > 1 else (1, *(shape or (1,))),
    "dstack": lambda shape: shape if len(shape) > 2 else (*shape, 1) if len(shape) == 2 else (1, *(shape or (1,)), 1),
    "column_stack": lambda shape: shape if len(shape) > 1 else (*(shape or (1,)), 1),
}
"""The shape that a part of each of these has in the row."""


def joining_axis(op: str, ndim: int) -> int:
    """Return the axis along which an op joins its parts.

    Args:
        op: a key of PART_SHAPES.
        ndim: the number of axes of the first part, in the shape that PART_SHAPES gives it.

    Returns:
        The axis, from 0.
    """
    return {"hstack": 0 if ndim == 1 else 1, "vstack": 0, "dstack": 2, "column_stack": 1}[op]


@lru_cache(1024)
def _raised(op: str, shapes: tuple[tuple[int, ...], ...]) -> Plan:
    """How arrays of these shapes are joined as parts with at least as many axes as the op wants.

    Raises:
        ShapeError: they differ on another axis.
    """
    parts = tuple(map(PART_SHAPES[op], shapes))
    row, at, prepared, _ = _joined(parts, joining_axis(op, len(parts[0])), op)
    if parts == shapes:
        return row, at, prepared, None
    return row, at, partial(_reshaped, parts) if prepared is None else lambda arrays: prepared(_reshaped(parts, arrays)), None


def _reshaped(shapes: tuple[tuple[int, ...], ...], arrays: Sequence[NDArray]) -> Sequence[NDArray]:
    return [reshape(a, shape) for a, shape in zip(arrays, shapes, strict=True)]


def hstack(arrays: Sequence[NDArray]) -> NDArray:
    """Join arrays along the second axis, or vectors along their only one.

    Args:
        arrays: a sequence of arrays on one device; those without axes count as vectors of one item.

    Returns:
        The joined array, in the dtype of all together.

    Raises:
        ShapeError: the arrays differ in another axis.
        UsageError: there are no arrays.
        DTypeError: something in the sequence is not an array.

    >>> nd.hstack([nd.asarray([[1], [2]]), nd.asarray([[3], [4]])])
    NDArray([[1, 3],
             [2, 4]])
    """
    return in_a_row("hstack", arrays, 0)


def vstack(arrays: Sequence[NDArray]) -> NDArray:
    """Join arrays along the first axis; vectors are rows.

    Args:
        arrays: a sequence of arrays on one device.

    Returns:
        The joined array with two axes at least, in the dtype of all together.

    Raises:
        ShapeError: the arrays differ in another axis.
        UsageError: there are no arrays.
        DTypeError: something in the sequence is not an array.

    >>> nd.vstack([nd.asarray([1, 2]), nd.asarray([3, 4])])
    NDArray([[1, 2],
             [3, 4]])
    """
    return in_a_row("vstack", arrays, 0)


row_stack = vstack


def dstack(arrays: Sequence[NDArray]) -> NDArray:
    """Join arrays along the third axis, which `atleast_3d` gives to those that have fewer.

    Args:
        arrays: a sequence of arrays on one device.

    Returns:
        The joined array with three axes at least, in the dtype of all together.

    Raises:
        ShapeError: the arrays differ in another axis.
        UsageError: there are no arrays.
        DTypeError: something in the sequence is not an array.

    >>> nd.dstack([nd.asarray([1, 2]), nd.asarray([3, 4])])
    NDArray([[[1, 3],
              [2, 4]]])
    """
    return in_a_row("dstack", arrays, 0)


def column_stack(arrays: Sequence[NDArray]) -> NDArray:
    """Join arrays along the second axis; vectors are columns.

    Args:
        arrays: a sequence of arrays on one device.

    Returns:
        The joined array with two axes at least, in the dtype of all together.

    Raises:
        ShapeError: the arrays differ in another axis.
        UsageError: there are no arrays.
        DTypeError: something in the sequence is not an array.

    >>> nd.column_stack([nd.asarray([1, 2]), nd.asarray([3, 4])])
    NDArray([[1, 3],
             [2, 4]])
    """
    return in_a_row("column_stack", arrays, 0)


@generic
def block_diag(*arrays: Array) -> Array:
    """Put matrices along the diagonal of a larger one, with zeros elsewhere.

    Args:
        arrays: matrices; vectors count as rows, and numbers as matrices of one item.

    Returns:
        A matrix with the sums of their rows and of their columns, in the dtype of all together.

    Raises:
        ShapeError: an array has more than two axes.

    >>> nd.block_diag(nd.asarray([[1, 2], [3, 4]]), nd.asarray([5]))
    NDArray([[1, 2, 0],
             [3, 4, 0],
             [0, 0, 5]])
    """
    for x in arrays:
        if x.ndim > 2:
            raise ShapeError(f"block_diag: Input tensors must have 2 or fewer dimensions. Input has {tuple(x.shape)}")
    xp = namespace(*arrays)
    blocks = [atleast_2d(x) for x in arrays]
    width, before, rows = sum(b.shape[1] for b in blocks), 0, []
    for b in blocks:
        columns = b.shape[1]
        rows.append(xp.constant_pad(b, (before, width - before - columns)))
        before += columns
    return xp.concat(rows, 0)
