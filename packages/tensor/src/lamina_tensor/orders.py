"""Items in order, or the greatest so far, with where they came from: the gradient goes there."""

from __future__ import annotations

import lamina_ndarray as nd
from lamina_ndarray.broadcast import normalize_axis
from lamina_ndarray.results import ValuesIndices

from .recording import recorded
from .rules import RULES
from .tensor import Tensor, tensor_of

__all__ = ["cummax", "cummin", "order", "ranked", "sort"]


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


def cummax(x: Tensor, axis: int = -1) -> ValuesIndices:
    """The greatest item so far along an axis, and where it last stood; see `lamina_ndarray.cummax`."""
    return _from_places("cummax", x, nd.cummax(x.array, axis), axis)


def cummin(x: Tensor, axis: int = -1) -> ValuesIndices:
    """The smallest item so far along an axis, and where it last stood; see `lamina_ndarray.cummin`."""
    return _from_places("cummin", x, nd.cummin(x.array, axis), axis)


def sort(x: Tensor, axis: int = -1, descending: bool = False, stable: bool = True) -> Tensor:
    """The items in order along an axis; see `lamina_ndarray.sort`. Positions are found for the gradient only."""
    if x.requires_grad:
        return order(x, axis, descending).values
    return tensor_of(nd.sort(x.array, axis, descending))
