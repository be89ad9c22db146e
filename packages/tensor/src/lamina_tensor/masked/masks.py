"""Masks: what they are made to fit, and what the items that they leave out are replaced by."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Any

from lamina_flatarray import DTypeError, IndexOutOfRange, iinfo
from lamina_flatarray import bool as bool_
from lamina_ndarray.layouts.broadcast import normalize_axes, normalize_axis

from .. import functions as lt

if TYPE_CHECKING:
    from lamina_flatarray import DType

    from ..functions.reductions.dims import Dims
    from ..tensor_class import Tensor

__all__ = ["filled", "greatest", "least", "mask_of", "one_dim", "several_dims"]


def mask_of(op: str, input: Tensor, mask: Tensor) -> Tensor:
    """The mask as booleans of the input's shape.

    Raises:
        IndexOutOfRange: it has more dims than the input.
        ShapeError: it does not broadcast to the input.
    """
    if mask.ndim > input.ndim:
        raise IndexOutOfRange(f"{op}: a mask of shape {tuple(mask.shape)} has more dims than the input, of {tuple(input.shape)}")
    return lt.broadcast_to(mask, input.shape).to(bool_)


def filled(op: str, input: Tensor, mask: Tensor | None, value: Any) -> Tensor:
    """The input with `value` for the items that the mask leaves out."""
    return input if mask is None else lt.masked_fill(input, lt.logical_not(mask_of(op, input, mask)), value)


def least(op: str, dtype: DType, complex_numbers: bool = False) -> float:
    """The least number of a dtype.

    Raises:
        DTypeError: it is not of numbers that have an order.
    """
    if dtype.is_floating_point or (complex_numbers and dtype.is_complex):
        return -inf
    return iinfo(_with_order(op, dtype)).min


def greatest(op: str, dtype: DType) -> float:
    """The greatest number of a dtype.

    Raises:
        DTypeError: it is not of numbers that have an order.
    """
    return inf if dtype.is_floating_point else iinfo(_with_order(op, dtype)).max


def _with_order(op: str, dtype: DType) -> DType:
    if dtype is bool_ or dtype.is_complex:
        raise DTypeError(f"{op}: what a mask leaves out of {dtype} has no value that would not count")
    return dtype


def one_dim(op: str, dim: int, input: Tensor) -> int:
    """The dim, counted from the first."""
    return normalize_axis(dim, max(input.ndim, 1), op)


def several_dims(op: str, dim: Dims, input: Tensor) -> tuple[int, ...]:
    """The dims in ascending order; all for None and for an empty sequence."""
    every = dim is None or (not isinstance(dim, int) and len(dim) == 0)
    return normalize_axes(None if every else dim, input.ndim, op)
