"""Rows of numbers at equal steps."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

from lamina_flatarray import DType, DTypeError, OpNotImplemented, ShapeError
from lamina_flatarray import backends as registry
from lamina_flatarray import dtypes as dt
from lamina_flatarray.dtypes import dtype_of
from lamina_flatarray.promotion import get_default_dtype

from ..array_fields import empty_of
from ..layouts.layout import Layout
from .scalars import as_number

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = ["arange"]

_REAL: Final = frozenset({int, float})


def arange(
    start: Any, stop: Any = None, step: Any = 1, *, dtype: Any = None, device: Any = None, strict: bool = False
) -> NDArray:
    """Create a row of numbers at equal steps: `start`, `start + step`, ... up to but without `stop`.

    With one argument, it counts from 0 up to it. Item i is `start + i * step`, computed in float64 for floating dtypes and
    rounded once, on every backend. (PyTorch rounds a second time every few items, how often depends on the processor.) An
    integer dtype drops the fractions of its bounds and its step first.

    Args:
        start: the first number, or `stop` if it is the only argument; a number, or an array without axes.
        stop: the end, which is left out.
        step: the difference of neighbours, possibly negative.
        dtype: by default int64 where all of them are integers, else the default dtype.
        device: by default, the default device.
        strict: whether a step that leads away from `stop` is an error, as in PyTorch; else the result has no items.

    Returns:
        An array of shape `(ceil((stop - start) / step),)`, or `(0,)` where that is negative.

    Raises:
        DTypeError: a bound or the step is complex.
        ShapeError: `step` is 0 (or leads away from `stop`), a bound is not finite, or there are 2**63 numbers or more.
        OpNotImplemented: the dtype is bool or complex.

    >>> nd.arange(5)
    NDArray([0, 1, 2, 3, 4])
    >>> nd.arange(1, 0, -0.25)
    NDArray([1.0000, 0.7500, 0.5000, 0.2500])
    """
    if stop is None:
        start, stop = 0, start
    whole = start.__class__ is stop.__class__ is step.__class__ is int
    first, last, reach = start, stop, step
    if not whole and not _REAL.issuperset((start.__class__, stop.__class__, step.__class__)):
        first, last, reach = [as_number("arange", v) for v in (start, stop, step)]
        if any(isinstance(v, complex) for v in (first, last, reach)):
            raise DTypeError(f"arange: complex bounds from {first} to {last} by {reach}; it wants real ones")
        whole = all(isinstance(v, int) for v in (first, last, reach))
    result_dtype = (
        (dt.int64 if whole else get_default_dtype()) if dtype is None else dtype if dtype.__class__ is DType else dtype_of(dtype)
    )
    if result_dtype.kind in "bc":
        raise OpNotImplemented(f"arange: not implemented for {result_dtype.name}; it wants integers or floats")
    if not whole and not (math.isfinite(first) and math.isfinite(last) and reach == reach):
        raise ShapeError(f"arange: unsupported range: {first} -> {last} by {reach}; it wants finite bounds and a step")
    if result_dtype is dt.int64 and not whole:
        first, last, reach = int(first), int(last), int(reach)
        whole = True
    if reach == 0 or (result_dtype.kind in "ui" and int(reach) == 0):
        raise ShapeError(f"arange: from {first} to {last} by {reach} in {result_dtype.name}: step must be nonzero")
    if strict and (last - first) * reach < 0:
        raise ShapeError(
            f"arange: from {first} to {last} by {reach}: upper bound and lower bound inconsistent with step sign"
        )
    length = -((first - last) // reach) if whole else (last - first) / reach
    if not length < 2**63:
        raise ShapeError(f"arange: from {first} to {last} by {reach}: invalid size, possible overflow")
    count = math.ceil(max(length, 0))
    result = empty_of(registry.kernels(device, result_dtype), Layout.dense((count,)))
    result.flat.kernels["arange"](result, start=first, step=reach)
    return result
