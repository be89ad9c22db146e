"""What every transform settles first: the dtype it runs in, how many items it takes, and what it multiplies by."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from operator import index as as_int
from typing import Any

from lamina_flatarray import DTypeError, IndexOutOfRange, ShapeError
from lamina_flatarray.promotion import get_default_dtype

from ..layouts.broadcast import normalize_axis

__all__ = ["as_complex", "as_real", "check_norm", "fitted", "scale_of", "settled", "swapped"]


def check_norm(op: str, norm: str | None) -> str:
    """The normalization's name; None is "backward".

    Raises:
        ShapeError: there is no such normalization.
    """
    if norm is None:
        return "backward"
    if norm not in ("backward", "ortho", "forward"):
        raise ShapeError(f'{op}: Invalid normalization mode: {norm!r}; it wants "backward", "ortho" or "forward"')
    return norm


def swapped(norm: str) -> str:
    """The normalization under which a transform in the other direction has the same factor."""
    return {"backward": "forward", "forward": "backward"}.get(norm, norm)


def scale_of(norm: str, lengths: Sequence[int], inverse: bool) -> float:
    """What a transform over all these lengths multiplies by."""
    if norm == "ortho":
        return 1 / math.sqrt(math.prod(lengths))
    return 1 / math.prod(lengths) if (norm == "backward") is inverse else 1.0


@lru_cache(4096, typed=True)
def settled(
    op: str, shape: tuple[int, ...], n: int | None, axis: int, norm: str | None, inverse: bool, half: bool = False
) -> tuple[int, int, bool, float]:
    """The axis from the front, how many items a transform along it has, whether these are as many as there are, and what it
    multiplies by. With `half`, there are to be only `n // 2 + 1` of them.

    Raises:
        ShapeError: n is not positive, or there is no such norm.
        IndexOutOfRange: there is no such axis.
    """
    norm = check_norm(op, norm)
    if not shape:
        raise IndexOutOfRange(f"{op}: Dimension specified as {axis} but tensor has no dimensions")
    at = normalize_axis(axis, len(shape), op)
    input_length = shape[at]
    length = (2 * (input_length - 1) if half else input_length) if n is None else as_int(n)
    if length < 1:
        raise ShapeError(f"{op}: Invalid number of data points ({length}) specified; it wants 1 or more along axis {axis}")
    return at, length, input_length == (length // 2 + 1 if half else length), scale_of(norm, (length,), inverse)


def as_real(op: str, xp: Any, x: Any) -> Any:
    """x in a floating dtype of 32 bits or more: integers in the default one.

    Raises:
        DTypeError: x is complex, or of 16 bits.
    """
    if x.dtype.is_complex:
        raise DTypeError(f"{op}: expects a real input tensor, but got {x.dtype.name}")
    if x.dtype.is_inexact and x.dtype.itemsize < 4:
        raise DTypeError(f"{op}: Unsupported dtype {x.dtype.name}; cast it to float32")
    return x if x.dtype.is_inexact else xp.astype(x, get_default_dtype())


def as_complex(op: str, xp: Any, x: Any) -> Any:
    """x in the complex dtype of its precision.

    Raises:
        DTypeError: it is of 16 bits.
    """
    if x.dtype.is_complex:
        return x
    x = as_real(op, xp, x)
    return xp.astype(x, x.dtype.to_complex())


def fitted(op: str, xp: Any, x: Any, axis: int, n: int) -> Any:
    """The first n items along an axis, with zeros behind them where there are fewer.

    Raises:
        ShapeError: n is not positive.
    """
    if n < 1:
        raise ShapeError(f"{op}: Invalid number of data points ({n}) specified; it wants 1 or more along axis {axis}")
    shape = tuple(x.shape)
    if shape[axis] == n:
        return x
    if shape[axis] > n:
        return x[(*(slice(None),) * axis, slice(0, n))]
    return xp.concat([x, xp.new_zeros(x, (*shape[:axis], n - shape[axis], *shape[axis + 1 :]))], axis)
