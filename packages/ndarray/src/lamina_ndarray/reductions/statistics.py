"""Statistics in pairs: both extremes, and moments with their means."""

from __future__ import annotations

from typing import Any

from lamina_flatarray import DTypeError

from ..dispatch.namespace import composite, namespace
from ..dispatch.results import MinMax, StdMean, VarMean

__all__ = ["aminmax", "std_mean", "var_mean"]

Axes = int | tuple[int, ...] | list[int] | None


@composite
def aminmax(x: Any, axis: int | None = None, keepdims: bool = False) -> MinMax:
    """The smallest and the greatest item over `axis`; NaN where there is one.

    Raises:
        ShapeError: there are no items.
    """
    xp = namespace(x)
    return MinMax(xp.min(x, axis, keepdims), xp.max(x, axis, keepdims))


def _pair(kind: type[Any], op: str, x: Any, axis: Axes, keepdims: bool, correction: float) -> Any:
    xp = namespace(x)
    if not x.dtype.is_inexact:
        raise DTypeError(f"{op}_mean only supports floating point and complex dtypes, but got {x.dtype!r}")
    return kind(getattr(xp, op)(x, axis, keepdims, correction=correction), xp.mean(x, axis, keepdims))


@composite
def var_mean(x: Any, axis: Axes = None, keepdims: bool = False, *, correction: float = 1) -> VarMean:
    """The variance and the mean over `axis`; the squares are divided by n - correction."""
    found: VarMean = _pair(VarMean, "var", x, axis, keepdims, correction)
    return found


@composite
def std_mean(x: Any, axis: Axes = None, keepdims: bool = False, *, correction: float = 1) -> StdMean:
    """The standard deviation and the mean over `axis`."""
    found: StdMean = _pair(StdMean, "std", x, axis, keepdims, correction)
    return found
