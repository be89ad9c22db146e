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
from ...tensor_fields import AnyTensor
from .binary import clamp, clamp_max, clamp_min, div, round

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
    """Add `alpha * other` to a tensor in place; see `add`.

    Args:
        input: the tensor to overwrite, whose dtype must hold the result.
        other: a tensor that broadcasts to input's shape, or a number.
        alpha: what `other` is multiplied by.

    Returns:
        `input`.

    >>> torch.tensor([1.0, 2.0]).add_(torch.tensor([3.0, 4.0]), alpha=10)
    tensor([31., 42.])
    """
    if alpha.__class__ is int and alpha == 1:
        return binary_(_ADD, input, other)
    return scaled_sum_(_ADD, input, other, alpha, 1)


@torch_function(strict=True)
def sub_(input: Tensor, other: Tensor | Number, *, alpha: Number = 1) -> Tensor:
    """Subtract `alpha * other` from a tensor in place; see `sub`.

    Args:
        input: the tensor to overwrite, whose dtype must hold the result.
        other: a tensor that broadcasts to input's shape, or a number.
        alpha: what `other` is multiplied by.

    Returns:
        `input`.

    >>> torch.tensor([1.0, 2.0]).sub_(1)
    tensor([0., 1.])
    """
    if alpha.__class__ is int and alpha == 1:
        return binary_(_SUBTRACT, input, other)
    return scaled_sum_(_SUBTRACT, input, other, alpha, -1)


@torch_function(strict=True)
def div_(input: Tensor, other: Tensor | Number, *, rounding_mode: str | None = None) -> Tensor:
    """Divide a tensor by another one in place; see `div`.

    Args:
        input: the tensor to overwrite: of a floating-point or complex dtype, unless the quotients are rounded.
        other: a tensor that broadcasts to input's shape, or a number.
        rounding_mode: None for the quotients themselves, "trunc" to round them towards zero, "floor" to round them down.

    Returns:
        `input`.

    Raises:
        UsageError: `rounding_mode` is none of None, "trunc" and "floor".

    >>> torch.tensor([7.0, -7.0]).div_(2, rounding_mode="floor")
    tensor([ 3., -4.])
    """
    if rounding_mode is None:
        return binary_(_DIVIDE, input, other)
    if rounding_mode not in _ROUNDED:
        raise UsageError(f"div_: expected rounding_mode to be one of None, 'trunc', or 'floor' but found {rounding_mode!r}")
    if rounding_mode == "floor" and not unrecorded("div", input, other):
        return overwritten_by(div, input, other, rounding_mode="floor")  # whose gradient is zeros; `//=` has none
    return binary_(_ROUNDED[rounding_mode], input, other)


@torch_function
def abs_(input: Tensor) -> Tensor:
    """Replace numbers by their absolute values in place.

    Args:
        input: the tensor to overwrite.

    Returns:
        `input`.

    Raises:
        UsageError: the items are complex: their moduli are real.

    >>> torch.tensor([-1.5, 2.0]).abs_()
    tensor([1.5000, 2.0000])
    """
    if input.array.dtype.is_complex:
        raise UsageError("In-place abs is not supported for complex tensors.")
    return unary_(_ABS, input)


@torch_function
def round_(input: Tensor, *, decimals: int = 0) -> Tensor:
    """Round in place to the nearest multiples of `10 ** -decimals`, and to even ones in the middle; see `round`.

    Args:
        input: the tensor to overwrite.
        decimals: how many digits after the point are kept; negative ones round to tens, hundreds and so on.

    Returns:
        `input`.

    >>> torch.tensor([0.5, 1.26, 2.5]).round_()
    tensor([0., 1., 2.])
    >>> torch.tensor([1.26]).round_(decimals=1)
    tensor([1.3000])
    """
    if not decimals:
        return unary_(_ROUND, input)
    return overwritten_by(round, input, decimals=decimals)


@torch_function(strict=True)
def clamp_(input: Tensor, min: Tensor | Number | None = None, max: Tensor | Number | None = None) -> Tensor:
    """Bound a tensor from below and above in place; see `clamp`.

    Args:
        input: the tensor to overwrite.
        min: the lower bound: a tensor that broadcasts to it, a number, or None for none.
        max: the upper bound, likewise.

    Returns:
        `input`.

    Raises:
        UsageError: both bounds are None.

    >>> torch.tensor([-2.0, 0.5, 2.0]).clamp_(-1, 1)
    tensor([-1.0000,  0.5000,  1.0000])
    """
    mixed = isinstance(min, AnyTensor) is not isinstance(max, AnyTensor)
    if (min is max is None) or mixed or not unrecorded("clamp", input, min, max):
        return overwritten_by(clamp, input, min, max)
    RANKED["clip"](input.array, array_of(min), array_of(max), input.array)
    return input


@torch_function(strict=True)
def clamp_min_(input: Tensor, min: Tensor | Number) -> Tensor:
    """Bound a tensor from below in place; see `clamp_min`.

    Args:
        input: the tensor to overwrite.
        min: the lower bound: a tensor that broadcasts to it, or a number.

    Returns:
        `input`.

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

    Args:
        input: the tensor to overwrite.
        max: the upper bound: a tensor that broadcasts to it, or a number.

    Returns:
        `input`.

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
