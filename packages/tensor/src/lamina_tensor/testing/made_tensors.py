"""`make_tensor`: tensors of random items to test with, of any dtype, within bounds that suit it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import lamina_ndarray as nd
from lamina_flatarray import ArgumentValueError, DType, finfo, iinfo

from ..autograd.modes import no_grad
from ..dispatch.tensor_functions import af
from ..functions.copies import clone
from ..functions.creation import empty, randint
from ..methods.shapes.sizes import sizes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lamina_flatarray import Device

    from ..devices.memory_formats import memory_format as MemoryFormat
    from ..tensor_class import Tensor

__all__ = ["make_tensor"]


def make_tensor(
    *shape: int | Sequence[int],
    dtype: DType,
    device: Device | str | int | None = None,
    low: float | None = None,
    high: float | None = None,
    requires_grad: bool = False,
    noncontiguous: bool = False,
    exclude_zero: bool = False,
    memory_format: MemoryFormat | None = None,
) -> Tensor:
    """Make a tensor of random items uniform in [low, high).

    Args:
        shape: the shape: lengths one by one, or one sequence of them.
        dtype: the dtype.
        device: the device; the default device for None.
        low, high: the bounds, held within the dtype; by default 0 and 2 for booleans, 0 and 10 for unsigned integers, -9 and 10
            for signed ones, -9 and 9 for all others (of a complex number, each part).
        requires_grad: whether gradients are wanted.
        noncontiguous: whether items lie apart in memory, where there are several.
        exclude_zero: whether zeros become the least positive number (of floating dtypes, the least normal one).
        memory_format: the order of dims in memory; row-major for None.

    Returns:
        The tensor.

    Raises:
        ArgumentValueError: the bounds are not in order, or NaN; both `noncontiguous` and `memory_format` are given; or gradients are
            wanted of integers.

    >>> torch.testing.make_tensor(2, 3, dtype=torch.float32, low=0, high=1).shape
    lamina.Size([2, 3])
    """
    kind = nd.empty((0,), dtype=dtype).dtype
    if noncontiguous and memory_format is not None:
        raise ArgumentValueError(f"The parameters `noncontiguous` and `memory_format` are mutually exclusive, but got {memory_format}.")
    if requires_grad and not kind.is_inexact:
        raise ArgumentValueError(f"`requires_grad=True` is not supported for boolean and integral dtypes, but got {dtype=}.")
    with no_grad():
        lengths = sizes(shape)
        apart = noncontiguous and math.prod(lengths) > 1
        bounds = _bounds(kind, low, high)
        result = (
            _drawn((*lengths[:-1], 2 * lengths[-1]), kind, device, *bounds) if apart
            else _drawn(lengths, kind, device, *bounds)
        )  # fmt: skip
        result = result[..., 1::2] if apart else result
        if exclude_zero:
            result[result == 0] = _least(kind)
        if memory_format is not None:
            result = clone(result, memory_format=memory_format)
    return result.requires_grad_(requires_grad)


def _bounds(dtype: DType, low: float | None, high: float | None) -> tuple[float, float]:
    default: tuple[float, float] = {"b": (0, 2), "u": (0, 10), "i": (-9, 10)}.get(dtype.kind, (-9, 9))
    low, high = (default[i] if bound is None else bound for i, bound in enumerate((low, high)))
    if math.isnan(low) or math.isnan(high):
        raise ArgumentValueError(f"`low` and `high` cannot be NaN, but got {low=} and {high=}")
    if low >= high and not (low == high and dtype.is_inexact):
        raise ArgumentValueError(f"`low` must be less than `high`, but got {low} >= {high}")
    if dtype.kind == "b":
        least, greatest = 0.0, 2.0
    elif dtype.is_inexact:
        least, greatest = float(finfo(dtype).min), float(finfo(dtype).max)
    else:
        least, greatest = iinfo(dtype).min, iinfo(dtype).max + (dtype.itemsize < 8)
    low, high = (min(max(bound, least), greatest) for bound in (low, high))
    return (low, high) if dtype.is_inexact else (math.ceil(low), math.ceil(high))


def _drawn(shape: tuple[int, ...], dtype: DType, device: Any, low: float, high: float) -> Tensor:
    if not dtype.is_inexact:
        return randint(int(low), int(high), shape, device=device, dtype=dtype)
    result = empty(shape, device=device, dtype=dtype)
    (af.view_as_real(result) if dtype.is_complex else result).uniform_(low, high)
    return result


def _least(dtype: DType) -> Any:
    if not dtype.is_inexact:
        return True if dtype.kind == "b" else 1
    tiny = finfo(dtype).tiny
    return complex(tiny, tiny) if dtype.is_complex else tiny
