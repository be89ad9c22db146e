"""Integrals of sampled functions along an axis by the trapezoidal rule."""

from __future__ import annotations

from typing import Any

from lamina_flatarray import DTypeError, ShapeError

from ..dispatch.namespace import Array, generic, namespace
from ..layouts.broadcast import normalize_axis

__all__ = ["cumulative_trapezoid", "trapezoid"]


def _along(op: str, y: Array, x: Array | None, dx: Any, axis: int) -> int:
    """The axis, counted from the front, of operands that fit."""
    at = normalize_axis(axis, y.ndim, op)
    if x is not None and dx is not None:
        raise DTypeError(f"{op}: x and dx given; it wants one of them")
    if "b" in (y.dtype.kind, x.dtype.kind if x is not None else ""):
        raise DTypeError(f"{op}: received a bool input for x or y, but bool is not supported")
    if not y.ndim:
        raise ShapeError(f"{op}: a 0-d array given; it wants samples along an axis")
    return at


def _areas(op: str, y: Array, x: Array | None, dx: Any, at: int) -> Array:
    """The area under each step along an axis, times 2."""
    xp = namespace(y)
    lead = (slice(None),) * at
    sums = y[(*lead, slice(1, None))] + y[(*lead, slice(None, -1))]
    if x is None:
        return sums * (1.0 if dx is None else dx)
    if x.ndim == 1:
        if x.shape[0] != y.shape[at]:
            raise ShapeError(
                f"{op}: There must be one `x` value for each sample point, but x has {x.shape[0]} and y has shape "
                f"{tuple(y.shape)}, axis {at}"
            )
        x = xp.reshape(x, (-1, *(1,) * (y.ndim - at - 1)))
    else:
        x = xp.reshape(x, (1,) * (y.ndim - x.ndim) + tuple(x.shape))
    lead = (slice(None),) * (at - y.ndim + x.ndim)
    return sums * (x[(*lead, slice(1, None))] - x[(*lead, slice(None, -1))])


@generic
def trapezoid(y: Array, x: Array | None = None, *, dx: Any = None, axis: int = -1) -> Array:
    """Integrate samples along an axis by the trapezoidal rule: the sum over steps of their width times the mean of
    their ends.

    Args:
        y: the samples, with one axis at least.
        x: where they were taken: a vector with one number per sample, or an array that broadcasts against y; or None.
        dx: the distance of samples, if no x is given; None for 1.
        axis: along which.

    Returns:
        An array of y's shape without the axis.

    Raises:
        ShapeError: y has no axes, or x does not fit y.
        DTypeError: x or y is bool, or both x and dx are given.
        IndexOutOfRange: the axis does not exist.

    >>> nd.trapezoid(nd.asarray([1.0, 2.0, 3.0]))
    NDArray(4.)
    >>> nd.trapezoid(nd.asarray([1.0, 2.0, 3.0]), nd.asarray([0.0, 2.0, 4.0]))
    NDArray(8.)
    """
    at, xp = _along("trapezoid", y, x, dx, axis), namespace(y)
    if x is None and y.shape[at]:
        lead = (slice(None),) * at
        return (xp.sum(y, at) - (y[(*lead, 0)] + y[(*lead, -1)]) * 0.5) * (1.0 if dx is None else dx)
    return xp.sum(_areas("trapezoid", y, x, dx, at), at) / 2


@generic
def cumulative_trapezoid(y: Array, x: Array | None = None, *, dx: Any = None, axis: int = -1) -> Array:
    """Integrate samples by the trapezoidal rule from the first up to each other one.

    Args:
        y: the samples, with one axis at least.
        x: where they were taken: a vector with one number per sample, or an array that broadcasts against y; or None.
        dx: the distance of samples, if no x is given; None for 1.
        axis: along which.

    Returns:
        An array of y's shape, one shorter along the axis.

    Raises:
        ShapeError: y has no axes, or x does not fit y.
        DTypeError: x or y is bool, or both x and dx are given.
        IndexOutOfRange: the axis does not exist.

    >>> nd.cumulative_trapezoid(nd.asarray([1.0, 2.0, 3.0]))
    NDArray([1.5000, 4.0000])
    """
    at = _along("cumulative_trapezoid", y, x, dx, axis)
    return namespace(y).cumsum(_areas("cumulative_trapezoid", y, x, dx, at) / 2, at)
