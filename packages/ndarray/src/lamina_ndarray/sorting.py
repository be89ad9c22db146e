"""Items in order along an axis, whole or in part, and where they came from. NaN counts as the greatest."""

from __future__ import annotations

from typing import Any

from lamina_flatarray import EmptyAxis, ShapeError
from lamina_flatarray import dtypes as dt
from lamina_flatarray.dtype_rules import result_dtypes

from .array import NDArray, empty_of
from .broadcast import normalize_axis
from .layout import Layout
from .namespace import composite, namespace
from .results import ValuesIndices

__all__ = ["argsort", "kthvalue", "msort", "order", "sort", "topk"]


def order(x: NDArray, axis: int = -1, descending: bool = False, stable: bool = True) -> ValuesIndices:
    """The items in order along an axis, and their int64 positions before; always stable.

    Raises:
        DTypeError: `x` is complex.
        IndexOutOfRange: the axis does not exist.
    """
    at = normalize_axis(axis, x.layout.ndim, "sort")
    result_dtypes("sort", x.dtype)
    kernels = x.flat.kernels
    layout = Layout.dense(x.layout.shape)
    values, positions = empty_of(kernels, layout), empty_of(kernels.sibling(dt.int64), layout)
    if x.layout.ndim == 0:
        kernels["copy"](values, x)
        positions.flat.kernels["fill"](positions, value=0)
    else:
        kernels["sort"]((values, positions), x, axis=at, descending=descending)
    return ValuesIndices(values, positions)


@composite
def sort(x: Any, axis: int = -1, descending: bool = False, stable: bool = True) -> Any:
    """The items in order along an axis; see `order` for their positions.

    Raises:
        DTypeError: `x` is complex.
        IndexOutOfRange: the axis does not exist.
    """
    return namespace(x).order(x, axis, descending).values


@composite
def argsort(x: Any, axis: int = -1, descending: bool = False, stable: bool = True) -> Any:
    """The int64 positions that put an axis in order; stable, NaN last (first if descending)."""
    return namespace(x).order(x, axis, descending).indices


@composite
def msort(x: Any) -> Any:
    """The items in order along the first axis."""
    return namespace(x).sort(x, 0)


@composite
def topk(x: Any, k: int, axis: int = -1, largest: bool = True, sorted: bool = True) -> ValuesIndices:
    """The k greatest (or smallest) items along an axis, in order, and where they came from.

    Raises:
        ShapeError: there are fewer than k.
    """
    xp = namespace(x)
    at = normalize_axis(axis, x.ndim, "topk")
    length = x.shape[at] if x.ndim else 1
    if not 0 <= k <= length:
        raise ShapeError(f"topk: selected index k out of range: k={k} for {length} items along axis {at}")
    indices = xp.order(x, at, largest).indices
    if not x.ndim:
        return ValuesIndices(x[None][:k], indices[None][:k]) if k != 1 else ValuesIndices(xp.copy(x), indices)
    indices = indices[(*(slice(None),) * at, slice(0, k))]
    return ValuesIndices(xp.gather(x, indices, at), indices)


@composite
def kthvalue(x: Any, k: int, axis: int = -1, keepdims: bool = False) -> ValuesIndices:
    """The k-th smallest item along an axis (counted from 1), and where it is.

    Raises:
        ShapeError: there is no k-th item.
    """
    xp = namespace(x)
    at = normalize_axis(axis, x.ndim, "kthvalue")
    length = x.shape[at] if x.ndim else 1
    if not 1 <= k <= length:
        if not length:
            raise EmptyAxis(f"kthvalue(): Expected reduction dim {at} to have non-zero size.")
        raise ShapeError(f"kthvalue: selected number k out of range for dimension {at}: k={k} of {length} items")
    indices = xp.order(x, at).indices
    if not x.ndim:
        return ValuesIndices(xp.copy(x), indices)
    indices = indices[(*(slice(None),) * at, slice(k - 1, k))]
    values = xp.gather(x, indices, at)
    return ValuesIndices(values, indices) if keepdims else ValuesIndices(xp.squeeze(values, at), xp.squeeze(indices, at))
