"""An array with a view of it replaced: what assigning to that view does, without changing the array."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from lamina_flatarray import DTypeError, ShapeError

from ..dispatch.namespace import composite, namespace
from .broadcast import normalize_axis

__all__ = ["as_strided_scatter", "diagonal_scatter", "select_scatter", "slice_scatter"]


def _check(op: str, x: Any, values: Any, shape: tuple[int, ...]) -> None:
    if tuple(values.shape) != shape:
        raise ShapeError(
            f"{op}: expected src to have a size equal to the slice of self. src size = {list(values.shape)}, slice size"
            f" = {list(shape)}"
        )
    if values.dtype.is_complex and not x.dtype.is_complex:
        raise DTypeError(f"{op}: {values.dtype} values given for {x.dtype}")


@composite
def select_scatter(x: Any, values: Any, axis: int, index: int) -> Any:
    """x with one index of an axis replaced.

    Raises:
        ShapeError: the values have not the shape of that slice.
        IndexOutOfRange: the axis or the index does not exist.
    """
    at = normalize_axis(axis, x.ndim, "select_scatter")
    place = (*(slice(None),) * at, index)
    _check("select_scatter", x, values, tuple(x[place].shape))
    return namespace(x).index_put(x, place, values)


@composite
def slice_scatter(
    x: Any, values: Any, axis: int = 0, start: int | None = None, end: int | None = None, step: int = 1
) -> Any:
    """x with a slice of an axis replaced.

    Raises:
        ShapeError: the values have not the shape of that slice, or the step is not positive.
    """
    at = normalize_axis(axis, x.ndim, "slice_scatter")
    if step <= 0:
        raise ShapeError(f"slice_scatter: slice step must be positive, got {step}")
    place = (*(slice(None),) * at, slice(start, end, step))
    _check("slice_scatter", x, values, tuple(x[place].shape))
    return namespace(x).index_put(x, place, values)


def _through(op: str, x: Any, values: Any, view: Any) -> Any:
    """x with the items replaced that a view of it would show: the view of their numbers says which."""
    xp = namespace(x)
    count = math.prod(x.shape)
    places = view(xp.reshape(xp.arange(count, device=x.device), tuple(x.shape)))
    _check(op, x, values, tuple(places.shape))
    made = xp.index_put(xp.reshape(x, (count,)), (places,) if places.ndim else int(places), values)
    return xp.reshape(made, tuple(x.shape))


@composite
def diagonal_scatter(x: Any, values: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    """x with the diagonal of two axes replaced.

    Raises:
        ShapeError: the values have not the shape of that diagonal.
    """
    xp = namespace(x)
    return _through("diagonal_scatter", x, values, lambda p: xp.diagonal(p, offset, axis1, axis2))


@composite
def as_strided_scatter(
    x: Any, values: Any, shape: Sequence[int], strides: Sequence[int], offset: int | None = None
) -> Any:
    """x, in row-major order, with the items replaced that these lengths and strides reach.

    Raises:
        ShapeError: the values have another shape, or an item lies outside.
    """
    xp = namespace(x)
    return _through("as_strided_scatter", x, values, lambda p: xp.as_strided(p, shape, strides, offset))
