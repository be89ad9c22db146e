"""Functions of one tensor, item by item: a generated file, see `generate/tensor_elementwise.py`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...dispatch.elementwise import elementwise, unary
from ...dispatch.torch_function import torch_function

if TYPE_CHECKING:
    from ...tensor_class import Tensor

__all__ = [
    "abs", "absolute", "acos", "acosh", "angle", "arccos", "arccosh", "arcsin", "arcsinh", "arctan", "arctanh", "asin",
    "asinh", "atan", "atanh", "ceil", "cos", "cosh", "digamma", "erf", "erfc", "erfinv", "exp", "exp2", "expm1", "fix",
    "floor", "frac", "i0", "lgamma", "log", "log10", "log1p", "log2", "neg", "negative", "reciprocal", "relu", "rsqrt",
    "sgn", "sigmoid", "sign", "sin", "sinc", "sinh", "sqrt", "square", "tan", "tanh", "trunc",
]


_NEG = elementwise("negative", 1)


@torch_function(op=_NEG)
def neg(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Change the sign of x, item by item.

    x is an item of `input`.

    Args:
        input: A tensor of any shape.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of input's shape, of the operands' dtype.

    Raises:
        DTypeError: an item is a boolean.

    >>> torch.neg(torch.tensor([-1.5, 0.0, 2.0]))
    tensor([ 1.5000, -0.0000, -2.0000])
    """
    return unary(_NEG, input, out)


_ABS = elementwise("abs", 1)


@torch_function(op=_ABS)
def abs(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute the absolute value of x, item by item; of a complex number it is the modulus.

    x is an item of `input`.

    Args:
        input: A tensor of any shape.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of input's shape, of the operand's dtype, real for complex numbers.

    Raises:
        DTypeError: an item is a boolean.

    >>> torch.abs(torch.tensor([-1.5, 0.0, 2.0]))
    tensor([1.5000, 0.0000, 2.0000])
    """
    return unary(_ABS, input, out)


_ANGLE = elementwise("angle", 1)


@torch_function(op=_ANGLE)
def angle(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute the argument of x in (-pi, pi], item by item; of a real number 0, or pi where it is negative; NaN stays.

    x is an item of `input`.

    Args:
        input: A tensor of any shape.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of input's shape, floating-point.

    >>> torch.angle(torch.tensor([-1.5, 0.0, 2.0]))
    tensor([3.1416, 0.0000, 0.0000])
    """
    return unary(_ANGLE, input, out)


_SIGN = elementwise("sign", 1)


@torch_function(op=_SIGN)
def sign(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute the sign of x, item by item: -1, 0 or 1, and 0 for NaN; for a complex number x / |x|.

    x is an item of `input`.

    Args:
        input: A tensor of any shape.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of input's shape, of the operands' dtype.

    >>> torch.sign(torch.tensor([-1.5, 0.0, 2.0]))
    tensor([-1.,  0.,  1.])
    """
    return unary(_SIGN, input, out)


_SQUARE = elementwise("square", 1)


@torch_function(op=_SQUARE)
def square(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Square x, item by item; booleans become int64.

    x is an item of `input`.

    Args:
        input: A tensor of any shape.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of input's shape, of the operand's dtype, int64 for booleans.

    >>> torch.square(torch.tensor([-1.5, 0.0, 2.0]))
    tensor([2.2500, 0.0000, 4.0000])
    """
    return unary(_SQUARE, input, out)


_RECIPROCAL = elementwise("reciprocal", 1)


@torch_function(op=_RECIPROCAL)
def reciprocal(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute 1 / x, item by item.

    x is an item of `input`.

    Args:
        input: A tensor of any shape.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of input's shape, floating-point or complex: integers and booleans become the default dtype.

    >>> torch.reciprocal(torch.tensor([0.25, 0.5, 0.75]))
    tensor([4.0000, 2.0000, 1.3333])
    """
    return unary(_RECIPROCAL, input, out)


_SQRT = elementwise("sqrt", 1)


@torch_function(op=_SQRT)
def sqrt(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute the square root of x, item by item.

    x is an item of `input`.

    Args:
        input: A tensor of any shape.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of input's shape, floating-point or complex: integers and booleans become the default dtype.

    >>> torch.sqrt(torch.tensor([0.25, 0.5, 0.75]))
    tensor([0.5000, 0.7071, 0.8660])
    """
    return unary(_SQRT, input, out)


_RSQRT = elementwise("rsqrt", 1)


@torch_function(op=_RSQRT)
def rsqrt(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute 1 / sqrt(x), item by item.

    x is an item of `input`.

    Args:
        input: A tensor of any shape.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of input's shape, floating-point or complex: integers and booleans become the default dtype.

    >>> torch.rsqrt(torch.tensor([0.25, 0.5, 0.75]))
    tensor([2.0000, 1.4142, 1.1547])
    """
    return unary(_RSQRT, input, out)


_FLOOR = elementwise("floor", 1)


@torch_function(op=_FLOOR)
def floor(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Round x down to an integer, item by item.

    x is an item of `input`.

    Args:
        input: A tensor of any shape.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of input's shape, of the operands' dtype.

    Raises:
        DTypeError: an item is a boolean or a complex number.

    >>> torch.floor(torch.tensor([-1.5, 0.0, 2.0]))
    tensor([-2.,  0.,  2.])
    """
    return unary(_FLOOR, input, out)


_CEIL = elementwise("ceil", 1)


@torch_function(op=_CEIL)
def ceil(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Round x up to an integer, item by item.

    x is an item of `input`.

    Args:
        input: A tensor of any shape.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of input's shape, of the operands' dtype.

    Raises:
        DTypeError: an item is a boolean or a complex number.

    >>> torch.ceil(torch.tensor([-1.5, 0.0, 2.0]))
    tensor([-1.,  0.,  2.])
    """
    return unary(_CEIL, input, out)


_FRAC = elementwise("frac", 1)


@torch_function(op=_FRAC)
def frac(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute the fractional part of x, with its sign, item by item: x - trunc(x).

    x is an item of `input`.

    Args:
        input: A tensor of any shape.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of input's shape, of the operands' dtype.

    Raises:
        DTypeError: an item is not a floating-point number.

    >>> torch.frac(torch.tensor([-1.5, 0.0, 2.0]))
    tensor([-0.5000,  0.0000,  0.0000])
    """
    return unary(_FRAC, input, out)


_TRUNC = elementwise("trunc", 1)


@torch_function(op=_TRUNC)
def trunc(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Round x towards zero to an integer, item by item.

    x is an item of `input`.

    Args:
        input: A tensor of any shape.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of input's shape, of the operands' dtype.

    Raises:
        DTypeError: an item is a boolean or a complex number.

    >>> torch.trunc(torch.tensor([-1.5, 0.0, 2.0]))
    tensor([-1.,  0.,  2.])
    """
    return unary(_TRUNC, input, out)


_EXP = elementwise("exp", 1)


@torch_function(op=_EXP)
def exp(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute e to the power x, item by item.

    x is an item of `input`.

    Args:
        input: A tensor of any shape.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of input's shape, floating-point or complex: integers and booleans become the default dtype.

    >>> torch.exp(torch.tensor([-1.5, 0.0, 2.0]))
    tensor([0.2231, 1.0000, 7.3891])
    """
    return unary(_EXP, input, out)


_EXP2 = elementwise("exp2", 1)


@torch_function(op=_EXP2)
def exp2(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute 2 to the power x, item by item.

    x is an item of `input`.

    Args:
        input: A tensor of any shape.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of input's shape, floating-point or complex: integers and booleans become the default dtype.

    >>> torch.exp2(torch.tensor([-1.5, 0.0, 2.0]))
    tensor([0.3536, 1.0000, 4.0000])
    """
    return unary(_EXP2, input, out)


_EXPM1 = elementwise("expm1", 1)


@torch_function(op=_EXPM1)
def expm1(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute exp(x) - 1, item by item, accurate near 0.

    x is an item of `input`.

    Args:
        input: A tensor of any shape.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of input's shape, floating-point or complex: integers and booleans become the default dtype.

    >>> torch.expm1(torch.tensor([-1.5, 0.0, 2.0]))
    tensor([-0.7769,  0.0000,  6.3891])
    """
    return unary(_EXPM1, input, out)


_LOG = elementwise("log", 1)


@torch_function(op=_LOG)
def log(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute the natural logarithm of x, item by item.

    x is an item of `input`.

    Args:
        input: A tensor of any shape.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of input's shape, floating-point or complex: integers and booleans become the default dtype.

    >>> torch.log(torch.tensor([0.25, 0.5, 0.75]))
    tensor([-1.3863, -0.6931, -0.2877])
    """
    return unary(_LOG, input, out)


_LOG2 = elementwise("log2", 1)


@torch_function(op=_LOG2)
def log2(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute the logarithm to base 2 of x, item by item.

    x is an item of `input`.

    Args:
        input: A tensor of any shape.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of input's shape, floating-point or complex: integers and booleans become the default dtype.

    >>> torch.log2(torch.tensor([0.25, 0.5, 0.75]))
    tensor([-2.0000, -1.0000, -0.4150])
    """
    return unary(_LOG2, input, out)


_LOG10 = elementwise("log10", 1)


@torch_function(op=_LOG10)
def log10(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute the logarithm to base 10 of x, item by item.

    x is an item of `input`.

    Args:
        input: A tensor of any shape.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of input's shape, floating-point or complex: integers and booleans become the default dtype.

    >>> torch.log10(torch.tensor([0.25, 0.5, 0.75]))
    tensor([-0.6021, -0.3010, -0.1249])
    """
    return unary(_LOG10, input, out)


_LOG1P = elementwise("log1p", 1)


@torch_function(op=_LOG1P)
def log1p(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute log(1 + x), item by item, accurate near 0.

    x is an item of `input`.

    Args:
        input: A tensor of any shape.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of input's shape, floating-point or complex: integers and booleans become the default dtype.

    >>> torch.log1p(torch.tensor([0.25, 0.5, 0.75]))
    tensor([0.2231, 0.4055, 0.5596])
    """
    return unary(_LOG1P, input, out)


_SIN = elementwise("sin", 1)


@torch_function(op=_SIN)
def sin(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute the sine of x, item by item.

    x is an item of `input`.

    Args:
        input: A tensor of any shape.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of input's shape, floating-point or complex: integers and booleans become the default dtype.

    >>> torch.sin(torch.tensor([-1.5, 0.0, 2.0]))
    tensor([-0.9975,  0.0000,  0.9093])
    """
    return unary(_SIN, input, out)


_COS = elementwise("cos", 1)


@torch_function(op=_COS)
def cos(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute the cosine of x, item by item.

    x is an item of `input`.

    Args:
        input: A tensor of any shape.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of input's shape, floating-point or complex: integers and booleans become the default dtype.

    >>> torch.cos(torch.tensor([-1.5, 0.0, 2.0]))
    tensor([ 0.0707,  1.0000, -0.4161])
    """
    return unary(_COS, input, out)


_TAN = elementwise("tan", 1)


@torch_function(op=_TAN)
def tan(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute the tangent of x, item by item.

    x is an item of `input`.

    Args:
        input: A tensor of any shape.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of input's shape, floating-point or complex: integers and booleans become the default dtype.

    >>> torch.tan(torch.tensor([-1.5, 0.0, 2.0]))
    tensor([-14.1014,   0.0000,  -2.1850])
    """
    return unary(_TAN, input, out)


_ASIN = elementwise("asin", 1)


@torch_function(op=_ASIN)
def asin(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute the inverse sine of x, item by item.

    x is an item of `input`.

    Args:
        input: A tensor of any shape.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of input's shape, floating-point or complex: integers and booleans become the default dtype.

    >>> torch.asin(torch.tensor([0.25, 0.5, 0.75]))
    tensor([0.2527, 0.5236, 0.8481])
    """
    return unary(_ASIN, input, out)


_ACOS = elementwise("acos", 1)


@torch_function(op=_ACOS)
def acos(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute the inverse cosine of x, item by item.

    x is an item of `input`.

    Args:
        input: A tensor of any shape.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of input's shape, floating-point or complex: integers and booleans become the default dtype.

    >>> torch.acos(torch.tensor([0.25, 0.5, 0.75]))
    tensor([1.3181, 1.0472, 0.7227])
    """
    return unary(_ACOS, input, out)


_ATAN = elementwise("atan", 1)


@torch_function(op=_ATAN)
def atan(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute the inverse tangent of x, item by item.

    x is an item of `input`.

    Args:
        input: A tensor of any shape.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of input's shape, floating-point or complex: integers and booleans become the default dtype.

    >>> torch.atan(torch.tensor([-1.5, 0.0, 2.0]))
    tensor([-0.9828,  0.0000,  1.1071])
    """
    return unary(_ATAN, input, out)


_SINH = elementwise("sinh", 1)


@torch_function(op=_SINH)
def sinh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute the hyperbolic sine of x, item by item.

    x is an item of `input`.

    Args:
        input: A tensor of any shape.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of input's shape, floating-point or complex: integers and booleans become the default dtype.

    >>> torch.sinh(torch.tensor([-1.5, 0.0, 2.0]))
    tensor([-2.1293,  0.0000,  3.6269])
    """
    return unary(_SINH, input, out)


_COSH = elementwise("cosh", 1)


@torch_function(op=_COSH)
def cosh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute the hyperbolic cosine of x, item by item.

    x is an item of `input`.

    Args:
        input: A tensor of any shape.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of input's shape, floating-point or complex: integers and booleans become the default dtype.

    >>> torch.cosh(torch.tensor([-1.5, 0.0, 2.0]))
    tensor([2.3524, 1.0000, 3.7622])
    """
    return unary(_COSH, input, out)


_TANH = elementwise("tanh", 1)


@torch_function(op=_TANH)
def tanh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute the hyperbolic tangent of x, item by item.

    x is an item of `input`.

    Args:
        input: A tensor of any shape.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of input's shape, floating-point or complex: integers and booleans become the default dtype.

    >>> torch.tanh(torch.tensor([-1.5, 0.0, 2.0]))
    tensor([-0.9051,  0.0000,  0.9640])
    """
    return unary(_TANH, input, out)


_ASINH = elementwise("asinh", 1)


@torch_function(op=_ASINH)
def asinh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute the inverse hyperbolic sine of x, item by item.

    x is an item of `input`.

    Args:
        input: A tensor of any shape.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of input's shape, floating-point or complex: integers and booleans become the default dtype.

    >>> torch.asinh(torch.tensor([-1.5, 0.0, 2.0]))
    tensor([-1.1948,  0.0000,  1.4436])
    """
    return unary(_ASINH, input, out)


_ACOSH = elementwise("acosh", 1)


@torch_function(op=_ACOSH)
def acosh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute the inverse hyperbolic cosine of x, item by item.

    x is an item of `input`.

    Args:
        input: A tensor of any shape.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of input's shape, floating-point or complex: integers and booleans become the default dtype.

    >>> torch.acosh(torch.tensor([1.0, 2.0, 4.0]))
    tensor([0.0000, 1.3170, 2.0634])
    """
    return unary(_ACOSH, input, out)


_ATANH = elementwise("atanh", 1)


@torch_function(op=_ATANH)
def atanh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute the inverse hyperbolic tangent of x, item by item.

    x is an item of `input`.

    Args:
        input: A tensor of any shape.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of input's shape, floating-point or complex: integers and booleans become the default dtype.

    >>> torch.atanh(torch.tensor([0.25, 0.5, 0.75]))
    tensor([0.2554, 0.5493, 0.9730])
    """
    return unary(_ATANH, input, out)


_ERF = elementwise("erf", 1)


@torch_function(op=_ERF)
def erf(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute the error function of x, item by item.

    x is an item of `input`.

    Args:
        input: A tensor of any shape.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of input's shape, floating-point: integers and booleans become the default dtype.

    Raises:
        DTypeError: an item is a complex number.

    >>> torch.erf(torch.tensor([-1.5, 0.0, 2.0]))
    tensor([-0.9661,  0.0000,  0.9953])
    """
    return unary(_ERF, input, out)


_RELU = elementwise("relu", 1)


@torch_function(op=_RELU)
def relu(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Replace negative numbers by 0, item by item: max(x, 0); NaN stays.

    x is an item of `input`.

    Args:
        input: A tensor of any shape.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of input's shape, of the operands' dtype.

    Raises:
        DTypeError: an item is a boolean or a complex number.

    >>> torch.relu(torch.tensor([-1.5, 0.0, 2.0]))
    tensor([0., 0., 2.])
    """
    return unary(_RELU, input, out)


_SIGMOID = elementwise("sigmoid", 1)


@torch_function(op=_SIGMOID)
def sigmoid(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute the logistic function 1 / (1 + exp(-x)), item by item.

    x is an item of `input`.

    Args:
        input: A tensor of any shape.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of input's shape, floating-point or complex: integers and booleans become the default dtype.

    >>> torch.sigmoid(torch.tensor([-1.5, 0.0, 2.0]))
    tensor([0.1824, 0.5000, 0.8808])
    """
    return unary(_SIGMOID, input, out)


_SINC = elementwise("sinc", 1)


@torch_function(op=_SINC)
def sinc(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute sin(pi x) / (pi x), item by item; it is 1 at 0.

    x is an item of `input`.

    Args:
        input: A tensor of any shape.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of input's shape, floating-point or complex: integers and booleans become the default dtype.

    >>> torch.sinc(torch.tensor([-1.5, 0.0, 2.0]))
    tensor([-2.1221e-01,  1.0000e+00,  2.7828e-08])
    """
    return unary(_SINC, input, out)


_ERFC = elementwise("erfc", 1)


@torch_function(op=_ERFC)
def erfc(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute 1 - erf(x), item by item, accurately where it is small; NaN stays.

    x is an item of `input`.

    Args:
        input: A tensor of any shape.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of input's shape, floating-point: integers and booleans become the default dtype.

    Raises:
        DTypeError: an item is a complex number.

    >>> torch.erfc(torch.tensor([-1.5, 0.0, 2.0]))
    tensor([1.9661, 1.0000, 0.0047])
    """
    return unary(_ERFC, input, out)


_ERFINV = elementwise("erfinv", 1)


@torch_function(op=_ERFINV)
def erfinv(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute the inverse of the error function at x, item by item; it is infinite at -1 and 1, and NaN outside of [-1,
    1].

    x is an item of `input`.

    Args:
        input: A tensor of any shape.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of input's shape, floating-point: integers and booleans become the default dtype.

    Raises:
        DTypeError: an item is a complex number.

    >>> torch.erfinv(torch.tensor([0.25, 0.5, 0.75]))
    tensor([0.2253, 0.4769, 0.8134])
    """
    return unary(_ERFINV, input, out)


_LGAMMA = elementwise("lgamma", 1)


@torch_function(op=_LGAMMA)
def lgamma(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute the logarithm of |gamma(x)|, item by item; it is inf at 0, -1, -2 and so on, and at both infinities.

    x is an item of `input`.

    Args:
        input: A tensor of any shape.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of input's shape, floating-point: integers and booleans become the default dtype.

    Raises:
        DTypeError: an item is a complex number.

    >>> torch.lgamma(torch.tensor([0.25, 0.5, 0.75]))
    tensor([1.2880, 0.5724, 0.2033])
    """
    return unary(_LGAMMA, input, out)


_DIGAMMA = elementwise("digamma", 1)


@torch_function(op=_DIGAMMA)
def digamma(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute the derivative of lgamma at x, item by item; it is -inf at 0, inf at -0, and NaN at -1, -2 and so on.

    x is an item of `input`.

    Args:
        input: A tensor of any shape.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of input's shape, floating-point: integers and booleans become the default dtype.

    Raises:
        DTypeError: an item is a complex number.

    >>> torch.digamma(torch.tensor([0.25, 0.5, 0.75]))
    tensor([-4.2275, -1.9635, -1.0859])
    """
    return unary(_DIGAMMA, input, out)


_I0 = elementwise("i0", 1)


@torch_function(op=_I0)
def i0(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute the modified Bessel function of the first kind of order 0 at x, item by item.

    x is an item of `input`.

    Args:
        input: A tensor of any shape.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of input's shape, floating-point: integers and booleans become the default dtype.

    Raises:
        DTypeError: an item is a complex number.

    >>> torch.i0(torch.tensor([-1.5, 0.0, 2.0]))
    tensor([1.6467, 1.0000, 2.2796])
    """
    return unary(_I0, input, out)


negative = neg
absolute = abs
sgn = sign
fix = trunc
arcsin = asin
arccos = acos
arctan = atan
arcsinh = asinh
arccosh = acosh
arctanh = atanh
