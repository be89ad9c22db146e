"""Arrays one after another, or side by side along a new axis."""

from __future__ import annotations

from collections.abc import Sequence

from lamina_flatarray import ShapeError
from lamina_flatarray.promotion import promote_types

from .array import NDArray, empty_of, view_of
from .broadcast import normalize_axis
from .layout import Layout
from .operands import common_kernels
from .views import flatten

__all__ = ["concat", "stack"]


def concat(arrays: Sequence[NDArray], axis: int | None = 0) -> NDArray:
    """Arrays one after another along an axis (None: all flattened first); dtypes are promoted.

    Raises:
        ShapeError: there are none, or they differ on another axis.
    """
    if not arrays:
        raise ShapeError("concat: expected a non-empty list of arrays")
    if axis is None:
        arrays, axis = [flatten(a) for a in arrays], 0
    used = [a for a in arrays if a.layout.shape != (0,)] or [arrays[0]]
    first = used[0].layout.shape
    if not first:
        raise ShapeError("concat: zero-dimensional arrays cannot be concatenated; stack them")
    at = normalize_axis(axis, len(first), "concat")
    for i, a in enumerate(used):
        own = a.layout.shape
        if len(own) != len(first) or any(n != m for j, (n, m) in enumerate(zip(own, first, strict=True)) if j != at):
            raise ShapeError(
                f"concat: Sizes of tensors must match except in dimension {at}: {first} and {own} (array {i})"
            )
    dtype = arrays[0].dtype
    for a in arrays[1:]:
        dtype = promote_types(dtype, a.dtype)
    kernels = common_kernels("concat", arrays).sibling(dtype)
    length = sum(a.layout.shape[at] for a in used)
    made = empty_of(kernels, Layout.dense((*first[:at], length, *first[at + 1 :])))
    start = 0
    for a in used:
        stop = start + a.layout.shape[at]
        a.flat.kernels["copy"](view_of(made, made.layout.slice(at, start, stop, 1)), a)
        start = stop
    return made


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
