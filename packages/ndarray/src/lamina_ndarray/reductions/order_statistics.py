"""Statistics that rank items: medians, quantiles and modes."""

from __future__ import annotations

import math
from collections.abc import Callable
from math import prod
from typing import TYPE_CHECKING, Any, overload

from lamina_flatarray import DTypeError, ShapeError, UsageError

from ..creation.constructors import full
from ..dispatch.namespace import Array, Functions, generic, namespace
from ..dispatch.results import ValuesIndices
from ..layouts.broadcast import normalize_axis
from ..shapes.views import reshape
from ..sorting.order import one_along

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = ["median", "mode", "nanmedian", "nanquantile", "quantile"]

_INTERPOLATIONS = ("linear", "lower", "higher", "midpoint", "nearest")


def _no_median(x: NDArray) -> NDArray:
    """The median of no items: NaN, or for integers what PyTorch makes of a NaN cast to them."""
    wide_integer = x.dtype.kind == "i" and x.dtype.itemsize >= 4
    value = float("nan") if x.dtype.is_floating_point else -(2 ** (8 * x.dtype.itemsize - 1)) if wide_integer else 0
    return full((), value, dtype=x.dtype, device=x.device)


def _median(op: str, x: NDArray, axis: int | None, keepdims: bool, skip_nan: bool) -> NDArray | ValuesIndices[NDArray]:
    if x.dtype.is_complex or x.dtype.kind == "b":
        raise DTypeError(f'{op}: not defined for {x.dtype!r}; it wants a real number ("not implemented for")')
    if axis is not None:
        return one_along(op, "median", x, axis, keepdims, skip_nan=skip_nan)
    return one_along(op, "median", reshape(x, (-1,)), 0, False, skip_nan=skip_nan).values if x.layout.size else _no_median(x)


@overload
def median(x: NDArray, axis: None = None, keepdims: bool = False) -> NDArray: ...
@overload
def median(x: NDArray, axis: int, keepdims: bool = False) -> ValuesIndices[NDArray]: ...
def median(x: NDArray, axis: int | None = None, keepdims: bool = False) -> NDArray | ValuesIndices[NDArray]:
    """Compute the median: the middle item, of an even number the lower of the two; NaN where there is one.

    Args:
        x: an array of integers or floating-point numbers.
        axis: along which; None for the median of all items.
        keepdims: whether the axis stays, with length 1.

    Returns:
        `values` in x's dtype and int64 `indices` along the axis; without an axis the value alone, an array without
        axes.

    Raises:
        DTypeError: x is complex or boolean.
        IndexOutOfRange: the axis does not exist.
        EmptyAxis: it has no items.

    >>> nd.median(nd.asarray([3.0, 1.0, 2.0, 9.0]))
    NDArray(2.)
    >>> nd.median(nd.asarray([[3, 1, 2], [5, 9, 7]]), 1).values
    NDArray([2, 7])
    """
    return _median("median", x, axis, keepdims, skip_nan=False)


@overload
def nanmedian(x: NDArray, axis: None = None, keepdims: bool = False) -> NDArray: ...
@overload
def nanmedian(x: NDArray, axis: int, keepdims: bool = False) -> ValuesIndices[NDArray]: ...
def nanmedian(x: NDArray, axis: int | None = None, keepdims: bool = False) -> NDArray | ValuesIndices[NDArray]:
    """Compute the median of the items that are not NaN: the middle item, of an even number the lower of the two.

    Args:
        x: an array of integers or floating-point numbers.
        axis: along which; None for the median of all items.
        keepdims: whether the axis stays, with length 1.

    Returns:
        `values` in x's dtype and int64 `indices` along the axis; without an axis the value alone, an array without
        axes.
        NaN where all items are.

    Raises:
        DTypeError: x is complex or boolean.
        IndexOutOfRange: the axis does not exist.
        EmptyAxis: it has no items.

    >>> nd.nanmedian(nd.asarray([3.0, nd.nan, 1.0, 2.0]))
    NDArray(2.)
    """
    return _median("nanmedian", x, axis, keepdims, skip_nan=True)


def mode(x: NDArray, axis: int = -1, keepdims: bool = False) -> ValuesIndices[NDArray]:
    """Find the most frequent item along an axis; of equally frequent ones the smallest.

    Args:
        x: a real array, or a complex one without axes.
        axis: along which.
        keepdims: whether the axis stays, with length 1.

    Returns:
        `values` in x's dtype, and int64 `indices`: where each comes last.

    Raises:
        DTypeError: x is complex, and has axes.
        IndexOutOfRange: the axis does not exist.
        EmptyAxis: it has no items.

    >>> nd.mode(nd.asarray([3, 1, 3, 2]))
    ValuesIndices(values=NDArray(3), indices=NDArray(2))
    """
    return one_along("mode", "mode", x, axis, keepdims)


@generic
def quantile(x: Array, q: Array | float, axis: int | None = None, keepdims: bool = False, *, interpolation: str = "linear") -> Array:
    """Compute the q-quantiles of the items along an axis; NaN where there is one.

    Args:
        x: an array of float32 or float64.
        q: a number in [0, 1], or a vector of numbers of x's dtype.
        axis: along which; None for all items.
        keepdims: whether the axis stays, with length 1.
        interpolation: between the two nearest items: "linear", "lower", "higher", "midpoint" or "nearest".

    Returns:
        An array of x's dtype without the axis; for a vector q, its axis comes first.

    Raises:
        DTypeError: x is of another dtype, or q is.
        UsageError: q lies outside of [0, 1], or `interpolation` is unknown.
        ShapeError: there are no items, or q has several axes.
        IndexOutOfRange: the axis does not exist.

    >>> nd.quantile(nd.asarray([1.0, 2.0, 3.0, 4.0]), 0.5)
    NDArray(2.5000)
    >>> nd.quantile(nd.asarray([1.0, 2.0, 3.0, 4.0]), nd.asarray([0.0, 1.0]))
    NDArray([1., 4.])
    """
    return _quantile("quantile", x, q, axis, keepdims, interpolation, skip_nan=False)


@generic
def nanquantile(x: Array, q: Array | float, axis: int | None = None, keepdims: bool = False, *, interpolation: str = "linear") -> Array:
    """Compute the q-quantiles of the items along an axis that are not NaN.

    Args:
        x: an array of float32 or float64.
        q: a number in [0, 1], or a vector of numbers of x's dtype.
        axis: along which; None for all items.
        keepdims: whether the axis stays, with length 1.
        interpolation: between the two nearest items: "linear", "lower", "higher", "midpoint" or "nearest".

    Returns:
        An array of x's dtype without the axis; for a vector q, its axis comes first. NaN where all items are.

    Raises:
        DTypeError: x is of another dtype, or q is.
        UsageError: q lies outside of [0, 1], or `interpolation` is unknown.
        ShapeError: there are no items, or q has several axes.
        IndexOutOfRange: the axis does not exist.

    >>> nd.nanquantile(nd.asarray([1.0, nd.nan, 3.0]), 0.5)
    NDArray(2.)
    """
    return _quantile("nanquantile", x, q, axis, keepdims, interpolation, skip_nan=True)


def _quantile(op: str, x: Array, q: Any, axis: int | None, keepdims: bool, interpolation: str, skip_nan: bool) -> Array:
    xp = namespace(x)
    if x.dtype not in (xp.float32, xp.float64):
        raise DTypeError(f"{op}() input tensor must be either float or double dtype, but is {x.dtype!r}")
    if interpolation not in _INTERPOLATIONS:
        raise UsageError(f"{op}() interpolation must be one of {', '.join(_INTERPOLATIONS)}, but got {interpolation!r}")
    if isinstance(q, (int, float)):
        if not 0 <= q <= 1:
            raise UsageError(f"{op}() q must be in the range [0, 1] but got {q}")
        if not skip_nan and 0 not in x.shape:
            return _one_quantile(op, xp, x, x.dtype.numpy.type(q), axis, keepdims, interpolation)
        q = xp.full((), q, dtype=x.dtype, device=x.device)
    if q.ndim > 1:
        raise ShapeError(f"{op}() q must be a scalar or 1D tensor, but has shape {tuple(q.shape)}")
    if q.dtype is not x.dtype:
        raise DTypeError(f"{op}() q tensor must be same dtype as the input tensor: {q.dtype!r} and {x.dtype!r}")
    if prod(q.shape) and q.device.type == "cpu" and not bool(xp.all(xp.all_slices((q >= 0) & (q <= 1)))):
        raise UsageError(f"{op}() q values must be in the range [0, 1]")
    if not prod(x.shape):
        raise ShapeError(f"{op}() input tensor must be non-empty, but has shape {tuple(x.shape)}")
    at = None if axis is None else normalize_axis(axis, x.ndim, op)
    if at is None:
        rows, kept_shape = xp.reshape(x, (-1,)), (1,) * x.ndim
    else:
        rows = xp.moveaxis(x, at, -1) if x.ndim else xp.reshape(x, (1,))
        kept_shape = tuple(1 if i == at else n for i, n in enumerate(x.shape))
    values = xp.sort(rows, -1)
    length = values.shape[-1]
    good = length - xp.sum(xp.astype(xp.isnan(values), xp.int64), -1, True)
    last = xp.clip(good - 1, 0, None) if skip_nan else length - 1
    rank = xp.reshape(q, (-1,)) * (xp.astype(last, x.dtype) if skip_nan else last)
    rank = xp.broadcast_to(rank, (*values.shape[:-1], prod(q.shape)))
    if not skip_nan:  # the last in order is NaN where there is one
        rank = xp.where(xp.equal(good, length), rank, xp.full((), length - 1, dtype=x.dtype, device=x.device))
    quantiles = _interpolated(xp, values, rank, interpolation)
    shape = kept_shape if keepdims else () if at is None else tuple(n for i, n in enumerate(x.shape) if i != at)
    if q.ndim:
        return xp.reshape(xp.moveaxis(quantiles, -1, 0), (*q.shape, *shape))
    return xp.reshape(quantiles, shape)


def _one_quantile(op: str, xp: Functions[Array], x: Array, q: Any, axis: int | None, keepdims: bool, interpolation: str) -> Array:
    """The same of one number q, a scalar of x's dtype: two neighbouring ranks are found, and the last, where NaN are."""
    at = 0 if axis is None else normalize_axis(axis, x.ndim, op)
    rows = xp.reshape(x, (-1,)) if axis is None or not x.ndim else x
    length = rows.shape[at]
    rank = float(q * type(q)(length - 1))
    if interpolation in ("lower", "higher", "nearest"):
        rounding: dict[str, Callable[[float], int]] = {"lower": math.floor, "higher": math.ceil, "nearest": round}
        low = rounding[interpolation](rank)
        result = xp.squeeze(xp.ranked(rows, low, low + 1, at).values, at)
    else:
        low, high = math.floor(rank), math.ceil(rank)
        between = xp.unbind(xp.ranked(rows, low, high + 1, at).values, at)
        result = xp.lerp(between[0], between[-1], 0.5 if interpolation == "midpoint" else rank - low)
    last = xp.squeeze(xp.ranked(rows, length - 1, length, at).values, at)
    result = xp.where(xp.isnan(last), last, result)
    if not keepdims:
        return result
    return xp.reshape(result, tuple(1 if axis is None or i == at else n for i, n in enumerate(x.shape)))


def _interpolated(xp: Functions[Array], values: Array, rank: Array, interpolation: str) -> Array:
    """Items at ranks that may lie between two."""
    if interpolation in ("lower", "higher", "nearest"):
        whole = {"lower": xp.floor, "higher": xp.ceil, "nearest": xp.round}[interpolation](rank)
        return xp.gather(values, xp.astype(whole, xp.int64), -1)
    low = xp.floor(rank)
    below = xp.gather(values, xp.astype(low, xp.int64), -1)
    above = xp.gather(values, xp.astype(xp.ceil(rank), xp.int64), -1)
    weight = xp.full((), 0.5, dtype=values.dtype, device=values.device) if interpolation == "midpoint" else rank - low
    return xp.lerp(below, above, weight)
