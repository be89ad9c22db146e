"""Functions of two tensors, item by item: a generated file, see `generate/tensor_elementwise.py`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...dispatch.elementwise import binary, elementwise, refuse_numbers, row_major
from ...dispatch.torch_function import torch_function
from ...tensor_fields import AnyTensor

if TYPE_CHECKING:
    from ...tensor_class import Tensor
    from ...tensor_fields import Number

__all__ = [
    "arctan2", "atan2", "copysign", "floor_divide", "fmax", "fmin", "fmod", "heaviside", "hypot", "igamma", "igammac",
    "logaddexp", "logaddexp2", "maximum", "minimum", "mul", "multiply", "nextafter", "pow", "remainder", "xlogy",
]


_MUL = elementwise("multiply", 2)


@torch_function(strict=True, op=_MUL)
def mul(input: Tensor | Number, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """Multiply a by b, item by item; booleans are combined with logical and.

    a and b are items of `input` and `other`.

    Args:
        input, other: tensors of shapes that broadcast together; one of them may be a number.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of the shape that the operands broadcast to, of the operands' dtype.

    Raises:
        ShapeError: the shapes do not broadcast together.
        DeviceError: the operands are on different devices.

    >>> torch.mul(torch.tensor([-1.5, 0.0, 2.0]), torch.tensor([2.0, 3.0, 0.5]))
    tensor([-3.,  0.,  1.])
    """
    return binary(_MUL, input, other, out)


_FLOOR_DIVIDE = elementwise("floor_divide", 2)


@torch_function(strict=True, op=_FLOOR_DIVIDE)
def floor_divide(input: Tensor | Number, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """Divide a by b and round down to an integer, item by item: floor(a / b).

    a and b are items of `input` and `other`.

    Args:
        input, other: tensors of shapes that broadcast together; one of them may be a number.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of the shape that the operands broadcast to, of the operands' dtype.

    Raises:
        DTypeError: an item is a boolean or a complex number.
        ShapeError: the shapes do not broadcast together.
        DeviceError: the operands are on different devices.

    >>> torch.floor_divide(torch.tensor([-1.5, 0.0, 2.0]), torch.tensor([2.0, 3.0, 0.5]))
    tensor([-1.,  0.,  4.])
    """
    return binary(_FLOOR_DIVIDE, input, other, out)


_REMAINDER = elementwise("remainder", 2)


@torch_function(strict=True, op=_REMAINDER)
def remainder(input: Tensor | Number, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """Compute the remainder a - b * floor(a / b), item by item; it has the sign of b.

    a and b are items of `input` and `other`.

    Args:
        input, other: tensors of shapes that broadcast together; one of them may be a number.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of the shape that the operands broadcast to, of the operands' dtype.

    Raises:
        DTypeError: an item is a boolean or a complex number.
        ShapeError: the shapes do not broadcast together.
        DeviceError: the operands are on different devices.

    >>> torch.remainder(torch.tensor([-1.5, 0.0, 2.0]), torch.tensor([2.0, 3.0, 0.5]))
    tensor([0.5000, 0.0000, 0.0000])
    """
    return binary(_REMAINDER, input, other, out)


_FMOD = elementwise("fmod", 2)


@torch_function(strict=True, op=_FMOD, tensors=1)
def fmod(input: Tensor, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """Compute the remainder a - b * trunc(a / b), item by item; it has the sign of a.

    a and b are items of `input` and `other`.

    Args:
        input, other: a tensor, and a tensor that broadcasts with it or a number.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of the shape that the operands broadcast to, of the operands' dtype.

    Raises:
        DTypeError: an item is a boolean or a complex number.
        ShapeError: the shapes do not broadcast together.
        DeviceError: the operands are on different devices.
        TypeError: a number stands where a tensor is wanted.

    >>> torch.fmod(torch.tensor([-1.5, 0.0, 2.0]), torch.tensor([2.0, 3.0, 0.5]))
    tensor([-1.5000,  0.0000,  0.0000])
    """
    if not isinstance(input, AnyTensor):
        refuse_numbers("fmod", input)
    return binary(_FMOD, input, other, out)


_POW = elementwise("pow", 2)


@torch_function(strict=True, op=_POW, tensors=1)
def pow(input: Tensor | Number, exponent: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """Raise a to the power b, item by item; integers wrap.

    a and b are items of `input` and `exponent`.

    Args:
        input, exponent: tensors of shapes that broadcast together; one of them may be a number.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of the shape that the operands broadcast to, of the operands' dtype.

    Raises:
        DTypeError: an item is a boolean.
        ShapeError: the shapes do not broadcast together.
        DeviceError: the operands are on different devices.

    >>> torch.pow(torch.tensor([-1.5, 0.0, 2.0]), torch.tensor([2.0, 3.0, 0.5]))
    tensor([2.2500, 0.0000, 1.4142])
    """
    if not isinstance(input, AnyTensor):
        exponent = row_major(exponent)
    return binary(_POW, input, exponent, out)


_MAXIMUM = elementwise("maximum", 2)


@torch_function(strict=True, op=_MAXIMUM, tensors=2)
def maximum(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute the greater of a and b, item by item; NaN wins.

    a and b are items of `input` and `other`.

    Args:
        input, other: tensors of shapes that broadcast together.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of the shape that the operands broadcast to, of the operands' dtype.

    Raises:
        DTypeError: an item is a complex number.
        ShapeError: the shapes do not broadcast together.
        DeviceError: the operands are on different devices.
        TypeError: a number stands where a tensor is wanted.

    >>> torch.maximum(torch.tensor([-1.5, 0.0, 2.0]), torch.tensor([2.0, 3.0, 0.5]))
    tensor([2., 3., 2.])
    """
    if not (isinstance(input, AnyTensor) and isinstance(other, AnyTensor)):
        refuse_numbers("maximum", input, other)
    return binary(_MAXIMUM, input, other, out)


_MINIMUM = elementwise("minimum", 2)


@torch_function(strict=True, op=_MINIMUM, tensors=2)
def minimum(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute the smaller of a and b, item by item; NaN wins.

    a and b are items of `input` and `other`.

    Args:
        input, other: tensors of shapes that broadcast together.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of the shape that the operands broadcast to, of the operands' dtype.

    Raises:
        DTypeError: an item is a complex number.
        ShapeError: the shapes do not broadcast together.
        DeviceError: the operands are on different devices.
        TypeError: a number stands where a tensor is wanted.

    >>> torch.minimum(torch.tensor([-1.5, 0.0, 2.0]), torch.tensor([2.0, 3.0, 0.5]))
    tensor([-1.5000,  0.0000,  0.5000])
    """
    if not (isinstance(input, AnyTensor) and isinstance(other, AnyTensor)):
        refuse_numbers("minimum", input, other)
    return binary(_MINIMUM, input, other, out)


_FMAX = elementwise("fmax", 2)


@torch_function(strict=True, op=_FMAX, tensors=2)
def fmax(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute the greater of a and b, item by item; a number wins over NaN.

    a and b are items of `input` and `other`.

    Args:
        input, other: tensors of shapes that broadcast together.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of the shape that the operands broadcast to, of the operands' dtype.

    Raises:
        DTypeError: an item is a complex number.
        ShapeError: the shapes do not broadcast together.
        DeviceError: the operands are on different devices.
        TypeError: a number stands where a tensor is wanted.

    >>> torch.fmax(torch.tensor([-1.5, 0.0, 2.0]), torch.tensor([2.0, 3.0, 0.5]))
    tensor([2., 3., 2.])
    """
    if not (isinstance(input, AnyTensor) and isinstance(other, AnyTensor)):
        refuse_numbers("fmax", input, other)
    return binary(_FMAX, input, other, out)


_FMIN = elementwise("fmin", 2)


@torch_function(strict=True, op=_FMIN, tensors=2)
def fmin(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute the smaller of a and b, item by item; a number wins over NaN.

    a and b are items of `input` and `other`.

    Args:
        input, other: tensors of shapes that broadcast together.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of the shape that the operands broadcast to, of the operands' dtype.

    Raises:
        DTypeError: an item is a complex number.
        ShapeError: the shapes do not broadcast together.
        DeviceError: the operands are on different devices.
        TypeError: a number stands where a tensor is wanted.

    >>> torch.fmin(torch.tensor([-1.5, 0.0, 2.0]), torch.tensor([2.0, 3.0, 0.5]))
    tensor([-1.5000,  0.0000,  0.5000])
    """
    if not (isinstance(input, AnyTensor) and isinstance(other, AnyTensor)):
        refuse_numbers("fmin", input, other)
    return binary(_FMIN, input, other, out)


_ATAN2 = elementwise("atan2", 2)


@torch_function(strict=True, op=_ATAN2, tensors=2)
def atan2(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute the angle of the point (b, a), item by item.

    a and b are items of `input` and `other`.

    Args:
        input, other: tensors of shapes that broadcast together.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of the shape that the operands broadcast to, floating-point: integers and booleans become the default dtype.

    Raises:
        DTypeError: an item is a complex number.
        ShapeError: the shapes do not broadcast together.
        DeviceError: the operands are on different devices.
        TypeError: a number stands where a tensor is wanted.

    >>> torch.atan2(torch.tensor([-1.5, 0.0, 2.0]), torch.tensor([2.0, 3.0, 0.5]))
    tensor([-0.6435,  0.0000,  1.3258])
    """
    if not (isinstance(input, AnyTensor) and isinstance(other, AnyTensor)):
        refuse_numbers("atan2", input, other)
    return binary(_ATAN2, input, other, out)


_HYPOT = elementwise("hypot", 2)


@torch_function(strict=True, op=_HYPOT, tensors=2)
def hypot(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute sqrt(a*a + b*b), item by item.

    a and b are items of `input` and `other`.

    Args:
        input, other: tensors of shapes that broadcast together.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of the shape that the operands broadcast to, of the operands' dtype.

    Raises:
        DTypeError: an item is not a floating-point number.
        ShapeError: the shapes do not broadcast together.
        DeviceError: the operands are on different devices.
        TypeError: a number stands where a tensor is wanted.

    >>> torch.hypot(torch.tensor([-1.5, 0.0, 2.0]), torch.tensor([2.0, 3.0, 0.5]))
    tensor([2.5000, 3.0000, 2.0616])
    """
    if not (isinstance(input, AnyTensor) and isinstance(other, AnyTensor)):
        refuse_numbers("hypot", input, other)
    return binary(_HYPOT, input, other, out)


_COPYSIGN = elementwise("copysign", 2)


@torch_function(strict=True, op=_COPYSIGN, tensors=1)
def copysign(input: Tensor, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """Give a the sign of b, item by item; zeros and NaN have signs, too.

    a and b are items of `input` and `other`.

    Args:
        input, other: a tensor, and a tensor that broadcasts with it or a number.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of the shape that the operands broadcast to, floating-point: integers and booleans become the default dtype.

    Raises:
        DTypeError: an item is a complex number.
        ShapeError: the shapes do not broadcast together.
        DeviceError: the operands are on different devices.
        TypeError: a number stands where a tensor is wanted.

    >>> torch.copysign(torch.tensor([-1.5, 0.0, 2.0]), torch.tensor([2.0, 3.0, 0.5]))
    tensor([1.5000, 0.0000, 2.0000])
    """
    if not isinstance(input, AnyTensor):
        refuse_numbers("copysign", input)
    return binary(_COPYSIGN, input, other, out)


_NEXTAFTER = elementwise("nextafter", 2)


@torch_function(strict=True, op=_NEXTAFTER, tensors=2)
def nextafter(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute the representable number next to a on the way to b, item by item.

    a and b are items of `input` and `other`.

    Args:
        input, other: tensors of shapes that broadcast together.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of the shape that the operands broadcast to, of the operands' dtype.

    Raises:
        DTypeError: an item is not a floating-point number.
        ShapeError: the shapes do not broadcast together.
        DeviceError: the operands are on different devices.
        TypeError: a number stands where a tensor is wanted.

    >>> torch.nextafter(torch.tensor([-1.5, 0.0, 2.0]), torch.tensor([2.0, 3.0, 0.5]))
    tensor([-1.5000e+00,  1.4013e-45,  2.0000e+00])
    """
    if not (isinstance(input, AnyTensor) and isinstance(other, AnyTensor)):
        refuse_numbers("nextafter", input, other)
    return binary(_NEXTAFTER, input, other, out)


_HEAVISIDE = elementwise("heaviside", 2)


@torch_function(strict=True, op=_HEAVISIDE, tensors=2)
def heaviside(input: Tensor, values: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute the Heaviside step function, item by item: 0 where a is negative or NaN, 1 where it is positive, b at 0.

    a and b are items of `input` and `values`.

    Args:
        input, values: tensors of shapes that broadcast together.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of the shape that the operands broadcast to, of the operands' dtype.

    Raises:
        DTypeError: an item is a complex number.
        ShapeError: the shapes do not broadcast together.
        DeviceError: the operands are on different devices.
        TypeError: a number stands where a tensor is wanted.

    >>> torch.heaviside(torch.tensor([-1.5, 0.0, 2.0]), torch.tensor([2.0, 3.0, 0.5]))
    tensor([0., 3., 1.])
    """
    if not (isinstance(input, AnyTensor) and isinstance(values, AnyTensor)):
        refuse_numbers("heaviside", input, values)
    return binary(_HEAVISIDE, input, values, out)


_LOGADDEXP = elementwise("logaddexp", 2)


@torch_function(strict=True, op=_LOGADDEXP, tensors=2)
def logaddexp(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute log(exp(a) + exp(b)), item by item, without overflow.

    a and b are items of `input` and `other`.

    Args:
        input, other: tensors of shapes that broadcast together.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of the shape that the operands broadcast to, of the operands' dtype.

    Raises:
        DTypeError: an item is an integer or a boolean.
        ShapeError: the shapes do not broadcast together.
        DeviceError: the operands are on different devices.
        TypeError: a number stands where a tensor is wanted.

    >>> torch.logaddexp(torch.tensor([-1.5, 0.0, 2.0]), torch.tensor([2.0, 3.0, 0.5]))
    tensor([2.0298, 3.0486, 2.2014])
    """
    if not (isinstance(input, AnyTensor) and isinstance(other, AnyTensor)):
        refuse_numbers("logaddexp", input, other)
    return binary(_LOGADDEXP, input, other, out)


_LOGADDEXP2 = elementwise("logaddexp2", 2)


@torch_function(strict=True, op=_LOGADDEXP2, tensors=2)
def logaddexp2(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute log2(2**a + 2**b), item by item, without overflow.

    a and b are items of `input` and `other`.

    Args:
        input, other: tensors of shapes that broadcast together.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of the shape that the operands broadcast to, of the operands' dtype.

    Raises:
        DTypeError: an item is not a floating-point number.
        ShapeError: the shapes do not broadcast together.
        DeviceError: the operands are on different devices.
        TypeError: a number stands where a tensor is wanted.

    >>> torch.logaddexp2(torch.tensor([-1.5, 0.0, 2.0]), torch.tensor([2.0, 3.0, 0.5]))
    tensor([2.1222, 3.1699, 2.4368])
    """
    if not (isinstance(input, AnyTensor) and isinstance(other, AnyTensor)):
        refuse_numbers("logaddexp2", input, other)
    return binary(_LOGADDEXP2, input, other, out)


_XLOGY = elementwise("xlogy", 2)


@torch_function(strict=True, op=_XLOGY)
def xlogy(input: Tensor | Number, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """Compute a * log(b), item by item; it is 0 where a is 0, unless b is NaN.

    a and b are items of `input` and `other`.

    Args:
        input, other: tensors of shapes that broadcast together; one of them may be a number.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of the shape that the operands broadcast to, floating-point: integers and booleans become the default dtype.

    Raises:
        DTypeError: an item is a complex number.
        ShapeError: the shapes do not broadcast together.
        DeviceError: the operands are on different devices.

    >>> torch.xlogy(torch.tensor([-1.5, 0.0, 2.0]), torch.tensor([2.0, 3.0, 0.5]))
    tensor([-1.0397,  0.0000, -1.3863])
    """
    return binary(_XLOGY, input, other, out)


_IGAMMA = elementwise("igamma", 2)


@torch_function(strict=True, op=_IGAMMA, tensors=2)
def igamma(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute the regularised lower incomplete gamma function P(a, x), item by item; NaN where an argument is negative, or
    both are 0 or infinite.

    a and x are items of `input` and `other`.

    Args:
        input, other: tensors of shapes that broadcast together.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of the shape that the operands broadcast to, floating-point: integers and booleans become the default dtype.

    Raises:
        DTypeError: an item is a complex number.
        ShapeError: the shapes do not broadcast together.
        DeviceError: the operands are on different devices.
        TypeError: a number stands where a tensor is wanted.

    >>> torch.igamma(torch.tensor([0.25, 0.5, 0.75]), torch.tensor([2.0, 3.0, 0.5]))
    tensor([0.9827, 0.9857, 0.5279])
    """
    if not (isinstance(input, AnyTensor) and isinstance(other, AnyTensor)):
        refuse_numbers("igamma", input, other)
    return binary(_IGAMMA, input, other, out)


_IGAMMAC = elementwise("igammac", 2)


@torch_function(strict=True, op=_IGAMMAC, tensors=2)
def igammac(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute 1 - igamma(a, x), the regularised upper incomplete gamma function, item by item, accurately where it is
    small.

    a and x are items of `input` and `other`.

    Args:
        input, other: tensors of shapes that broadcast together.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of the shape that the operands broadcast to, floating-point: integers and booleans become the default dtype.

    Raises:
        DTypeError: an item is a complex number.
        ShapeError: the shapes do not broadcast together.
        DeviceError: the operands are on different devices.
        TypeError: a number stands where a tensor is wanted.

    >>> torch.igammac(torch.tensor([0.25, 0.5, 0.75]), torch.tensor([2.0, 3.0, 0.5]))
    tensor([0.0173, 0.0143, 0.4721])
    """
    if not (isinstance(input, AnyTensor) and isinstance(other, AnyTensor)):
        refuse_numbers("igammac", input, other)
    return binary(_IGAMMAC, input, other, out)


multiply = mul
arctan2 = atan2
