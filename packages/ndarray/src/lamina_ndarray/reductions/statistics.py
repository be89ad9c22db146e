"""Statistics in pairs: both extremes, and moments with their means."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from lamina_flatarray import DTypeError

from ..dispatch.namespace import Array, generic, namespace
from ..dispatch.results import MinMax, StdMean, VarMean

__all__ = ["aminmax", "std_mean", "var_mean"]

Pair = TypeVar("Pair")
Axes = int | tuple[int, ...] | list[int] | None


@generic
def aminmax(x: Array, axis: int | None = None, keepdims: bool = False) -> MinMax[Array]:
    """Compute the smallest and the greatest item over axes; NaN where there is one.

    Args:
        x: a real array.
        axis: which axis to reduce; None for all.
        keepdims: whether reduced axes stay, with length 1.

    Returns:
        `min` and `max`, arrays of x's dtype without the axis.

    Raises:
        EmptyAxis: there are no items.
        DTypeError: x is complex.
        IndexOutOfRange: the axis does not exist.

    >>> nd.aminmax(nd.asarray([3.0, 1.0, 2.0]))
    MinMax(min=NDArray(1.), max=NDArray(3.))
    """
    xp = namespace(x)
    return MinMax(xp.min(x, axis, keepdims), xp.max(x, axis, keepdims))


def _pair(kind: Callable[[Array, Array], Pair], op: str, x: Array, axis: Axes, keepdims: bool, correction: float) -> Pair:
    xp = namespace(x)
    if not x.dtype.is_inexact:
        raise DTypeError(f"{op}_mean only supports floating point and complex dtypes, but got {x.dtype!r}")
    return kind(getattr(xp, op)(x, axis, keepdims, correction=correction), xp.mean(x, axis, keepdims))


@generic
def var_mean(x: Array, axis: Axes = None, keepdims: bool = False, *, correction: float = 1) -> VarMean[Array]:
    """Compute the variance and the mean over axes.

    Args:
        x: a floating-point or complex array.
        axis: an axis or several to reduce; None for all.
        keepdims: whether reduced axes stay, with length 1.
        correction: what is subtracted from the number of items; 1 is Bessel's correction.

    Returns:
        `var` in x's real dtype and `mean` in x's dtype, without the reduced axes.

    Raises:
        DTypeError: x is boolean or integer.
        IndexOutOfRange: an axis does not exist.
        ShapeError: an axis is named twice.

    >>> nd.var_mean(nd.asarray([1.0, 2.0, 3.0]))
    VarMean(var=NDArray(1.), mean=NDArray(2.))
    """
    return _pair(VarMean, "var", x, axis, keepdims, correction)


@generic
def std_mean(x: Array, axis: Axes = None, keepdims: bool = False, *, correction: float = 1) -> StdMean[Array]:
    """Compute the standard deviation and the mean over axes.

    Args:
        x: a floating-point or complex array.
        axis: an axis or several to reduce; None for all.
        keepdims: whether reduced axes stay, with length 1.
        correction: what is subtracted from the number of items; 1 is Bessel's correction.

    Returns:
        `std` in x's real dtype and `mean` in x's dtype, without the reduced axes.

    Raises:
        DTypeError: x is boolean or integer.
        IndexOutOfRange: an axis does not exist.
        ShapeError: an axis is named twice.

    >>> nd.std_mean(nd.asarray([1.0, 2.0, 3.0]))
    StdMean(std=NDArray(1.), mean=NDArray(2.))
    """
    return _pair(StdMean, "std", x, axis, keepdims, correction)
