"""Integrals of sampled functions along an axis by the trapezoidal rule."""

from __future__ import annotations

from typing import Any

from lamina_flatarray import DTypeError, ShapeError

from ..dispatch.namespace import composite, namespace
from ..layouts.broadcast import normalize_axis

__all__ = ["cumulative_trapezoid", "trapezoid"]


def _areas(op: str, y: Any, x: Any, dx: Any, axis: int) -> tuple[Any, int]:
    """The area under each step, times 2, and the axis."""
    xp = namespace(y)
    at = normalize_axis(axis, y.ndim, op)
    if x is not None and dx is not None:
        raise DTypeError(f"{op}: x and dx given; it wants one of them")
    if "b" in (y.dtype.kind, x.dtype.kind if x is not None else ""):
        raise DTypeError(f"{op}: received a bool input for x or y, but bool is not supported")
    if not y.ndim:
        raise ShapeError(f"{op}: a 0-d array given; it wants samples along an axis")
    lead = (slice(None),) * at
    sums = y[(*lead, slice(1, None))] + y[(*lead, slice(None, -1))]
    if x is None:
        return sums * (1.0 if dx is None else dx), at
    if x.ndim == 1:
        if x.shape[0] != y.shape[at]:
            raise ShapeError(
                f"{op}: There must be one `x` value for each sample point, but x has {x.shape[0]} and y has shape "
                f"{tuple(y.shape)}, axis {axis}"
            )
        x = xp.reshape(x, (-1, *(1,) * (y.ndim - at - 1)))
    else:
        x = xp.reshape(x, (1,) * (y.ndim - x.ndim) + tuple(x.shape))
    lead = (slice(None),) * (at - y.ndim + x.ndim)
    return sums * (x[(*lead, slice(1, None))] - x[(*lead, slice(None, -1))]), at



@composite
def trapezoid(y: Any, x: Any = None, *, dx: Any = None, axis: int = -1) -> Any:
    """The integral of samples y along an axis: the sum over steps of their width times the mean of their ends.

    Args:
        y: the samples.
        x: where they were taken: one number per sample, or an array that broadcasts against y.
        dx: how far apart they are, if no x is given; 1 by default.
        axis: along which.

    Raises:
        ShapeError: x does not suit y.
        DTypeError: x or y is bool, or both x and dx are given.
    """
    areas, at = _areas("trapezoid", y, x, dx, axis)
    return namespace(y).sum(areas, at) / 2


@composite
def cumulative_trapezoid(y: Any, x: Any = None, *, dx: Any = None, axis: int = -1) -> Any:
    """The integrals from the first sample up to each other one. Arguments and errors as `trapezoid`."""
    areas, at = _areas("cumulative_trapezoid", y, x, dx, axis)
    return namespace(y).cumsum(areas / 2, at)
