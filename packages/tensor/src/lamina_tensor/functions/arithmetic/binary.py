"""Sums, differences, quotients, rounding and bounds, item by item, with PyTorch's further arguments."""

from __future__ import annotations

from math import inf
from sys import float_info
from typing import TYPE_CHECKING, Any, Final

from lamina_flatarray import DTypeError, UsageError, result_type
from lamina_ndarray.indexing.writable import filling

from ...autograd.recording import array_of, recorded
from ...autograd.rules import RULES
from ...dispatch.elementwise import binary, elementwise, refuse_numbers, unary, weighted
from ...dispatch.out import written
from ...dispatch.tensor_functions import af
from ...dispatch.torch_function import torch_function
from ...tensor_fields import AnyTensor

if TYPE_CHECKING:
    from ...tensor_class import Tensor
    from ...tensor_fields import Number

__all__ = [
    "add", "clamp", "clamp_max", "clamp_min", "clip", "div", "divide", "round", "rsub", "sub", "subtract", "true_divide",
]  # fmt: skip

_ADD, _SUBTRACT, _DIVIDE, _FLOOR_DIVIDE, _TRUNC_DIVIDE, _MULTIPLY, _MAXIMUM, _MINIMUM = (
    elementwise(name, 2) for name in ("add", "subtract", "divide", "floor_divide", "trunc_divide", "multiply", "maximum", "minimum")
)
_ROUND = elementwise("round", 1)
_NUMBERS: Final = {"b": False, "i": 0, "u": 0, "f": 0.0, "c": 0j}
"""Per kind of dtype a number of that kind."""


@torch_function(strict=True, op=_ADD)
def add(input: Tensor | Number, other: Tensor | Number, *, alpha: Number = 1, out: Tensor | None = None) -> Tensor:
    """Add two tensors: `input + alpha * other`.

    Args:
        input: a tensor or a number.
        other: a tensor or a number; they broadcast together.
        alpha: what `other` is multiplied by.
        out: where to write the result.

    Returns:
        The sums, or `out`.

    Raises:
        ShapeError: the shapes do not broadcast.

    >>> torch.add(torch.tensor([1, 2]), torch.tensor([3, 4]), alpha=10)
    tensor([31, 42])
    """
    return binary(_ADD, input, other if alpha == 1 else weighted(_ADD, input, other, alpha), out)


@torch_function(strict=True, op=_SUBTRACT)
def sub(input: Tensor | Number, other: Tensor | Number, *, alpha: Number = 1, out: Tensor | None = None) -> Tensor:
    """Subtract a tensor from another: `input - alpha * other`.

    Args:
        input: a tensor or a number.
        other: a tensor or a number; they broadcast together.
        alpha: what `other` is multiplied by.
        out: where to write the result.

    Returns:
        The differences, or `out`.

    Raises:
        ShapeError: the shapes do not broadcast.
        DTypeError: one of them is boolean.

    >>> torch.sub(torch.tensor([1, 2]), torch.tensor([3, 4]))
    tensor([-2, -2])
    """
    return binary(_SUBTRACT, input, other if alpha == 1 else weighted(_SUBTRACT, input, other, alpha), out)


subtract = sub


@torch_function(strict=True)
def rsub(input: Tensor, other: Tensor | Number, *, alpha: Number = 1) -> Tensor:
    """Subtract a tensor from another, the other way round: `other - alpha * input`.

    Args:
        input: a tensor.
        other: a tensor or a number; they broadcast together.
        alpha: what `input` is multiplied by.

    Returns:
        The differences.

    Raises:
        ShapeError: the shapes do not broadcast.
        TypeError: `input` is a number.

    >>> torch.rsub(torch.tensor([1, 2]), 10)
    tensor([9, 8])
    """
    refuse_numbers("rsub", input)
    return binary(_SUBTRACT, other, input if alpha == 1 else weighted(_SUBTRACT, other, input, alpha))


@torch_function(strict=True, op=_DIVIDE)
def div(
    input: Tensor | Number, other: Tensor | Number, *, rounding_mode: str | None = None, out: Tensor | None = None
) -> Tensor:
    """Divide a tensor by another.

    Args:
        input: a tensor or a number.
        other: a tensor or a number; they broadcast together.
        rounding_mode: None for true quotients, floating-point for integers; "trunc" for those rounded towards zero; "floor" for
            those rounded down.
        out: where to write the result.

    Returns:
        The quotients, or `out`.

    Raises:
        ShapeError: the shapes do not broadcast.
        UsageError: the rounding mode is another one.

    >>> x = torch.tensor([-7, 7])
    >>> torch.div(x, 2), torch.div(x, 2, rounding_mode="trunc"), torch.div(x, 2, rounding_mode="floor")
    (tensor([-3.5000,  3.5000]), tensor([-3,  3]), tensor([-4,  3]))
    """
    if rounding_mode is None:
        return binary(_DIVIDE, input, other, out)
    if rounding_mode == "floor":
        return floor_quotient(input, other) if out is None else binary(_FLOOR_DIVIDE, input, other, out)
    if rounding_mode != "trunc":
        raise UsageError(f"div: expected rounding_mode to be one of None, 'trunc', or 'floor' but found {rounding_mode!r}")
    return binary(_TRUNC_DIVIDE, input, other, out)


divide = div


def floor_quotient(input: Any, other: Any) -> Tensor:
    """`input // other` whose gradients are zeros, as those of other rounded quotients; `//` itself has none."""
    result = _FLOOR_DIVIDE.compute(array_of(input), array_of(other))
    return recorded(RULES["trunc_divide"], result, (input, other))


@torch_function(strict=True, op=_DIVIDE)
def true_divide(input: Tensor | Number, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """Divide a tensor by another, without rounding.

    Args:
        input: a tensor or a number.
        other: a tensor or a number; they broadcast together.
        out: where to write the result.

    Returns:
        The quotients, floating-point for integers, or `out`.

    Raises:
        ShapeError: the shapes do not broadcast.

    >>> torch.true_divide(torch.tensor([1, 2]), 2)
    tensor([0.5000, 1.0000])
    """
    return binary(_DIVIDE, input, other, out)


@torch_function(strict=True, op=_ROUND)
def round(input: Tensor, *, decimals: int = 0, out: Tensor | None = None) -> Tensor:
    """Round to the nearest multiple of a power of ten; halves are rounded to the even one.

    Args:
        input: the tensor.
        decimals: to how many places behind the point; negative for places before it.
        out: where to write the result.

    Returns:
        The rounded numbers, or `out`.

    Raises:
        DTypeError: `decimals` are given, and the items are not floating-point numbers.

    >>> torch.round(torch.tensor([0.5, 1.5, 2.6])), torch.round(torch.tensor([0.126]), decimals=2)
    (tensor([0., 2., 3.]), tensor([0.1300]))
    """
    if not decimals:
        return unary(_ROUND, input, out)
    if not input.array.dtype.is_floating_point:
        raise DTypeError(f"round: not defined for {input.array.dtype!r} with decimals={decimals}; it wants a floating dtype")
    scale = 10.0 ** abs(decimals) if abs(decimals) <= float_info.max_10_exp else inf
    if decimals > 0:
        result = binary(_DIVIDE, unary(_ROUND, input * scale), scale)
    else:
        result = binary(_MULTIPLY, unary(_ROUND, input / scale), scale)
    return result if out is None else written("round", out, result)


@torch_function(strict=True)
def clamp(
    input: Tensor, min: Tensor | Number | None = None, max: Tensor | Number | None = None, *, out: Tensor | None = None
) -> Tensor:
    """Bound a tensor from below and above.

    Args:
        input: the tensor.
        min: the lower bound: a tensor, a number, or None for none; they broadcast together.
        max: the upper bound, likewise; it wins where it is below the lower one.
        out: where to write the result.

    Returns:
        The items within the bounds, or `out`.

    Raises:
        ShapeError: the shapes do not broadcast.
        UsageError: both bounds are None.
        TypeError: one bound is a number and the other a tensor.

    >>> torch.clamp(torch.tensor([-2.0, 0.5, 2.0]), min=-1, max=1)
    tensor([-1.0000,  0.5000,  1.0000])
    """
    if min is None or max is None:
        if min is max:
            raise UsageError("clamp: At least one of 'min' or 'max' must not be None")
    elif isinstance(min, AnyTensor) is not isinstance(max, AnyTensor):
        bound: Any = min if isinstance(min, AnyTensor) else max
        if bound.array.layout.ndim or bound.requires_grad:
            raise TypeError("clamp(): the bounds must be two tensors or two numbers, but one is a Tensor and the other is not")
        kind = "f" if bound.dtype.is_complex and input.dtype.is_floating_point else bound.dtype.kind  # of its value, a number
        dtype = result_type(input.array, _NUMBERS[kind])
        bound = filling("clamp", bound, dtype).to(dtype)
        min, max = (bound, max) if isinstance(min, AnyTensor) else (min, bound)
    result = af.clip(input, min, max)
    return result if out is None else written("clamp", out, result, casts=isinstance(min, AnyTensor) or isinstance(max, AnyTensor))


clip = clamp


@torch_function(strict=True)
def clamp_min(input: Tensor, min: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """Bound a tensor from below.

    Args:
        input: the tensor.
        min: the bound: a tensor or a number; they broadcast together.
        out: where to write the result.

    Returns:
        The items, none below the bound, or `out`.

    Raises:
        ShapeError: the shapes do not broadcast.
        TypeError: `input` is a number.

    >>> torch.clamp_min(torch.tensor([-2.0, 0.5]), 0)
    tensor([0.0000, 0.5000])
    """
    refuse_numbers("clamp_min", input)
    if out is not None and isinstance(min, AnyTensor):
        return binary(_MAXIMUM, input, min, out)
    result = af.clip(input, min)
    return result if out is None else written("clamp_min", out, result)


@torch_function(strict=True)
def clamp_max(input: Tensor, max: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """Bound a tensor from above.

    Args:
        input: the tensor.
        max: the bound: a tensor or a number; they broadcast together.
        out: where to write the result.

    Returns:
        The items, none above the bound, or `out`.

    Raises:
        ShapeError: the shapes do not broadcast.
        TypeError: `input` is a number.

    >>> torch.clamp_max(torch.tensor([-2.0, 0.5]), 0)
    tensor([-2.,  0.])
    """
    refuse_numbers("clamp_max", input)
    if out is not None and isinstance(max, AnyTensor):
        return binary(_MINIMUM, input, max, out)
    result = af.clip(input, None, max)
    return result if out is None else written("clamp_max", out, result)
