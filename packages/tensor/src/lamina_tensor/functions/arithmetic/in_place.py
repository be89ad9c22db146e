"""Arithmetic with PyTorch's extra arguments, written over its first operand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lamina_flatarray import UsageError
from lamina_ndarray.dispatch.functions import RANKED

from ...autograd.recording import array_of
from ...dispatch.elementwise import elementwise
from ...dispatch.torch_function import torch_function
from ...methods.in_place.history import binary_, scaled_sum_, unary_
from ...methods.in_place.rewriting import overwritten_by, unrecorded
from .binary import clamp, clamp_max, clamp_min, round

if TYPE_CHECKING:
    from ...tensor_class import Tensor
    from ...tensor_fields import Number

__all__ = [
    "abs_", "absolute_", "add_", "clamp_", "clamp_max_", "clamp_min_", "clip_", "div_", "divide_", "round_", "sub_", "subtract_",
    "true_divide_",
]  # fmt: skip

_ADD, _SUBTRACT, _DIVIDE = elementwise("add", 2), elementwise("subtract", 2), elementwise("divide", 2)
_ABS, _ROUND = elementwise("abs", 1), elementwise("round", 1)
_ROUNDED = {"floor": elementwise("floor_divide", 2), "trunc": elementwise("trunc_divide", 2)}


@torch_function(strict=True)
def add_(input: Tensor, other: Tensor | Number, *, alpha: Number = 1) -> Tensor:
    """`input + alpha * other`, written over `input`, which is returned."""
    if alpha.__class__ is int and alpha == 1:
        return binary_(_ADD, input, other)
    return scaled_sum_(_ADD, input, other, alpha, 1)


@torch_function(strict=True)
def sub_(input: Tensor, other: Tensor | Number, *, alpha: Number = 1) -> Tensor:
    """`input - alpha * other`, written over `input`, which is returned."""
    if alpha.__class__ is int and alpha == 1:
        return binary_(_SUBTRACT, input, other)
    return scaled_sum_(_SUBTRACT, input, other, alpha, -1)


@torch_function(strict=True)
def div_(input: Tensor, other: Tensor | Number, *, rounding_mode: str | None = None) -> Tensor:
    """`input / other`, rounded as `div` does, written over `input`, which is returned.

    Raises:
        UsageError: `rounding_mode` is none of None, "trunc" and "floor".
    """
    if rounding_mode is None:
        return binary_(_DIVIDE, input, other)
    if rounding_mode not in _ROUNDED:
        raise UsageError(f"div_: expected rounding_mode to be one of None, 'trunc', or 'floor' but found {rounding_mode!r}")
    return binary_(_ROUNDED[rounding_mode], input, other)


@torch_function
def abs_(input: Tensor) -> Tensor:
    """Absolute values, written over `input`, which is returned.

    Raises:
        UsageError: the items are complex: their moduli are real.
    """
    if input.array.dtype.is_complex:
        raise UsageError("In-place abs is not supported for complex tensors.")
    return unary_(_ABS, input)


@torch_function
def round_(input: Tensor, *, decimals: int = 0) -> Tensor:
    """The nearest multiples of `10 ** -decimals`, written over `input`, which is returned."""
    if not decimals:
        return unary_(_ROUND, input)
    return overwritten_by(round, input, decimals=decimals)


@torch_function(strict=True)
def clamp_(input: Tensor, min: Tensor | Number | None = None, max: Tensor | Number | None = None) -> Tensor:
    """Bound a tensor from below and above in place; see `clamp`.

    Args:
        input: the tensor; it is returned.
        min: the lower bound: a tensor that broadcasts to it, a number, or None for none.
        max: the upper bound, likewise.

    Raises:
        UsageError: both bounds are None.

    >>> torch.tensor([-2.0, 0.5, 2.0]).clamp_(-1, 1)
    tensor([-1.0000,  0.5000,  1.0000])
    """
    if (min is None and max is None) or not unrecorded("clamp", input, min, max):
        return overwritten_by(clamp, input, min, max)
    RANKED["clip"](input.array, array_of(min), array_of(max), input.array)
    return input


@torch_function(strict=True)
def clamp_min_(input: Tensor, min: Tensor | Number) -> Tensor:
    """Bound a tensor from below in place; see `clamp_min`.

    >>> torch.tensor([-2.0, 0.5]).clamp_min_(0)
    tensor([0.0000, 0.5000])
    """
    if not unrecorded("clamp_min", input, min):
        return overwritten_by(clamp_min, input, min)
    RANKED["clip"](input.array, array_of(min), None, input.array)
    return input


@torch_function(strict=True)
def clamp_max_(input: Tensor, max: Tensor | Number) -> Tensor:
    """Bound a tensor from above in place; see `clamp_max`.

    >>> torch.tensor([-2.0, 0.5]).clamp_max_(0)
    tensor([-2.,  0.])
    """
    if not unrecorded("clamp_max", input, max):
        return overwritten_by(clamp_max, input, max)
    RANKED["clip"](input.array, None, array_of(max), input.array)
    return input


clip_ = clamp_
subtract_ = sub_
absolute_ = abs_
divide_ = true_divide_ = div_
