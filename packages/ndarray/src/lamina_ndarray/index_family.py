"""Whole slices of one axis, at positions that a vector gives: picked, filled, replaced, added and reduced."""

from __future__ import annotations

from typing import Any

from lamina_flatarray import DTypeError, IndexOutOfRange, ShapeError

from .broadcast import normalize_axis
from .namespace import composite, namespace

__all__ = ["index_add", "index_copy", "index_fill", "index_reduce", "index_select"]


def _checked(op: str, x: Any, axis: int, indices: Any) -> int:
    """The axis counted from the front; the positions are a vector, or one number, of an integer type."""
    at = normalize_axis(axis, x.ndim, op)
    if indices.dtype.kind not in "ui":
        raise DTypeError(f"{op}: Expected dtype int32 or int64 for index, got {indices.dtype}")
    if indices.ndim > 1:
        raise IndexOutOfRange(f"{op}: Index is supposed to be a vector, but got shape {tuple(indices.shape)}")
    return at


def _check_values(op: str, x: Any, axis: int, indices: Any, values: Any) -> None:
    """Slices to be written: of x's dtype, as many as positions, of x's other lengths."""
    if values.dtype is not x.dtype:
        raise DTypeError(f"{op}: self ({x.dtype}) and source ({values.dtype}) expected to have the same dtype")
    count = indices.shape[0] if indices.ndim else 1
    wanted = (*x.shape[:axis], count, *x.shape[axis + 1 :]) if x.ndim else (count,)
    given = tuple(values.shape) or (1,)
    if given != wanted and not (x.ndim == 1 and not values.ndim and count == 1):
        raise ShapeError(
            f"{op}: source tensor shape must match self tensor shape, excluding the specified dimension. Got self.shape"
            f" = {list(x.shape)} source.shape = {list(values.shape)}, dimension {axis} with {count} positions"
        )


def _as_vectors(x: Any, indices: Any, values: Any) -> tuple[Any, Any, Any]:
    """Arrays without axes as vectors of one item."""
    xp = namespace(x)
    return (
        x if x.ndim else xp.reshape(x, (1,)),
        indices if indices.ndim else xp.reshape(indices, (1,)),
        values if getattr(values, "ndim", 1) else xp.reshape(values, (1,)),
    )


@composite
def index_select(x: Any, axis: int, indices: Any) -> Any:
    """The slices of an axis at positions, in their order.

    Raises:
        IndexOutOfRange: a position lies outside, or they are not a vector.
        DTypeError: the positions are not integers.
    """
    xp = namespace(x)
    at = _checked("index_select", x, axis, indices)
    line, places, _ = _as_vectors(x, indices, None)
    if not x.ndim:
        if places.shape[0] != 1:
            raise IndexOutOfRange(f"index_select: {places.shape[0]} positions for an array without axes; it wants one")
        return xp.reshape(line[places], ())
    return line[(*(slice(None),) * at, places)]


@composite
def index_fill(x: Any, axis: int, indices: Any, value: Any) -> Any:
    """x with the slices at positions of an axis filled with one value (a number, or an array without axes).

    Raises:
        IndexOutOfRange: a position lies outside, or they are not a vector.
        ShapeError: the value has axes.
        DTypeError: x's dtype cannot hold the value.
    """
    xp = namespace(x)
    at = _checked("index_fill", x, axis, indices)
    if getattr(value, "ndim", 0):
        raise ShapeError(f"index_fill: Only supports 0-dimensional value tensor. Got a tensor with {value.ndim} dims")
    line, places, _ = _as_vectors(x, indices, None)
    chosen = xp.index_put(xp.zeros((line.shape[at],), dtype="bool", device=x.device), places, True)
    mask = xp.reshape(chosen, (-1, *(1,) * (line.ndim - at - 1)))
    return xp.reshape(xp.masked_fill(line, mask, value), tuple(x.shape))


@composite
def index_copy(x: Any, axis: int, indices: Any, values: Any) -> Any:
    """x with the slices at positions of an axis replaced; of equal positions the last wins.

    Raises:
        IndexOutOfRange: a position lies outside, or they are not a vector.
        ShapeError: the slices have another shape.
        DTypeError: the dtypes differ.
    """
    xp = namespace(x)
    at = _checked("index_copy", x, axis, indices)
    _check_values("index_copy", x, at, indices, values)
    line, places, given = _as_vectors(x, indices, values)
    return xp.reshape(xp.index_put(line, (*(slice(None),) * at, places), given), tuple(x.shape))


@composite
def index_add(x: Any, axis: int, indices: Any, values: Any, alpha: Any = 1) -> Any:
    """x with `alpha` times slices added at positions of an axis, also at equal ones.

    Raises:
        IndexOutOfRange: a position lies outside, or they are not a vector.
        ShapeError: the slices have another shape.
        DTypeError: the dtypes differ.
    """
    xp = namespace(x)
    at = _checked("index_add", x, axis, indices)
    _check_values("index_add", x, at, indices, values)
    line, places, given = _as_vectors(x, indices, values)
    given = given if alpha == 1 else given * alpha
    made = xp.index_put(line, (*(slice(None),) * at, places), given, accumulate=True)
    return xp.reshape(made, tuple(x.shape))


@composite
def index_reduce(x: Any, axis: int, indices: Any, values: Any, reduce: str, *, include_self: bool = True) -> Any:
    """x with slices multiplied, averaged, or compared into positions of an axis; see `scatter_reduce`.

    Raises:
        IndexOutOfRange: a position lies outside, or they are not a vector.
        ShapeError: the slices have another shape, or the reduction is none of prod, mean, amax and amin.
        DTypeError: the dtypes differ.
    """
    xp = namespace(x)
    at = _checked("index_reduce", x, axis, indices)
    if reduce not in ("prod", "mean", "amax", "amin"):
        raise ShapeError(f"index_reduce: expected reduce to be one of prod, mean, amax or amin but got {reduce}.")
    _check_values("index_reduce", x, at, indices, values)
    line, places, given = _as_vectors(x, indices, values)
    wide = xp.reshape(places, [places.shape[0] if d == at else 1 for d in range(line.ndim)])
    wide = xp.broadcast_to(wide, tuple(given.shape))
    made = xp.scatter_reduce(line, at, wide, given, reduce, include_self=include_self)
    return xp.reshape(made, tuple(x.shape))
