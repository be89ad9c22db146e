"""Arithmetic and choice with PyTorch's extra arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lamina_flatarray import DType, DTypeError, promotion

from ..dispatch import array_functions as af
from ..dispatch.spelling import check_tensors
from ..tensor_fields import TensorFields
from .positions import nonzero

if TYPE_CHECKING:
    from ..tensor import Tensor

__all__ = [
    "add", "clamp", "clamp_max", "clamp_min", "div", "is_complex", "is_floating_point", "is_nonzero", "is_tensor",
    "numel", "result_type", "round", "rsub", "sub", "where",
]  # fmt: skip

def is_tensor(x: object) -> bool:
    """Whether x is a Tensor."""
    return isinstance(x, TensorFields)


def numel(x: Tensor) -> int:
    """How many items there are."""
    return x.array.layout.size


def result_type(tensor1: Any, tensor2: Any) -> DType:
    """The dtype of two operands together, a tensor without dims counting for less than one with dims."""
    return promotion.result_type(tensor1, tensor2)


def is_floating_point(input: Tensor) -> bool:
    """Whether the items are floating-point numbers."""
    return input.array.dtype.is_floating_point


def is_complex(input: Tensor) -> bool:
    """Whether the items are complex numbers."""
    return input.array.dtype.is_complex


def is_nonzero(input: Tensor) -> bool:
    """Whether the only item is not zero.

    Raises:
        ShapeError: there are none, or several.
    """
    return bool(input.array)


def add(input: Any, other: Any, *, alpha: float = 1, out: Tensor | None = None) -> Tensor:
    """`input + alpha * other`."""
    return af.FUNCTIONS["add"](input, other if alpha == 1 else other * alpha, out=out)


def sub(input: Any, other: Any, *, alpha: float = 1, out: Tensor | None = None) -> Tensor:
    """`input - alpha * other`."""
    return af.FUNCTIONS["subtract"](input, other if alpha == 1 else other * alpha, out=out)


def rsub(input: Tensor, other: Any, *, alpha: float = 1) -> Tensor:
    """`other - alpha * input`."""
    check_tensors("rsub", input)
    return af.FUNCTIONS["subtract"](other, input if alpha == 1 else input * alpha)


def div(input: Any, other: Any, *, rounding_mode: str | None = None, out: Tensor | None = None) -> Tensor:
    """`input / other`; rounded towards zero for "trunc", towards minus infinity for "floor".

    Raises:
        ValueError: `rounding_mode` is something else.
    """
    if rounding_mode is None:
        return af.FUNCTIONS["divide"](input, other, out=out)
    if rounding_mode == "floor":
        return af.FUNCTIONS["floor_divide"](input, other, out=out)
    if rounding_mode != "trunc":
        raise ValueError(f"div: rounding_mode {rounding_mode!r} given; it wants None, 'trunc' or 'floor'")
    return af.FUNCTIONS["trunc_divide"](input, other, out=out)


def round(input: Tensor, *, decimals: int = 0, out: Tensor | None = None) -> Tensor:
    """To the nearest multiple of `10 ** -decimals`; halves go to the even one.

    Raises:
        DTypeError: `decimals` are asked for of a dtype that is not floating-point.
    """
    if not decimals:
        return af.FUNCTIONS["round"](input, out=out)
    if not input.array.dtype.is_floating_point:
        raise DTypeError(f"round: not defined for {input.dtype!r} with decimals={decimals}; it wants a floating dtype")
    scale = 10.0 ** abs(decimals)
    rounded = af.FUNCTIONS["round"]
    if decimals > 0:
        return af.FUNCTIONS["divide"](rounded(input * scale), scale, out=out)
    return af.FUNCTIONS["multiply"](rounded(input / scale), scale, out=out)


def where(condition: Tensor, input: Any = None, other: Any = None) -> Any:
    """`input` where the condition holds, else `other`; with the condition alone, where it holds."""
    if input is None and other is None:
        return nonzero(condition, as_tuple=True)
    return af.FUNCTIONS["where"](condition, input, other)


def clamp(input: Tensor, min: Any = None, max: Any = None) -> Tensor:
    """`input` held between two bounds: numbers, tensors that broadcast, or None for no bound.

    Raises:
        DTypeError: both bounds are None.
    """
    if min is None and max is None:
        raise DTypeError("clamp: At least one of 'min' or 'max' must not be None")
    return af.clip(input, min, max)


def clamp_min(input: Tensor, min: Any, *, out: Tensor | None = None) -> Tensor:
    """Not less than `min`."""
    check_tensors("clamp_min", input)
    return af.clip(input, min) if out is None else af.FUNCTIONS["maximum"](input, min, out=out)


def clamp_max(input: Tensor, max: Any, *, out: Tensor | None = None) -> Tensor:
    """Not greater than `max`."""
    check_tensors("clamp_max", input)
    return af.clip(input, None, max) if out is None else af.FUNCTIONS["minimum"](input, max, out=out)
