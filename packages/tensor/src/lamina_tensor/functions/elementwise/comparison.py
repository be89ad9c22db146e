"""Comparisons and logic, item by item: a generated file, see `generate/tensor_elementwise.py`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...dispatch.elementwise import binary, elementwise, refuse_numbers, unary
from ...dispatch.torch_function import torch_function
from ...tensor_fields import AnyTensor

if TYPE_CHECKING:
    from ...tensor_class import Tensor
    from ...tensor_fields import Number

__all__ = [
    "eq", "ge", "greater", "greater_equal", "gt", "isfinite", "isinf", "isnan", "le", "less", "less_equal",
    "logical_and", "logical_not", "logical_or", "logical_xor", "lt", "ne", "not_equal", "signbit",
]


_EQ = elementwise("equal", 2)


@torch_function(strict=True, op=_EQ, tensors=1)
def eq(input: Tensor, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """Tell whether a == b, item by item.

    a and b are items of `input` and `other`.

    Args:
        input, other: a tensor, and a tensor that broadcasts with it or a number.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of the shape that the operands broadcast to, boolean.

    Raises:
        ShapeError: the shapes do not broadcast together.
        DeviceError: the operands are on different devices.
        TypeError: a number stands where a tensor is wanted.

    >>> torch.eq(torch.tensor([1.0, 2.0, float('nan')]), torch.tensor([2.0, 2.0, 2.0]))
    tensor([False,  True, False])
    """
    if not isinstance(input, AnyTensor):
        refuse_numbers("eq", input)
    return binary(_EQ, input, other, out)


_NE = elementwise("not_equal", 2)


@torch_function(strict=True, op=_NE, tensors=1)
def ne(input: Tensor, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """Tell whether a != b, item by item.

    a and b are items of `input` and `other`.

    Args:
        input, other: a tensor, and a tensor that broadcasts with it or a number.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of the shape that the operands broadcast to, boolean.

    Raises:
        ShapeError: the shapes do not broadcast together.
        DeviceError: the operands are on different devices.
        TypeError: a number stands where a tensor is wanted.

    >>> torch.ne(torch.tensor([1.0, 2.0, float('nan')]), torch.tensor([2.0, 2.0, 2.0]))
    tensor([ True, False,  True])
    """
    if not isinstance(input, AnyTensor):
        refuse_numbers("ne", input)
    return binary(_NE, input, other, out)


_LT = elementwise("less", 2)


@torch_function(strict=True, op=_LT, tensors=1)
def lt(input: Tensor, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """Tell whether a < b, item by item.

    a and b are items of `input` and `other`.

    Args:
        input, other: a tensor, and a tensor that broadcasts with it or a number.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of the shape that the operands broadcast to, boolean.

    Raises:
        DTypeError: an item is a complex number.
        ShapeError: the shapes do not broadcast together.
        DeviceError: the operands are on different devices.
        TypeError: a number stands where a tensor is wanted.

    >>> torch.lt(torch.tensor([1.0, 2.0, float('nan')]), torch.tensor([2.0, 2.0, 2.0]))
    tensor([ True, False, False])
    """
    if not isinstance(input, AnyTensor):
        refuse_numbers("lt", input)
    return binary(_LT, input, other, out)


_LE = elementwise("less_equal", 2)


@torch_function(strict=True, op=_LE, tensors=1)
def le(input: Tensor, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """Tell whether a <= b, item by item.

    a and b are items of `input` and `other`.

    Args:
        input, other: a tensor, and a tensor that broadcasts with it or a number.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of the shape that the operands broadcast to, boolean.

    Raises:
        DTypeError: an item is a complex number.
        ShapeError: the shapes do not broadcast together.
        DeviceError: the operands are on different devices.
        TypeError: a number stands where a tensor is wanted.

    >>> torch.le(torch.tensor([1.0, 2.0, float('nan')]), torch.tensor([2.0, 2.0, 2.0]))
    tensor([ True,  True, False])
    """
    if not isinstance(input, AnyTensor):
        refuse_numbers("le", input)
    return binary(_LE, input, other, out)


_GT = elementwise("greater", 2)


@torch_function(strict=True, op=_GT, tensors=1)
def gt(input: Tensor, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """Tell whether a > b, item by item.

    a and b are items of `input` and `other`.

    Args:
        input, other: a tensor, and a tensor that broadcasts with it or a number.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of the shape that the operands broadcast to, boolean.

    Raises:
        DTypeError: an item is a complex number.
        ShapeError: the shapes do not broadcast together.
        DeviceError: the operands are on different devices.
        TypeError: a number stands where a tensor is wanted.

    >>> torch.gt(torch.tensor([1.0, 2.0, float('nan')]), torch.tensor([2.0, 2.0, 2.0]))
    tensor([False, False, False])
    """
    if not isinstance(input, AnyTensor):
        refuse_numbers("gt", input)
    return binary(_GT, input, other, out)


_GE = elementwise("greater_equal", 2)


@torch_function(strict=True, op=_GE, tensors=1)
def ge(input: Tensor, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """Tell whether a >= b, item by item.

    a and b are items of `input` and `other`.

    Args:
        input, other: a tensor, and a tensor that broadcasts with it or a number.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of the shape that the operands broadcast to, boolean.

    Raises:
        DTypeError: an item is a complex number.
        ShapeError: the shapes do not broadcast together.
        DeviceError: the operands are on different devices.
        TypeError: a number stands where a tensor is wanted.

    >>> torch.ge(torch.tensor([1.0, 2.0, float('nan')]), torch.tensor([2.0, 2.0, 2.0]))
    tensor([False,  True, False])
    """
    if not isinstance(input, AnyTensor):
        refuse_numbers("ge", input)
    return binary(_GE, input, other, out)


_LOGICAL_AND = elementwise("logical_and", 2)


@torch_function(strict=True, op=_LOGICAL_AND, tensors=2)
def logical_and(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Tell whether both a and b are nonzero, item by item.

    a and b are items of `input` and `other`.

    Args:
        input, other: tensors of shapes that broadcast together.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of the shape that the operands broadcast to, boolean.

    Raises:
        ShapeError: the shapes do not broadcast together.
        DeviceError: the operands are on different devices.
        TypeError: a number stands where a tensor is wanted.

    >>> torch.logical_and(torch.tensor([True, False]), torch.tensor([True, True]))
    tensor([ True, False])
    """
    if not (isinstance(input, AnyTensor) and isinstance(other, AnyTensor)):
        refuse_numbers("logical_and", input, other)
    return binary(_LOGICAL_AND, input, other, out)


_LOGICAL_OR = elementwise("logical_or", 2)


@torch_function(strict=True, op=_LOGICAL_OR, tensors=2)
def logical_or(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Tell whether a or b is nonzero, item by item.

    a and b are items of `input` and `other`.

    Args:
        input, other: tensors of shapes that broadcast together.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of the shape that the operands broadcast to, boolean.

    Raises:
        ShapeError: the shapes do not broadcast together.
        DeviceError: the operands are on different devices.
        TypeError: a number stands where a tensor is wanted.

    >>> torch.logical_or(torch.tensor([True, False]), torch.tensor([True, True]))
    tensor([True, True])
    """
    if not (isinstance(input, AnyTensor) and isinstance(other, AnyTensor)):
        refuse_numbers("logical_or", input, other)
    return binary(_LOGICAL_OR, input, other, out)


_LOGICAL_XOR = elementwise("logical_xor", 2)


@torch_function(strict=True, op=_LOGICAL_XOR, tensors=2)
def logical_xor(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Tell whether exactly one of a and b is nonzero, item by item.

    a and b are items of `input` and `other`.

    Args:
        input, other: tensors of shapes that broadcast together.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of the shape that the operands broadcast to, boolean.

    Raises:
        ShapeError: the shapes do not broadcast together.
        DeviceError: the operands are on different devices.
        TypeError: a number stands where a tensor is wanted.

    >>> torch.logical_xor(torch.tensor([True, False]), torch.tensor([True, True]))
    tensor([False,  True])
    """
    if not (isinstance(input, AnyTensor) and isinstance(other, AnyTensor)):
        refuse_numbers("logical_xor", input, other)
    return binary(_LOGICAL_XOR, input, other, out)


_LOGICAL_NOT = elementwise("logical_not", 1)


@torch_function(op=_LOGICAL_NOT)
def logical_not(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Tell whether x is zero, item by item.

    x is an item of `input`.

    Args:
        input: A tensor of any shape.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of input's shape, boolean.

    >>> torch.logical_not(torch.tensor([True, False]))
    tensor([False,  True])
    """
    return unary(_LOGICAL_NOT, input, out)


_ISNAN = elementwise("isnan", 1)


@torch_function(op=_ISNAN)
def isnan(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Tell whether x is NaN, item by item.

    x is an item of `input`.

    Args:
        input: A tensor of any shape.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of input's shape, boolean.

    >>> torch.isnan(torch.tensor([1.0, 2.0, float('nan')]))
    tensor([False, False,  True])
    """
    return unary(_ISNAN, input, out)


_ISINF = elementwise("isinf", 1)


@torch_function(op=_ISINF)
def isinf(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Tell whether x is infinite, item by item.

    x is an item of `input`.

    Args:
        input: A tensor of any shape.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of input's shape, boolean.

    >>> torch.isinf(torch.tensor([1.0, 2.0, float('nan')]))
    tensor([False, False, False])
    """
    return unary(_ISINF, input, out)


_ISFINITE = elementwise("isfinite", 1)


@torch_function(op=_ISFINITE)
def isfinite(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Tell whether x is neither NaN nor infinite, item by item.

    x is an item of `input`.

    Args:
        input: A tensor of any shape.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of input's shape, boolean.

    >>> torch.isfinite(torch.tensor([1.0, 2.0, float('nan')]))
    tensor([ True,  True, False])
    """
    return unary(_ISFINITE, input, out)


_SIGNBIT = elementwise("signbit", 1)


@torch_function(op=_SIGNBIT)
def signbit(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Tell whether x has a minus sign, item by item, as -0.0 has.

    x is an item of `input`.

    Args:
        input: A tensor of any shape.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of input's shape, boolean.

    Raises:
        DTypeError: an item is a complex number.

    >>> torch.signbit(torch.tensor([1.0, 2.0, float('nan')]))
    tensor([False, False, False])
    """
    return unary(_SIGNBIT, input, out)


not_equal = ne
less = lt
less_equal = le
greater = gt
greater_equal = ge
