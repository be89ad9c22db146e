"""Items in order, or the greatest so far, recorded: the gradient goes to the indices that they came from."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import lamina_ndarray as nd
from lamina_ndarray.dispatch.results import ValuesIndices
from lamina_ndarray.layouts.broadcast import normalize_axis
from lamina_ndarray.sorting import order as sorting

from ..autograd.recording import recorded
from ..autograd.rules import RULES
from ..tensor_fields import tensor_of
from .dispatched import dispatched
from .tensor_functions import defined, plain

if TYPE_CHECKING:
    from lamina_ndarray import NDArray

    from ..tensor_class import Tensor

__all__ = ["cummax", "cummin", "greatest", "kthvalue", "median", "mode", "nanmedian", "order", "ranked", "sort", "topk"]

squeezed = dispatched("squeeze")


def _picked(op: str, x: Tensor, pair: tuple[NDArray, ...], axis: int) -> ValuesIndices[Tensor]:
    """Values and indices as tensors; `op` is whose rule brings a gradient to the indices."""
    values, indices = pair
    if not x.requires_grad:
        return ValuesIndices._make((tensor_of(values), tensor_of(indices)))
    at = normalize_axis(axis, x.array.layout.ndim, op) if x.array.layout.ndim else 0
    return ValuesIndices(recorded(RULES[op], values, (x, indices), axis=at), tensor_of(indices))


@defined
@plain(sorting.order)
def order(x: Tensor, axis: int = -1, descending: bool = False, stable: bool = True) -> ValuesIndices[Tensor]:
    """The items in order along an axis and their indices; see `lamina_ndarray.order`."""
    return _picked("sort", x, sorting.order(x.array, axis, descending), axis)


@defined
@plain(sorting.ranked)
def ranked(x: Tensor, start: int, stop: int, axis: int = -1, descending: bool = False) -> ValuesIndices[Tensor]:
    """The items of some ranks along an axis and their indices; see `lamina_ndarray.ranked`."""
    return _picked("ranked", x, sorting.ranked(x.array, start, stop, axis, descending), axis)


@defined
@plain(nd.sort)
def sort(x: Tensor, axis: int = -1, descending: bool = False, stable: bool = True) -> Tensor:
    """The items in order along an axis; see `lamina_ndarray.sort`. Indices are found for the gradient only."""
    if x.requires_grad:
        return order(x, axis, descending).values
    return tensor_of(nd.sort(x.array, axis, descending))


@plain(sorting.greatest)
def greatest(x: Tensor, k: int, axis: int = -1, largest: bool = True) -> tuple[Tensor, ...]:
    """The k greatest items along an axis and their indices; see `lamina_ndarray.topk`."""
    return _picked("ranked", x, sorting.greatest(x.array, k, axis, largest), axis)


@defined
def topk(x: Tensor, k: int, axis: int = -1, largest: bool = True, sorted: bool = True) -> ValuesIndices[Tensor]:
    """The k greatest items along an axis and their indices; see `lamina_ndarray.topk`."""
    return ValuesIndices._make(greatest(x, k, axis, largest))


def _one(
    op: str, compute: Callable[..., ValuesIndices[NDArray]], x: Tensor, axis: int, keepdims: bool, *numbers: int
) -> tuple[Tensor, Tensor]:
    """The one item that a function of arrays picks along an axis, and its index."""
    if not x.requires_grad:
        values, indices = compute(x.array, *numbers, axis, keepdims)
        return tensor_of(values), tensor_of(indices)
    pair = _picked(op, x, compute(x.array, *numbers, axis, True), axis)
    if keepdims or not x.array.layout.ndim:
        return pair.values, pair.indices
    return squeezed(pair.values, axis), squeezed(pair.indices, axis)


@defined
@plain(nd.kthvalue)
def kthvalue(x: Tensor, k: int, axis: int = -1, keepdims: bool = False) -> tuple[Tensor, Tensor]:
    """The k-th smallest item along an axis and its index; see `lamina_ndarray.kthvalue`."""
    return _one("ranked", nd.kthvalue, x, axis, keepdims, k)


@defined
@plain(nd.mode)
def mode(x: Tensor, axis: int = -1, keepdims: bool = False) -> tuple[Tensor, Tensor]:
    """The most frequent item along an axis and its last index; see `lamina_ndarray.mode`."""
    return _one("mode", nd.mode, x, axis, keepdims)


def _of_all(compute: Callable[[NDArray], NDArray], x: Tensor) -> Tensor:
    result = compute(x.array)
    return recorded(RULES["median_of_all"], result, (x,)) if x.requires_grad else tensor_of(result)


@defined
def median(x: Tensor, axis: int | None = None, keepdims: bool = False) -> Any:
    """The middle item; with an axis, that along it and its index; see `lamina_ndarray.median`."""
    return _of_all(nd.median, x) if axis is None else _one("median", nd.median, x, axis, keepdims)


@defined
def nanmedian(x: Tensor, axis: int | None = None, keepdims: bool = False) -> Any:
    """The median of the items that are not NaN; see `lamina_ndarray.nanmedian`."""
    return _of_all(nd.nanmedian, x) if axis is None else _one("median", nd.nanmedian, x, axis, keepdims)


@defined
@plain(nd.cummax)
def cummax(x: Tensor, axis: int = -1) -> ValuesIndices[Tensor]:
    """The greatest item so far along an axis and its last index; see `lamina_ndarray.cummax`."""
    return _picked("cummax", x, nd.cummax(x.array, axis), axis)


@defined
@plain(nd.cummin)
def cummin(x: Tensor, axis: int = -1) -> ValuesIndices[Tensor]:
    """The smallest item so far along an axis and its last index; see `lamina_ndarray.cummin`."""
    return _picked("cummin", x, nd.cummin(x.array, axis), axis)
