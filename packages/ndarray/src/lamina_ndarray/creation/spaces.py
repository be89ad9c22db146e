"""Numbers evenly apart between two ends, and powers of a base at such exponents, rounded as PyTorch rounds them."""

from __future__ import annotations

from collections.abc import Callable
from operator import index as as_int
from typing import TYPE_CHECKING, Any

import numpy as np

from lamina_flatarray import DType, DTypeError, OpNotImplemented, ShapeError
from lamina_flatarray import dtypes as dt
from lamina_flatarray.backends.choice import get_default_device
from lamina_flatarray.dtypes import dtype_of
from lamina_flatarray.promotion import get_default_dtype

from ..batching import levels_of, on_all_slices
from .array_likes import from_numpy
from .constructors import dense, empty, full
from .conversion import astype, to_device
from .scalars import as_number, fitting

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = ["linspace", "logspace"]


def linspace(
    start: Any, stop: Any, num: int, *, dtype: Any = None, device: Any = None, endpoint: bool = True
) -> NDArray:
    """Create `num` values at equal distances from `start` to `stop`, both included unless `endpoint` is false.

    The first half counts up from `start` and the second half down from `stop`: start + i * step and
    stop - (num - 1 - i) * step, each rounded once (PyTorch's compilers fuse them). float16 and bfloat16 round after
    each operation; integers take whole ends, compute in float64 and drop the fraction.

    Args:
        start: the first value, a number or an array without axes.
        stop: the last value, a number or an array without axes.
        num: how many values; of one, it is `start`.
        dtype: by default the default dtype, or its complex twin where an end is complex.
        device: where to put them.
        endpoint: whether `stop` is the last value, or the one that would follow it.

    Returns:
        An array of shape `(num,)`.

    Raises:
        ShapeError: `num` is negative.
        DTypeError: an end does not fit into the dtype.
        OpNotImplemented: the dtype is bool.

    >>> nd.linspace(0, 1, 5)
    NDArray([0.0000, 0.2500, 0.5000, 0.7500, 1.0000])
    >>> nd.linspace(0, 1, 4, endpoint=False)
    NDArray([0.0000, 0.2500, 0.5000, 0.7500])
    """
    if _differs_by_slice(start) or _differs_by_slice(stop):
        return _by_slice(lambda a, b: linspace(a, b, num, dtype=dtype, device=device, endpoint=endpoint), start, stop)
    first, last, steps, result_dtype = _asked("linspace", start, stop, num, dtype)
    if not endpoint:
        return linspace(first, last, steps + 1, dtype=result_dtype, device=device)[:steps]
    if steps == 0:
        return empty((0,), dtype=result_dtype, device=device)
    if steps == 1:
        return full((1,), fitting("linspace", first, result_dtype), dtype=result_dtype, device=device)
    if not result_dtype.is_inexact:
        first, last = _whole(first, result_dtype), _whole(last, result_dtype)
    result = dense("linspace", (steps,), result_dtype, device)
    result.flat.kernels["linspace"](result, start=first, stop=last)
    return result


def logspace(
    start: Any, stop: Any, steps: int, base: float = 10.0, *, dtype: Any = None, device: Any = None
) -> NDArray:
    """Create powers of `base` at exponents that lie at equal distances, as `linspace(start, stop, steps)` gives them.

    They are computed in float64, then rounded; to 16 bits by way of float32, as PyTorch does.

    Args:
        start: the first exponent, a number or an array without axes; an integer dtype takes it whole.
        stop: the last exponent, likewise.
        steps: how many values; of one, it is `base ** start`.
        base: what the exponents belong to.
        dtype: by default the default dtype, or its complex twin where an end is complex.
        device: where to put them.

    Returns:
        An array of shape `(steps,)`.

    Raises:
        ShapeError: `steps` is negative.
        DTypeError: an end does not fit into the dtype.
        OpNotImplemented: the dtype is bool.

    >>> nd.logspace(0, 4, 5, base=2)
    NDArray([ 1.,  2.,  4.,  8., 16.])
    """
    if _differs_by_slice(start) or _differs_by_slice(stop):
        return _by_slice(lambda a, b: logspace(a, b, steps, base, dtype=dtype, device=device), start, stop)
    first, last, steps, result_dtype = _asked("logspace", start, stop, steps, dtype)
    kind = result_dtype.numpy.type
    wide: Any = complex if result_dtype.is_complex else float
    if steps == 0:
        return empty((0,), dtype=result_dtype, device=device)
    if steps == 1:
        return full((1,), wide(as_number("logspace", base)) ** wide(first), dtype=result_dtype, device=device)
    if result_dtype.is_inexact:
        a, b = wide(kind(first)), wide(kind(last))
        reach = wide(kind(kind(last) - kind(first)))
    else:
        a, b = float(_whole(first, result_dtype)), float(_whole(last, result_dtype))
        reach = b - a
    step = reach / (steps - 1)
    i = np.arange(steps)
    exponents = np.where(i < steps // 2, a + step * i, b - step * (steps - 1 - i))
    with np.errstate(all="ignore"):
        powers = np.power(wide(as_number("logspace", base)), exponents)
        if not result_dtype.is_inexact or result_dtype.itemsize == 2:
            powers = powers.astype(np.float32 if result_dtype.is_inexact else np.int64)
        return to_device(from_numpy(powers.astype(result_dtype.numpy)), get_default_device() if device is None else device)


def _differs_by_slice(end: Any) -> bool:
    """Whether an end is a batch, while a function is mapped."""
    return hasattr(end, "flat") and bool(levels_of(end.flat.kernels))


def _by_slice(space: Callable[[Any, Any], NDArray], start: Any, stop: Any) -> NDArray:
    """The spaces between the ends of every slice, whose items are read for it."""
    from ..shapes.joining import stack
    from ..shapes.views import reshape

    ends: list[Any] = [end if hasattr(end, "flat") else as_number("linspace", end) for end in (start, stop)]
    is_complex = any(end.dtype.is_complex if hasattr(end, "flat") else isinstance(end, complex) for end in ends)
    wide = dt.complex128 if is_complex else dt.float64

    def of_all(pairs: NDArray) -> NDArray:
        rows = [space(*pair) for pair in reshape(pairs, (-1, 2)).tolist()]
        return reshape(stack(rows), (*pairs.shape[:-1], *rows[0].shape))

    return on_all_slices(of_all, stack([astype(end, wide) if hasattr(end, "flat") else full((), end, dtype=wide) for end in ends]))


def _asked(op: str, start: Any, stop: Any, steps: Any, dtype: Any) -> tuple[Any, Any, int, DType]:
    """The ends as numbers, the count as an int, and the dtype, all of them checked."""
    first, last, count = as_number(op, start), as_number(op, stop), as_int(steps)
    if count < 0:
        raise ShapeError(f"{op}: number of steps must be non-negative, got {count}")
    inferred = get_default_dtype()
    if isinstance(first, complex) or isinstance(last, complex):
        inferred = inferred.to_complex()
    result_dtype = inferred if dtype is None else dtype_of(dtype)
    if inferred.is_complex and not result_dtype.is_complex:
        raise DTypeError(f"{op}: inferred dtype {inferred.name} can't be safely cast to passed dtype {result_dtype.name}")
    if result_dtype.kind == "b":
        raise OpNotImplemented(f"{op}: not implemented for bool; it wants numbers")
    if count > 1:
        first, last = fitting(op, first, result_dtype), fitting(op, last, result_dtype)
    return first, last, count, result_dtype


def _whole(value: Any, dtype: DType) -> Any:
    if dtype.is_inexact:
        return value
    return int(value) % 2 ** (8 * dtype.itemsize) if dtype.kind == "u" else int(value)
