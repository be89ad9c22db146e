"""Statistics made of other reductions: sums and means without NaN, and moments in pairs."""

from __future__ import annotations

from typing import Any

from lamina_flatarray import DTypeError
from lamina_flatarray.dtypes import dtype_of

from .namespace import composite, namespace
from .results import MinMax, StdMean, VarMean

__all__ = ["aminmax", "nanmean", "nansum", "std_mean", "var_mean"]

Axes = int | tuple[int, ...] | list[int] | None


@composite
def nansum(x: Any, axis: Axes = None, keepdims: bool = False, *, dtype: Any = None) -> Any:
    """The sum of the items over `axis` that are not NaN.

    Raises:
        DTypeError: `x` is complex.
    """
    xp = namespace(x)
    if x.dtype.is_complex:
        raise DTypeError(f"nansum does not support complex inputs, but got {x.dtype!r}")
    return xp.sum(xp.where(xp.isnan(x), 0.0, x) if x.dtype.is_floating_point else x, axis, keepdims, dtype=dtype)


@composite
def nanmean(x: Any, axis: Axes = None, keepdims: bool = False, *, dtype: Any = None) -> Any:
    """The mean of the items over `axis` that are not NaN; NaN where there are none.

    Raises:
        DTypeError: `x` is neither floating-point nor complex, or `dtype` is not.
    """
    xp = namespace(x)
    if dtype is not None and not dtype_of(dtype).is_inexact:
        raise DTypeError(
            f"nanmean(): could not infer output dtype. Optional dtype must be either a floating point or complex dtype. "
            f"Got: {dtype_of(dtype).name}"
        )
    if not x.dtype.is_inexact:
        raise DTypeError(f"nanmean(): expected input to have floating point or complex dtype but got {x.dtype!r}")
    good = xp.astype(~xp.isnan(x), xp.int64)
    total = xp.sum(xp.where(xp.isnan(x), 0.0, x), axis, keepdims, dtype=dtype)
    return total / xp.sum(good, axis, keepdims)


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
