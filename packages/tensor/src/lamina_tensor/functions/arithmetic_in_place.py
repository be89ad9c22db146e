"""Arithmetic with PyTorch's extra arguments, written over its first operand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lamina_flatarray import UsageError

from ..dispatch.elementwise import elementwise
from ..dispatch.torch_function import torch_function
from ..methods.in_place import binary_, scaled_sum_, unary_
from ..methods.rewriting import written_back
from .arithmetic import round

if TYPE_CHECKING:
    from ..tensor import Tensor
    from ..tensor_fields import Number

__all__ = ["abs_", "absolute_", "add_", "div_", "divide_", "round_", "sub_", "subtract_", "true_divide_"]

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
        raise UsageError(f"div expected rounding_mode to be one of None, 'trunc', or 'floor' but found {rounding_mode!r}")
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
    return _round_to_decimals(input, decimals=decimals)


_round_to_decimals = written_back(round)

subtract_ = sub_
absolute_ = abs_
divide_ = true_divide_ = div_
