"""Statistics that rank items: medians, quantiles and modes."""

from __future__ import annotations

from math import prod
from typing import Any

from lamina_flatarray import DTypeError, EmptyAxis, ShapeError

from . import reductions as over
from .array import NDArray
from .broadcast import normalize_axis
from .elementwise import FUNCTIONS
from .gathering import gather
from .namespace import composite, namespace
from .results import ValuesIndices
from .sorting import order, ranked

__all__ = ["median", "middle_places", "mode", "nanmedian", "nanquantile", "quantile"]

_INTERPOLATIONS = ("linear", "lower", "higher", "midpoint", "nearest")


def _along(axis: int, index: Any) -> tuple[Any, ...]:
    return (*(slice(None),) * axis, index)


def _picked(xp: Any, x: Any, at: Any, axis: int, keepdims: bool) -> ValuesIndices:
    """The items at positions of length 1 along an axis, and these."""
    values = xp.gather(x, at, axis)
    return ValuesIndices(values, at) if keepdims else ValuesIndices(xp.squeeze(values, axis), xp.squeeze(at, axis))


def _no_median(xp: Any, x: Any) -> Any:
    """The median of no items: NaN, or for integers what PyTorch makes of a NaN cast to them."""
    wide_integer = x.dtype.kind == "i" and x.dtype.itemsize >= 4
    value = float("nan") if x.dtype.is_floating_point else -(2 ** (8 * x.dtype.itemsize - 1)) if wide_integer else 0
    return xp.full((), value, dtype=x.dtype, device=x.device)


def middle_places(x: NDArray, axis: int, skip_nan: bool) -> NDArray:
    """Where the middle item of an axis is, which keeps its place with length 1: the first NaN, or that of the others."""
    length = x.layout.shape[axis]
    if skip_nan and x.dtype.is_floating_point:  # NaN come last in order, and how many there are depends on the row
        good = length - over.sum(FUNCTIONS["isnan"](x), axis, True)
        return gather(order(x, axis).indices, FUNCTIONS["clip"](FUNCTIONS["floor_divide"](good - 1, 2), 0, None), axis)
    middle = (length - 1) // 2
    place = ranked(x, middle, middle + 1, axis).indices
    if not x.dtype.is_floating_point:
        return place
    first = over.argmax(x, axis, True)  # NaN is the greatest
    return FUNCTIONS["where"](FUNCTIONS["isnan"](gather(x, first, axis)), first, place)  # type: ignore[no-any-return]


def _median(op: str, x: Any, axis: int | None, keepdims: bool, skip_nan: bool) -> Any:
    xp = namespace(x)
    if x.dtype.is_complex or x.dtype.kind == "b":
        raise DTypeError(f'{op}: not defined for {x.dtype!r}; it wants a real number ("not implemented for")')
    if axis is None:
        flat = xp.reshape(x, (-1,))
        return _median(op, flat, 0, False, skip_nan).values if prod(x.shape) else _no_median(xp, x)
    at = normalize_axis(axis, x.ndim, op)
    if not x.ndim:
        return ValuesIndices(xp.copy(x), xp.zeros((), dtype=xp.int64, device=x.device))
    length = x.shape[at]
    if not length:
        raise EmptyAxis(f"{op}(): Expected reduction dim {at} to have non-zero size.")
    place = xp.middle_places(x, at, skip_nan)
    return _picked(xp, x, place, at, keepdims)


@composite
def median(x: Any, axis: int | None = None, keepdims: bool = False) -> Any:
    """The middle item: of an even number, the lower of the two; NaN where there is one.

    Args:
        x: real numbers.
        axis: along which, for the values and where they are; None for the median of all, alone.
        keepdims: whether the axis stays, with length 1.

    Raises:
        IndexOutOfRange: the axis does not exist.
        EmptyAxis: it has no items.
    """
    return _median("median", x, axis, keepdims, skip_nan=False)


@composite
def nanmedian(x: Any, axis: int | None = None, keepdims: bool = False) -> Any:
    """The median of the items that are not NaN; see `median`."""
    return _median("nanmedian", x, axis, keepdims, skip_nan=True)


@composite
def mode(x: Any, axis: int = -1, keepdims: bool = False) -> ValuesIndices:
    """The most frequent item along an axis, the smallest of equally frequent ones, and where the last of it is.

    Raises:
        IndexOutOfRange: the axis does not exist.
        EmptyAxis: it has no items.
    """
    xp = namespace(x)
    at = normalize_axis(axis, x.ndim, "mode")
    if not x.ndim:
        return ValuesIndices(xp.copy(x), xp.zeros((), dtype=xp.int64, device=x.device))
    length = x.shape[at]
    if not length:
        raise EmptyAxis(f"mode(): Expected reduction dim {at} to have non-zero size.")
    values, order = xp.order(x, at)
    places = xp.reshape(xp.arange(length, device=x.device), [length if i == at else 1 for i in range(x.ndim)])
    begins = values[_along(at, slice(1, None))] != values[_along(at, slice(None, -1))]
    first = xp.zeros_like(values[_along(at, slice(0, 1))], dtype=xp.bool)
    run_begin = xp.running_max(xp.where(xp.concat([first, begins], at), places, 0), at)
    longest = xp.argmax(places - run_begin, at, True)
    return _picked(xp, x, xp.gather(order, longest, at), at, keepdims)


@composite
def quantile(x: Any, q: Any, axis: int | None = None, keepdims: bool = False, *, interpolation: str = "linear") -> Any:
    """The q-quantiles of the items along an axis (None: of all); NaN where there is one.

    Args:
        x: float32 or float64.
        q: a number in [0, 1], or an array of numbers of x's dtype; an array's axis comes first in the result.
        axis: along which.
        keepdims: whether the axis stays, with length 1.
        interpolation: between the two nearest items: "linear", "lower", "higher", "midpoint" or "nearest".

    Raises:
        DTypeError: `x` is of another dtype, or `q` is.
        ShapeError: there are no items; `q` lies outside of [0, 1] or has several axes.
        ValueError: `interpolation` is unknown.
    """
    return _quantile("quantile", x, q, axis, keepdims, interpolation, skip_nan=False)


@composite
def nanquantile(x: Any, q: Any, axis: int | None = None, keepdims: bool = False, *, interpolation: str = "linear") -> Any:
    """The quantiles of the items that are not NaN; see `quantile`."""
    return _quantile("nanquantile", x, q, axis, keepdims, interpolation, skip_nan=True)


def _quantile(op: str, x: Any, q: Any, axis: int | None, keepdims: bool, interpolation: str, skip_nan: bool) -> Any:
    xp = namespace(x)
    if x.dtype not in (xp.float32, xp.float64):
        raise DTypeError(f"{op}() input tensor must be either float or double dtype, but is {x.dtype!r}")
    if interpolation not in _INTERPOLATIONS:
        raise ShapeError(f"{op}() interpolation must be one of {', '.join(_INTERPOLATIONS)}, but got {interpolation!r}")
    if isinstance(q, (int, float)):
        if not 0 <= q <= 1:
            raise ShapeError(f"{op}() q must be in the range [0, 1] but got {q}")
        q = xp.full((), q, dtype=x.dtype, device=x.device)
    if q.ndim > 1:
        raise ShapeError(f"{op}() q must be a scalar or 1D tensor, but has shape {tuple(q.shape)}")
    if q.dtype is not x.dtype:
        raise DTypeError(f"{op}() q tensor must be same dtype as the input tensor: {q.dtype!r} and {x.dtype!r}")
    if prod(q.shape) and not bool(xp.all(xp.all_slices((q >= 0) & (q <= 1)))):
        raise ShapeError(f"{op}() q values must be in the range [0, 1]")
    if not prod(x.shape):
        raise ShapeError(f"{op}() input tensor must be non-empty, but has shape {tuple(x.shape)}")
    at = None if axis is None else normalize_axis(axis, x.ndim, op)
    if at is None:
        rows, kept = xp.reshape(x, (-1,)), (1,) * x.ndim
    else:
        rows = xp.moveaxis(x, at, -1) if x.ndim else xp.reshape(x, (1,))
        kept = tuple(1 if i == at else n for i, n in enumerate(x.shape))
    values = xp.sort(rows, -1)
    length = values.shape[-1]
    good = length - xp.sum(xp.astype(xp.isnan(values), xp.int64), -1, True)
    last = xp.clip(good - 1, 0, None) if skip_nan else length - 1
    rank = xp.reshape(q, (-1,)) * (xp.astype(last, x.dtype) if skip_nan else last)
    rank = xp.broadcast_to(rank, (*values.shape[:-1], prod(q.shape)))
    if not skip_nan:  # the last in order is NaN where there is one
        rank = xp.where(good == length, rank, xp.full((), length - 1, dtype=x.dtype, device=x.device))
    found = _interpolated(xp, values, rank, interpolation)
    shape = kept if keepdims else () if at is None else tuple(n for i, n in enumerate(x.shape) if i != at)
    if q.ndim:
        return xp.reshape(xp.moveaxis(found, -1, 0), (*q.shape, *shape))
    return xp.reshape(found, shape)


def _interpolated(xp: Any, values: Any, rank: Any, interpolation: str) -> Any:
    """Items at ranks that may lie between two."""
    if interpolation in ("lower", "higher", "nearest"):
        whole = {"lower": xp.floor, "higher": xp.ceil, "nearest": xp.round}[interpolation](rank)
        return xp.gather(values, xp.astype(whole, xp.int64), -1)
    low = xp.floor(rank)
    below = xp.gather(values, xp.astype(low, xp.int64), -1)
    above = xp.gather(values, xp.astype(xp.ceil(rank), xp.int64), -1)
    weight = xp.full((), 0.5, dtype=values.dtype, device=values.device) if interpolation == "midpoint" else rank - low
    return xp.lerp(below, above, weight)
