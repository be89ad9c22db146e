"""Items in order, or the greatest so far, with where they came from: the gradient goes there."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final

import lamina_ndarray as nd
from lamina_ndarray.dispatch.results import ValuesIndices
from lamina_ndarray.layouts.broadcast import normalize_axis

from ..autograd.recording import recorded
from ..autograd.rules import RULES
from ..dispatch.either import either
from ..dispatch.return_types import RETURN_TYPES
from ..tensor_fields import tensor_of

if TYPE_CHECKING:
    from ..tensor import Tensor

__all__ = ["cummax", "cummin", "kthvalue", "median", "mode", "nanmedian", "order", "ranked", "sort", "topk"]

squeezed = either("squeeze")

METHODS_OF_ORDER: Final = ("cummax", "cummin", "kthvalue", "median", "mode", "nanmedian", "topk")
"""Methods of tensors, whose results have their names."""


def _from_places(op: str, x: Tensor, found: ValuesIndices, axis: int) -> ValuesIndices:
    values, positions = found
    if not x.requires_grad:
        return ValuesIndices(tensor_of(values), tensor_of(positions))
    at = normalize_axis(axis, x.array.layout.ndim, op) if x.array.layout.ndim else 0
    return ValuesIndices(recorded(RULES[op], values, (x, positions), axis=at), tensor_of(positions))


def order(x: Tensor, axis: int = -1, descending: bool = False, stable: bool = True) -> ValuesIndices:
    """The items in order along an axis and their positions; see `lamina_ndarray.order`."""
    return _from_places("sort", x, nd.order(x.array, axis, descending), axis)


def ranked(x: Tensor, start: int, stop: int, axis: int = -1, descending: bool = False) -> ValuesIndices:
    """The items of some ranks along an axis and their positions; see `lamina_ndarray.ranked`."""
    return _from_places("ranked", x, nd.ranked(x.array, start, stop, axis, descending), axis)


def sort(x: Tensor, axis: int = -1, descending: bool = False, stable: bool = True) -> Tensor:
    """The items in order along an axis; see `lamina_ndarray.sort`. Positions are found for the gradient only."""
    if x.requires_grad:
        return order(x, axis, descending).values
    return tensor_of(nd.sort(x.array, axis, descending))


# -- by PyTorch's names of results ----------------------------------------------------------------------------------------

_NAMED: Final = {op: partial(tuple.__new__, RETURN_TYPES[op]) for op in METHODS_OF_ORDER}  # without a frame of `__new__`


def _one(op: str, rule: str, x: Tensor, axis: int, keepdims: bool, *numbers: int) -> Any:
    """The item that a function of arrays finds along an axis, and where it is."""
    compute = getattr(nd, op)
    if not x.requires_grad:
        values, positions = compute(x.array, *numbers, axis, keepdims)
        return _NAMED[op]((tensor_of(values), tensor_of(positions)))
    found = _from_places(rule, x, compute(x.array, *numbers, axis, True), axis)
    return _NAMED[op](found if keepdims or not x.array.layout.ndim else [squeezed(part, axis) for part in found])


def kthvalue(x: Tensor, k: int, axis: int = -1, keepdims: bool = False) -> Any:
    """The k-th smallest item along an axis, and where it is; see `lamina_ndarray.kthvalue`."""
    return _one("kthvalue", "ranked", x, axis, keepdims, k)


def topk(x: Tensor, k: int, axis: int = -1, largest: bool = True, sorted: bool = True) -> Any:
    """The k greatest items along an axis, and where they came from; see `lamina_ndarray.topk`."""
    return _NAMED["topk"](_from_places("ranked", x, nd.topk(x.array, k, axis, largest), axis))


def mode(x: Tensor, axis: int = -1, keepdims: bool = False) -> Any:
    """The most frequent item along an axis, and where it last is; see `lamina_ndarray.mode`."""
    return _one("mode", "mode", x, axis, keepdims)


def _of_all(op: str, x: Tensor) -> Tensor:
    made = getattr(nd, op)(x.array)
    return recorded(RULES["median_of_all"], made, (x,)) if x.requires_grad else tensor_of(made)


def median(x: Tensor, axis: int | None = None, keepdims: bool = False) -> Any:
    """The middle item, or with an axis that along it and where it is; see `lamina_ndarray.median`."""
    return _of_all("median", x) if axis is None else _one("median", "median", x, axis, keepdims)


def nanmedian(x: Tensor, axis: int | None = None, keepdims: bool = False) -> Any:
    """The median of the items that are not NaN; see `lamina_ndarray.nanmedian`."""
    return _of_all("nanmedian", x) if axis is None else _one("nanmedian", "median", x, axis, keepdims)


def cummax(x: Tensor, axis: int = -1) -> Any:
    """The greatest item so far along an axis, and where it last stood; see `lamina_ndarray.cummax`."""
    return _NAMED["cummax"](_from_places("cummax", x, nd.cummax(x.array, axis), axis))


def cummin(x: Tensor, axis: int = -1) -> Any:
    """The smallest item so far along an axis, and where it last stood; see `lamina_ndarray.cummin`."""
    return _NAMED["cummin"](_from_places("cummin", x, nd.cummin(x.array, axis), axis))
