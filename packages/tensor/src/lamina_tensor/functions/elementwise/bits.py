"""Functions of whole numbers and of their bits, item by item: a generated file, see `generate/tensor_elementwise.py`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...dispatch.elementwise import binary, elementwise, refuse_numbers, unary
from ...dispatch.torch_function import torch_function
from ...tensor_fields import AnyTensor

if TYPE_CHECKING:
    from ...tensor_class import Tensor
    from ...tensor_fields import Number

__all__ = [
    "bitwise_and", "bitwise_left_shift", "bitwise_not", "bitwise_or", "bitwise_right_shift", "bitwise_xor", "gcd",
]


_GCD = elementwise("gcd", 2)


@torch_function(strict=True, op=_GCD, tensors=2)
def gcd(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute the greatest common divisor of a and b, item by item; it is never negative, and gcd(0, 0) is 0.

    a and b are items of `input` and `other`.

    Args:
        input, other: tensors of shapes that broadcast together.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of the shape that the operands broadcast to, of the operands' dtype.

    Raises:
        DTypeError: an item is not an integer.
        ShapeError: the shapes do not broadcast together.
        DeviceError: the operands are on different devices.
        TypeError: a number stands where a tensor is wanted.

    >>> torch.gcd(torch.tensor([5, 6, 7]), torch.tensor([3, 2, 1]))
    tensor([1, 2, 1])
    """
    if not (isinstance(input, AnyTensor) and isinstance(other, AnyTensor)):
        refuse_numbers("gcd", input, other)
    return binary(_GCD, input, other, out)


_BITWISE_AND = elementwise("bitwise_and", 2)


@torch_function(strict=True, op=_BITWISE_AND)
def bitwise_and(input: Tensor | Number, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """Compute a & b, item by item.

    a and b are items of `input` and `other`.

    Args:
        input, other: tensors of shapes that broadcast together; one of them may be a number.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of the shape that the operands broadcast to, of the operands' dtype.

    Raises:
        DTypeError: an item is a floating-point or complex number.
        ShapeError: the shapes do not broadcast together.
        DeviceError: the operands are on different devices.

    >>> torch.bitwise_and(torch.tensor([5, 6, 7]), torch.tensor([3, 2, 1]))
    tensor([1, 2, 1])
    """
    return binary(_BITWISE_AND, input, other, out)


_BITWISE_OR = elementwise("bitwise_or", 2)


@torch_function(strict=True, op=_BITWISE_OR)
def bitwise_or(input: Tensor | Number, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """Compute a | b, item by item.

    a and b are items of `input` and `other`.

    Args:
        input, other: tensors of shapes that broadcast together; one of them may be a number.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of the shape that the operands broadcast to, of the operands' dtype.

    Raises:
        DTypeError: an item is a floating-point or complex number.
        ShapeError: the shapes do not broadcast together.
        DeviceError: the operands are on different devices.

    >>> torch.bitwise_or(torch.tensor([5, 6, 7]), torch.tensor([3, 2, 1]))
    tensor([7, 6, 7])
    """
    return binary(_BITWISE_OR, input, other, out)


_BITWISE_XOR = elementwise("bitwise_xor", 2)


@torch_function(strict=True, op=_BITWISE_XOR)
def bitwise_xor(input: Tensor | Number, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """Compute a ^ b, item by item.

    a and b are items of `input` and `other`.

    Args:
        input, other: tensors of shapes that broadcast together; one of them may be a number.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of the shape that the operands broadcast to, of the operands' dtype.

    Raises:
        DTypeError: an item is a floating-point or complex number.
        ShapeError: the shapes do not broadcast together.
        DeviceError: the operands are on different devices.

    >>> torch.bitwise_xor(torch.tensor([5, 6, 7]), torch.tensor([3, 2, 1]))
    tensor([6, 4, 6])
    """
    return binary(_BITWISE_XOR, input, other, out)


_BITWISE_NOT = elementwise("bitwise_invert", 1)


@torch_function(op=_BITWISE_NOT)
def bitwise_not(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute ~x, item by item; logical not for bool.

    x is an item of `input`.

    Args:
        input: A tensor of any shape.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of input's shape, of the operands' dtype.

    Raises:
        DTypeError: an item is a floating-point or complex number.

    >>> torch.bitwise_not(torch.tensor([5, 6, 7]))
    tensor([-6, -7, -8])
    """
    return unary(_BITWISE_NOT, input, out)


_BITWISE_LEFT_SHIFT = elementwise("bitwise_left_shift", 2)


@torch_function(strict=True, op=_BITWISE_LEFT_SHIFT)
def bitwise_left_shift(input: Tensor | Number, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """Shift the bits of a to the left by b places, item by item; zeros come in.

    a and b are items of `input` and `other`.

    Args:
        input, other: tensors of shapes that broadcast together; one of them may be a number.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of the shape that the operands broadcast to, of the operands' dtype.

    Raises:
        DTypeError: an item is not an integer.
        ShapeError: the shapes do not broadcast together.
        DeviceError: the operands are on different devices.

    >>> torch.bitwise_left_shift(torch.tensor([5, 6, 7]), torch.tensor([3, 2, 1]))
    tensor([40, 24, 14])
    """
    return binary(_BITWISE_LEFT_SHIFT, input, other, out)


_BITWISE_RIGHT_SHIFT = elementwise("bitwise_right_shift", 2)


@torch_function(strict=True, op=_BITWISE_RIGHT_SHIFT)
def bitwise_right_shift(input: Tensor | Number, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """Shift the bits of a to the right by b places, item by item; copies of the sign bit come in.

    a and b are items of `input` and `other`.

    Args:
        input, other: tensors of shapes that broadcast together; one of them may be a number.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of the shape that the operands broadcast to, of the operands' dtype.

    Raises:
        DTypeError: an item is not an integer.
        ShapeError: the shapes do not broadcast together.
        DeviceError: the operands are on different devices.

    >>> torch.bitwise_right_shift(torch.tensor([5, 6, 7]), torch.tensor([3, 2, 1]))
    tensor([0, 1, 3])
    """
    return binary(_BITWISE_RIGHT_SHIFT, input, other, out)
