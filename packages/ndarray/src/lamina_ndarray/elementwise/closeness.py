"""Whether arrays are equal, or numbers but for a tolerance: |a - b| <= atol + rtol * |b|."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from lamina_flatarray import DTypeError, UsageError, get_default_dtype
from lamina_flatarray import dtypes as dt

from ..array_fields import empty_of
from ..creation.conversion import item
from ..dispatch.namespace import composite, namespace
from ..layouts.layout import Layout
from ..reductions.folds import all as every
from . import comparison

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = ["allclose", "array_equal", "isclose"]

_ALONE: Final = Layout.dense(())


def array_equal(a: NDArray, b: NDArray) -> bool:
    """Whether two arrays have the same shape and items. NaN equals nothing."""
    if a.layout.shape != b.layout.shape:
        return False
    kernels = a.flat.kernels
    if b.flat.kernels is not kernels:
        return bool(every(comparison.equal(a, b)))
    made = empty_of(kernels.sibling(dt.bool), _ALONE)
    kernels["array_equal"](made, a, b)
    return item(made)  # type: ignore[no-any-return]


@composite(strict=True)
def isclose(a: Any, b: Any, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> Any:
    """Whether |a - b| <= atol + rtol * |b|, item by item; infinities only equal themselves, NaN nothing, unless
    `equal_nan` says that it equals NaN.

    Raises:
        DTypeError: the dtypes differ.
        ShapeError: a tolerance is negative, or the shapes do not broadcast.
    """
    for name, value in (("rtol", rtol), ("atol", atol)):
        if value < 0:
            raise UsageError(f"isclose: {name} must be greater than or equal to zero, but got {value}")
    if getattr(a, "dtype", None) is not getattr(b, "dtype", None) and hasattr(a, "dtype") and hasattr(b, "dtype"):
        raise DTypeError(f"isclose: {a.dtype.name} did not match {b.dtype.name}")
    xp = namespace(a, b)
    close = xp.equal(a, b)
    if equal_nan:
        close = xp.logical_or(close, xp.logical_and(xp.not_equal(a, a), xp.not_equal(b, b)))
    if rtol == 0 and atol == 0:
        return close
    a, b = (xp.astype(x, get_default_dtype()) if hasattr(x, "dtype") and not x.dtype.is_inexact else x for x in (a, b))
    distance, allowed = xp.abs(a - b), xp.abs(b) * rtol + atol
    near = xp.logical_and(xp.isfinite(distance), distance <= allowed)
    return xp.logical_or(close, near)


@composite(strict=True)
def allclose(a: Any, b: Any, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> bool:
    """Whether all items are close; see `isclose`.

    Raises:
        DTypeError: the dtypes differ.
        ShapeError: a tolerance is negative, or the shapes do not broadcast.
    """
    return bool(namespace(a, b).all(isclose(a, b, rtol, atol, equal_nan)))
