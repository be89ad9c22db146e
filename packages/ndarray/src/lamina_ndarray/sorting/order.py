"""Items in order along an axis, whole or in part, and where they came from. NaN counts as the greatest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lamina_flatarray import EmptyAxis, ShapeError
from lamina_flatarray import dtypes as dt

from ..array_fields import empty_of, view_of
from ..creation.constructors import zeros_like
from ..dispatch.namespace import Array, generic, namespace
from ..dispatch.operands import refuse_booleans, refuse_undefined
from ..dispatch.results import ValuesIndices
from ..layouts.broadcast import normalize_axis
from ..layouts.layout import Layout
from ..reductions.folds import layouts_over
from ..shapes.views import copy

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = ["argsort", "greatest", "kthvalue", "msort", "order", "ranked", "sort", "topk"]


def paired(op: str, x: NDArray, shape: tuple[int, ...]) -> tuple[NDArray, NDArray]:
    """Items and positions of a shape, for a kernel to write; of an array without axes, itself at 0."""
    kernels, layout = x.flat.kernels, x.layout.like if op == "sort" else Layout.dense(shape)
    refuse_undefined(op, kernels.dtype)
    values, positions = empty_of(kernels, layout), empty_of(kernels.sibling(dt.int64), layout)
    if not x.layout.ndim:
        kernels["copy"](values, x)
        positions.flat.kernels["fill"](positions, value=0)
    return values, positions


def order(x: NDArray, axis: int = -1, descending: bool = False, stable: bool = True) -> ValuesIndices[NDArray]:
    """The items in order along an axis, and their int64 positions before; always stable.

    Raises:
        DTypeError: `x` is complex.
        IndexOutOfRange: the axis does not exist.
    """
    at = normalize_axis(axis, x.layout.ndim, "sort")
    pair = paired("sort", x, x.layout.shape)
    if x.layout.ndim:
        x.flat.kernels["sort"](pair, x, axis=at, descending=descending)
    return ValuesIndices._make(pair)


def ranked(x: NDArray, start: int, stop: int, axis: int = -1, descending: bool = False) -> ValuesIndices[NDArray]:
    """The items of ranks start to stop - 1 along an axis, in order, and their int64 positions: what `order` has there,
    without ordering the rest.

    Raises:
        DTypeError: `x` is complex.
        IndexOutOfRange: the axis does not exist.
        ShapeError: there are no such ranks.
    """
    shape = x.layout.shape
    at = normalize_axis(axis, len(shape), "ranked")
    length = shape[at] if shape else 1
    if not 0 <= start <= stop <= length or (not shape and stop - start != 1):
        raise ShapeError(f"ranked: ranks {start} to {stop} of length {length} along axis {at} of shape {shape}")
    result_shape = tuple(stop - start if i == at else n for i, n in enumerate(shape))
    pair = paired("ranked", x, result_shape)
    if shape:
        x.flat.kernels["ranked"](pair, x, axis=at, start=start, stop=stop, descending=descending)
    return ValuesIndices._make(pair)


def sort(x: NDArray, axis: int = -1, descending: bool = False, stable: bool = True) -> NDArray:
    """Sort the items along an axis; see `order` for their positions.

    As nothing else tells equal items apart, `stable` changes nothing (of zeros, the signs may change places).

    Args:
        x: a real array.
        axis: the axis to sort along.
        descending: whether the greatest comes first. NaN counts as the greatest.
        stable: accepted; the order of equal items cannot be seen.

    Returns:
        A new array of x's shape and dtype.

    Raises:
        DTypeError: `x` is complex.
        IndexOutOfRange: the axis does not exist.

    >>> nd.sort(nd.asarray([[3, 1, 2], [9, 7, 8]]))
    NDArray([[1, 2, 3],
             [7, 8, 9]])
    """
    at = normalize_axis(axis, x.layout.ndim, "sort")
    refuse_undefined("sort", x.flat.dtype)
    result = empty_of(x.flat.kernels, x.layout.like)
    if x.layout.ndim:
        x.flat.kernels["sorted_values"](result, x, axis=at, descending=descending)
    else:
        x.flat.kernels["copy"](result, x)
    return result


@generic
def argsort(x: Array, axis: int = -1, descending: bool = False, stable: bool = True) -> Array:
    """Compute the positions that sort the items along an axis.

    Args:
        x: a real array.
        axis: the axis to sort along.
        descending: whether the greatest comes first. NaN counts as the greatest.
        stable: accepted; equal items always keep their order.

    Returns:
        int64 positions in x's shape.

    >>> nd.argsort(nd.asarray([30, 10, 20]))
    NDArray([1, 2, 0])
    """
    return namespace(x).order(x, axis, descending).indices


@generic
def msort(x: Array) -> Array:
    """Sort the items along the first axis.

    Args:
        x: a real array.

    Returns:
        A new array of x's shape and dtype.

    >>> nd.msort(nd.asarray([[3, 1], [2, 4]]))
    NDArray([[2, 1],
             [3, 4]])
    """
    return namespace(x).sort(x, 0)


def topk(x: NDArray, k: int, axis: int = -1, largest: bool = True, sorted: bool = True) -> ValuesIndices[NDArray]:
    """Find the k greatest (or smallest) items along an axis, in order, and where they are.

    Of equal items, the first come first. An array without axes is its own only item, whatever k.

    Args:
        x: a real array.
        k: how many items.
        axis: the axis to search along.
        largest: False for the smallest. NaN counts as the greatest.
        sorted: accepted; the items always come in order.

    Returns:
        A named tuple: `values` in x's dtype and their int64 `indices`, both with k items along the axis.

    Raises:
        DTypeError: `x` is complex or boolean.
        IndexOutOfRange: the axis does not exist.
        ShapeError: there are fewer than k.

    >>> values, indices = nd.topk(nd.asarray([3.0, 9.0, 1.0, 7.0]), 2)
    >>> values, indices
    (NDArray([9., 7.]), NDArray([1, 3]))
    """
    return ValuesIndices._make(greatest(x, k, axis, largest))


def greatest(x: NDArray, k: int, axis: int = -1, largest: bool = True) -> tuple[NDArray, NDArray]:
    """What `topk` gives, as a plain tuple."""
    refuse_booleans("topk", x.flat.dtype)
    shape = x.layout.shape
    at = normalize_axis(axis, len(shape), "topk")
    length = shape[at] if shape else 1
    if not 0 <= k <= length:
        raise ShapeError(f"topk: selected index k out of range: k={k} for length {length} along axis {at}")
    result_shape = (*shape[:at], k, *shape[at + 1 :]) if shape else shape
    pair = paired("ranked", x, result_shape)
    if shape:
        x.flat.kernels["ranked"](pair, x, axis=at, start=0, stop=k, descending=largest)
    return pair


def one_along(op: str, kernel: str, x: NDArray, axis: int, keepdims: bool, **params: Any) -> ValuesIndices[NDArray]:
    """One item along an axis and where it is, as a kernel finds it; of an array without axes, itself at 0.

    Raises:
        DTypeError: the kernel is not defined for x's dtype.
        IndexOutOfRange: the axis does not exist.
        EmptyAxis: it has no items.
    """
    kernels, shape = x.flat.kernels, x.layout.shape
    if shape or kernel == "median":  # elsewhere nothing is compared, so that items need no order
        refuse_undefined(kernel, kernels.dtype)
    axes, without, kept = layouts_over(shape, axis, op)
    if not axes:
        return ValuesIndices(copy(x), zeros_like(x, dtype=dt.int64))
    if not shape[axes[0]]:
        raise EmptyAxis(f"{op}(): Expected reduction dim {axes[0]} to have non-zero size.")
    values, positions = empty_of(kernels, kept), empty_of(kernels.sibling(dt.int64), kept)
    kernels[kernel]((values, positions), x, axis=axes[0], **params)
    return ValuesIndices(values, positions) if keepdims else ValuesIndices(view_of(values, without), view_of(positions, without))


def kthvalue(x: NDArray, k: int, axis: int = -1, keepdims: bool = False) -> ValuesIndices[NDArray]:
    """Find the k-th smallest item along an axis and where it is: of equal ones, in their order.

    Args:
        x: a real array, or a complex one without axes.
        k: the rank, counted from 1.
        axis: the axis to search along.
        keepdims: whether the axis stays, with length 1.

    Returns:
        A named tuple: `values` in x's dtype and their int64 `indices`, without the axis.

    Raises:
        DTypeError: `x` is complex or boolean, and has axes.
        IndexOutOfRange: the axis does not exist.
        EmptyAxis: there are no items.
        ShapeError: there is no k-th item.

    >>> value, index = nd.kthvalue(nd.asarray([3.0, 9.0, 1.0, 7.0]), 2)
    >>> value, index
    (NDArray(3.), NDArray(0))
    """
    shape = x.layout.shape
    if shape:
        refuse_booleans("kthvalue", x.flat.dtype)
    at = normalize_axis(axis, len(shape), "kthvalue")
    length = shape[at] if shape else 1
    if length and not 1 <= k <= length:
        raise ShapeError(f"kthvalue: selected number k out of range for dimension {at}: k={k} for length {length}")
    return one_along("kthvalue", "ranked", x, at, keepdims, start=k - 1, stop=k, descending=False)
