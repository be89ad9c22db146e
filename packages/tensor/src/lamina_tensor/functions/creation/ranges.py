"""Numbers in a row: evenly apart, or powers at such exponents."""

from __future__ import annotations

import math
import warnings
from typing import TYPE_CHECKING, Any, overload

import lamina_ndarray as nd
from lamina_flatarray import ArgumentTypeError, ShapeError, get_default_dtype

from ...autograd.recording import array_of
from ...devices.memory_formats import strided
from ...dispatch.torch_function import torch_function
from ...tensor_fields import tensor_of
from .options import refuse_layout, written

if TYPE_CHECKING:
    from lamina_flatarray import DType

    from ...devices.memory_formats import layout as Layout
    from ...tensor_class import Tensor
    from ...tensor_fields import Number
    from .options import DeviceLike

__all__ = ["arange", "linspace", "logspace", "range"]


@overload
def arange(
    end: Number | Tensor,
    *,
    out: Tensor | None = None,
    dtype: DType | None = None,
    layout: Layout | None = None,
    device: DeviceLike = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
) -> Tensor: ...
@overload
def arange(
    start: Number | Tensor,
    end: Number | Tensor,
    step: Number | Tensor = 1,
    *,
    out: Tensor | None = None,
    dtype: DType | None = None,
    layout: Layout | None = None,
    device: DeviceLike = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
) -> Tensor: ...
@torch_function  # type: ignore[misc]  # one argument alone is the end, by position the first
def arange(
    start: Any = None,
    end: Any = None,
    step: Any = 1,
    *,
    out: Tensor | None = None,
    dtype: DType | None = None,
    layout: Layout | None = None,
    device: DeviceLike = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
) -> Tensor:
    """Make a row of numbers from `start` up to `end`, which is left out, `step` apart.

    Args:
        start: the first number; 0 by default. One argument alone is the end.
        end: what the numbers stay below, or above where the step is negative.
        step: the distance between neighbours.
        out: a tensor to write the result to.
        dtype: the dtype; for None int64 where all three are integers, else the default dtype.
        layout: `torch.strided`, the only layout there is.
        device: the device; the default device for None.
        pin_memory: accepted and ignored: memory is never pinned.
        requires_grad: whether gradients are wanted.

    Returns:
        `ceil((end - start) / step)` numbers.

    Raises:
        ArgumentTypeError: there is no end.
        ShapeError: the step is 0 or leads away from the end, a bound is not finite, or there are 2**63 numbers or more.
        AutogradError: gradients are wanted of integers.

    >>> torch.arange(5)
    tensor([0, 1, 2, 3, 4])
    >>> torch.arange(1, 2.5, 0.5)
    tensor([1.0000, 1.5000, 2.0000])
    """
    if layout is not None and layout is not strided:
        refuse_layout("arange", layout)
    if end is None:
        if start is None:
            raise ArgumentTypeError("arange() missing 1 required positional argument: 'end'")
        start, end = 0, start
    elif start is None:
        start = 0
    if out is not None and dtype is None:
        dtype = out.dtype
    if not start.__class__ is end.__class__ is step.__class__ is int:
        start, end, step = array_of(start), array_of(end), array_of(step)
    array = nd.arange(start, end, step, dtype=dtype, device=device, strict=True)
    return written("arange", out, array, requires_grad, warns=True) if out is not None or requires_grad else tensor_of(array)


@torch_function
def linspace(
    start: Number | Tensor,
    end: Number | Tensor,
    steps: int,
    *,
    out: Tensor | None = None,
    dtype: DType | None = None,
    layout: Layout | None = None,
    device: DeviceLike = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
) -> Tensor:
    """Make a row of numbers evenly apart from `start` to `end`, both included.

    Args:
        start: the first number.
        end: the last number.
        steps: how many numbers.
        out: a tensor to write the result to.
        dtype: the dtype; the default dtype for None, or its complex counterpart where an end is complex.
        layout: `torch.strided`, the only layout there is.
        device: the device; the default device for None.
        pin_memory: accepted and ignored: memory is never pinned.
        requires_grad: whether gradients are wanted.

    Returns:
        The numbers (steps,).

    Raises:
        ShapeError: `steps` is negative.
        DTypeError: an end does not fit into the dtype.
        AutogradError: gradients are wanted of integers.

    >>> torch.linspace(0, 1, 5)
    tensor([0.0000, 0.2500, 0.5000, 0.7500, 1.0000])
    """
    if layout is not None and layout is not strided:
        refuse_layout("linspace", layout)
    if out is not None and dtype is None:
        dtype = out.dtype
    array = nd.linspace(array_of(start), array_of(end), steps, dtype=dtype, device=device)
    return written("linspace", out, array, requires_grad) if out is not None or requires_grad else tensor_of(array)


@torch_function
def logspace(
    start: Number | Tensor,
    end: Number | Tensor,
    steps: int,
    base: float = 10.0,
    *,
    out: Tensor | None = None,
    dtype: DType | None = None,
    layout: Layout | None = None,
    device: DeviceLike = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
) -> Tensor:
    """Make a row of powers whose exponents are evenly apart from `start` to `end`, both included.

    Args:
        start: the first exponent.
        end: the last exponent.
        steps: how many powers.
        base: the base of the powers.
        out: a tensor to write the result to.
        dtype: the dtype; the default dtype for None, or its complex counterpart where an end is complex.
        layout: `torch.strided`, the only layout there is.
        device: the device; the default device for None.
        pin_memory: accepted and ignored: memory is never pinned.
        requires_grad: whether gradients are wanted.

    Returns:
        The powers (steps,).

    Raises:
        ShapeError: `steps` is negative.
        DTypeError: an end does not fit into the dtype.
        AutogradError: gradients are wanted of integers.

    >>> torch.logspace(0, 2, 3)
    tensor([  1.,  10., 100.])
    """
    if layout is not None and layout is not strided:
        refuse_layout("logspace", layout)
    if out is not None and dtype is None:
        dtype = out.dtype
    array = nd.logspace(array_of(start), array_of(end), steps, base, dtype=dtype, device=device)
    return written("logspace", out, array, requires_grad)


@torch_function
def range(
    start: float = 0,
    end: float | None = None,
    step: float = 1,
    *,
    out: Tensor | None = None,
    dtype: DType | None = None,
    layout: Layout | None = None,
    device: DeviceLike = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
) -> Tensor:
    """Make a row of numbers from `start` to `end`, which is included, `step` apart. Deprecated: `arange` leaves the end out.

    Args:
        start: the first number.
        end: what the numbers do not go beyond; it must be given.
        step: the distance between neighbours.
        out: a tensor to write the result to.
        dtype: the dtype; the default dtype for None. One of integers takes the integral parts of bounds and step.
        layout: `torch.strided`, the only layout there is.
        device: the device; the default device for None.
        pin_memory: accepted and ignored: memory is never pinned.
        requires_grad: whether gradients are wanted.

    Returns:
        `floor((end - start) / step) + 1` numbers.

    Raises:
        ArgumentTypeError: there is no end.
        ShapeError: the step is 0 or leads away from the end, or a bound is not finite.
        AutogradError: gradients are wanted of integers.

    >>> import warnings
    >>> with warnings.catch_warnings(action="ignore"):
    ...     torch.range(1, 2.5, 0.5)
    tensor([1.0000, 1.5000, 2.0000, 2.5000])
    """
    if layout is not None and layout is not strided:
        refuse_layout("range", layout)
    if end is None:
        raise ArgumentTypeError("range() missing 1 required positional argument: 'end'")
    warnings.warn("range: deprecated, as it includes its end; use torch.arange, whose numbers lie in [start, end)", stacklevel=2)
    if dtype is None:
        dtype = get_default_dtype() if out is None else out.dtype
    kind = float if dtype.is_inexact else int
    if not (math.isfinite(start) and math.isfinite(end)):
        raise ShapeError(f"range: unsupported range: {start} -> {end}")
    first, last, apart = kind(start), kind(end), kind(step)
    if not apart:
        raise ShapeError("range: step must be nonzero")
    if (last - first) * apart < 0:
        raise ShapeError(f"range: upper bound and lower bound inconsistent with step sign: {start} to {end} in steps of {step}")
    numbers = nd.arange(math.floor((last - first) / apart) + 1, dtype=nd.float64 if kind is float else nd.int64, device=device)
    return written("range", out, nd.astype(numbers * apart + first, dtype), requires_grad, warns=True)
