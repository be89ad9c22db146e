"""Whether arrays are equal, or numbers but for a tolerance: |a - b| <= atol + rtol * |b|."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, overload

from lamina_flatarray import DTypeError, UsageError, get_default_dtype
from lamina_flatarray import dtypes as dt

from ..array_fields import empty_of
from ..creation.conversion import item
from ..dispatch.namespace import Array, generic, namespace
from ..dispatch.operands import same_device
from ..layouts.layout import Layout
from ..reductions.logic import all as every
from . import comparison

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = ["allclose", "array_equal", "isclose"]

_ALONE: Final = Layout.dense(())


def array_equal(a: NDArray, b: NDArray) -> bool:
    """Check whether two arrays have the same shape and items. NaN equals nothing.

    Args:
        a: an array.
        b: an array; where its dtype differs, items are compared in the common one.

    Returns:
        A Python bool.

    Raises:
        DeviceError: they live on different devices.

    >>> nd.array_equal(nd.asarray([1, 2]), nd.asarray([1.0, 2.0]))
    True
    >>> nd.array_equal(nd.asarray([1, 2]), nd.asarray([[1, 2]]))
    False
    """
    kernels = a.flat.kernels
    if b.flat.kernels is not kernels:
        same_device("equal", a, b)
    if a.layout.shape != b.layout.shape:
        return False
    if b.flat.kernels is not kernels:
        return bool(every(comparison.equal(a, b)))
    result = empty_of(kernels.sibling(dt.bool), _ALONE)
    kernels["array_equal"](result, a, b)
    return item(result)  # type: ignore[no-any-return]


@overload
def isclose(a: Array, b: Array | complex, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> Array: ...
@overload
def isclose(a: complex, b: Array, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> Array: ...
@generic(strict=True)
def isclose(a: Any, b: Any, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> Any:
    """Check item by item whether `|a - b| <= atol + rtol * |b|`.

    Infinities are close only to themselves.

    Args:
        a: an array or a number.
        b: an array of the same dtype, or a number; both broadcast.
        rtol: the tolerance relative to b, 0 or more.
        atol: the absolute tolerance, 0 or more.
        equal_nan: whether NaN is close to NaN; otherwise it is close to nothing.

    Returns:
        A bool array of the broadcast shape.

    Raises:
        DTypeError: the dtypes differ.
        UsageError: a tolerance is negative.
        ShapeError: the shapes do not broadcast.

    >>> nd.isclose(nd.asarray([1.0, 2.0]), nd.asarray([1.000001, 2.1]))
    NDArray([ True, False])
    """
    for name, value in (("rtol", rtol), ("atol", atol)):
        if value < 0:
            raise UsageError(f"isclose: {name} must be greater than or equal to zero, but got {value}")
    if getattr(a, "dtype", None) is not getattr(b, "dtype", None) and hasattr(a, "dtype") and hasattr(b, "dtype"):
        raise DTypeError(f"isclose: {a.dtype.name} did not match {b.dtype.name}")
    xp = namespace(a, b)
    close = xp.equal(a, b)
    if equal_nan:
        close = xp.logical_or(close, xp.logical_and(a != a, b != b))
    if rtol == 0 and atol == 0:
        return close
    a, b = (xp.astype(x, get_default_dtype()) if hasattr(x, "dtype") and not x.dtype.is_inexact else x for x in (a, b))
    distance, allowed = xp.abs(a - b), abs(b) * rtol + atol
    near = xp.logical_and(xp.isfinite(distance), distance <= allowed)
    return xp.logical_or(close, near)


@generic(strict=True)
def allclose(a: Any, b: Any, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> bool:
    """Check whether all items of two arrays are close: `|a - b| <= atol + rtol * |b|`.

    Args:
        a: an array or a number.
        b: an array of the same dtype, or a number; both broadcast.
        rtol: the tolerance relative to b, 0 or more.
        atol: the absolute tolerance, 0 or more.
        equal_nan: whether NaN is close to NaN; otherwise it is close to nothing.

    Returns:
        A Python bool.

    Raises:
        DTypeError: the dtypes differ.
        UsageError: a tolerance is negative.
        ShapeError: the shapes do not broadcast.

    >>> x = nd.asarray([1.0, float("nan")])
    >>> nd.allclose(x, x), nd.allclose(x, x, equal_nan=True)
    (False, True)
    """
    return bool(namespace(a, b).all(isclose(a, b, rtol, atol, equal_nan)))
