"""Arrays one after another, or side by side along a new axis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lamina_flatarray import DTypeError, ShapeError
from lamina_flatarray.promotion import promote_types

from .array import NDArray, empty_of, view_of
from .broadcast import normalize_axis
from .layout import Layout
from .namespace import composite, namespace
from .operands import common_kernels, copy_to
from .rearranging import atleast_1d, atleast_2d, atleast_3d, flatten

__all__ = ["block_diag", "column_stack", "concat", "dstack", "hstack", "row_stack", "stack", "vstack"]


def concat(arrays: Sequence[NDArray], axis: int | None = 0) -> NDArray:
    """Arrays one after another along an axis (None: all flattened first); dtypes are promoted.

    Raises:
        ShapeError: there are none, or they differ on another axis.
        DTypeError: one is no array.
    """
    if isinstance(arrays, NDArray) or False in [isinstance(a, NDArray) for a in arrays]:
        kinds = [type(a).__name__ for a in arrays] if not isinstance(arrays, NDArray) else "one array"
        raise DTypeError(f"concat: expected a sequence of arrays (argument 'arrays' must be tuple), but got {kinds}")
    if not arrays:
        raise ShapeError("concat: expected a non-empty list of arrays")
    if axis is None:
        arrays, axis = [flatten(a) for a in arrays], 0
    used = [a for a in arrays if a.layout.shape != (0,)] or [arrays[0]]
    first = used[0].layout.shape
    if not first:
        raise ShapeError("concat: zero-dimensional arrays cannot be concatenated; stack them")
    at = normalize_axis(axis, len(first), "concat")
    lead, rest = first[:at], first[at + 1 :]
    kernels, alike, length = arrays[0].flat.kernels, True, 0
    for i, a in enumerate(used):
        own = a.layout.shape
        if own is not first and (len(own) != len(first) or own[:at] != lead or own[at + 1 :] != rest):
            raise _unfit(first, own, at, i)
        length += own[at]
        alike = alike and a.flat.kernels is kernels
    if not alike or len(used) != len(arrays):
        dtype = arrays[0].dtype
        for a in arrays[1:]:
            dtype = promote_types(dtype, a.dtype)
        kernels = common_kernels("concat", arrays).sibling(dtype)
    made = empty_of(kernels, Layout.dense((*lead, length, *rest)))
    layout, start = made.layout, 0
    for a in used:
        stop = start + a.layout.shape[at]
        target = view_of(made, layout.slice(at, start, stop, 1))
        if alike:
            kernels["copy"](target, a)
        else:
            copy_to(target, a)
        start = stop
    return made


def _unfit(first: tuple[int, ...], own: tuple[int, ...], axis: int, i: int) -> ShapeError:
    if len(own) != len(first):
        return ShapeError(f"concat: Tensors must have same number of dimensions: got {first} and {own} (array {i})")
    return ShapeError(f"concat: Sizes of tensors must match except in dimension {axis}: {first} and {own} (array {i})")


def stack(arrays: Sequence[NDArray], axis: int = 0) -> NDArray:
    """Arrays of one shape along a new axis.

    Raises:
        ShapeError: there are none, or their shapes differ.
    """
    for a in arrays:
        if a.layout.shape != arrays[0].layout.shape:
            raise ShapeError(
                f"stack: stack expects each tensor to be equal size: {arrays[0].layout.shape} and {a.layout.shape}"
            )
    return concat([view_of(a, a.layout.unsqueeze(axis)) for a in arrays], axis) if arrays else concat(arrays)


def _several(op: str, arrays: Sequence[Any]) -> Sequence[Any]:
    if not len(arrays):
        raise ShapeError(f"{op}: expects a non-empty TensorList")
    return arrays


@composite
def hstack(arrays: Sequence[Any]) -> Any:
    """Arrays one after another along the second axis (the first, of vectors).

    Raises:
        ShapeError: there are none, or they differ on another axis.
    """
    parts = [atleast_1d(x) for x in _several("hstack", arrays)]
    return namespace(*parts).concat(parts, 0 if parts[0].ndim == 1 else 1)


@composite
def vstack(arrays: Sequence[Any]) -> Any:
    """Arrays one after another along the first axis, vectors as rows.

    Raises:
        ShapeError: there are none, or they differ on another axis.
    """
    parts = [atleast_2d(x) for x in _several("vstack", arrays)]
    return namespace(*parts).concat(parts, 0)


@composite
def row_stack(arrays: Sequence[Any]) -> Any:
    """As `vstack`."""
    return vstack(arrays)


@composite
def dstack(arrays: Sequence[Any]) -> Any:
    """Arrays one after another along the third axis, made to have three by `atleast_3d`.

    Raises:
        ShapeError: there are none, or they differ on another axis.
    """
    parts = [atleast_3d(x) for x in _several("dstack", arrays)]
    return namespace(*parts).concat(parts, 2)


@composite
def column_stack(arrays: Sequence[Any]) -> Any:
    """Arrays one after another along the second axis, vectors as columns.

    Raises:
        ShapeError: there are none, or they differ on another axis.
    """
    parts = [x if x.ndim > 1 else _column(x) for x in _several("column_stack", arrays)]
    return namespace(*parts).concat(parts, 1)


def _column(x: Any) -> Any:
    return namespace(x).reshape(x, (x.shape[0] if x.ndim else 1, 1))


@composite
def block_diag(*arrays: Any) -> Any:
    """The matrix with matrices along its diagonal, and zeros elsewhere; vectors count as rows. dtypes are promoted.

    Raises:
        ShapeError: an array has more than two axes.
    """
    for x in arrays:
        if x.ndim > 2:
            raise ShapeError(f"block_diag: Input tensors must have 2 or fewer dimensions. Input has {tuple(x.shape)}")
    xp = namespace(*arrays)
    blocks = [atleast_2d(x) for x in arrays]
    width, before, rows = sum(b.shape[1] for b in blocks), 0, []
    for b in blocks:
        height, own = b.shape
        after = width - before - own
        rows.append(xp.concat([xp.new_zeros(b, (height, before)), b, xp.new_zeros(b, (height, after))], 1))
        before += own
    return xp.concat(rows, 0)
