"""Functions item by item, written over their first operand: a generated file, see `generate/tensor_elementwise.py`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...dispatch.elementwise import elementwise
from ...dispatch.torch_function import torch_function
from ...methods.in_place.history import binary_, unary_

if TYPE_CHECKING:
    from ...tensor_class import Tensor
    from ...tensor_fields import Number

__all__ = [
    "acos_", "acosh_", "arccos_", "arccosh_", "arcsin_", "arcsinh_", "arctan2_", "arctan_", "arctanh_", "asin_",
    "asinh_", "atan2_", "atan_", "atanh_", "bitwise_and_", "bitwise_left_shift_", "bitwise_not_", "bitwise_or_",
    "bitwise_right_shift_", "bitwise_xor_", "ceil_", "copysign_", "cos_", "cosh_", "digamma_", "eq_", "erf_", "erfc_",
    "erfinv_", "exp2_", "exp_", "expm1_", "fix_", "floor_", "floor_divide_", "fmod_", "frac_", "gcd_", "ge_",
    "greater_", "greater_equal_", "gt_", "heaviside_", "hypot_", "i0_", "igamma_", "igammac_", "le_", "less_",
    "less_equal_", "lgamma_", "log10_", "log1p_", "log2_", "log_", "logical_and_", "logical_not_", "logical_or_",
    "logical_xor_", "lt_", "mul_", "multiply_", "ne_", "neg_", "negative_", "nextafter_", "not_equal_", "pow_",
    "reciprocal_", "relu_", "remainder_", "rsqrt_", "sgn_", "sigmoid_", "sign_", "sin_", "sinc_", "sinh_", "sqrt_",
    "square_", "tan_", "tanh_", "trunc_", "xlogy_",
]


@torch_function(strict=True)
def mul_(input: Tensor, other: Tensor | Number) -> Tensor:
    """Multiply a by b, item by item and in place; booleans are combined with logical and.

    a and b are items of `input` and `other`.

    Args:
        input: the tensor to overwrite.
        other: a tensor that broadcasts to input's shape, or a number.

    Returns:
        `input`.

    Raises:
        DTypeError: input's dtype cannot hold the result.
        ShapeError: the operands broadcast to another shape than input's.
        AutogradError: `input` is a leaf that requires gradients, or a view of one.

    >>> torch.tensor([-1.5, 0.0, 2.0]).mul_(torch.tensor([2.0, 3.0, 0.5]))
    tensor([-3.,  0.,  1.])
    """
    return binary_(elementwise("multiply", 2), input, other)


@torch_function(strict=True)
def floor_divide_(input: Tensor, other: Tensor | Number) -> Tensor:
    """Divide a by b and round down to an integer, item by item and in place: floor(a / b).

    a and b are items of `input` and `other`.

    Args:
        input: the tensor to overwrite.
        other: a tensor that broadcasts to input's shape, or a number.

    Returns:
        `input`.

    Raises:
        DTypeError: input's dtype cannot hold the result.
        ShapeError: the operands broadcast to another shape than input's.
        AutogradError: `input` is a leaf that requires gradients, or a view of one.

    >>> torch.tensor([-1.5, 0.0, 2.0]).floor_divide_(torch.tensor([2.0, 3.0, 0.5]))
    tensor([-1.,  0.,  4.])
    """
    return binary_(elementwise("floor_divide", 2), input, other)


@torch_function(strict=True)
def remainder_(input: Tensor, other: Tensor | Number) -> Tensor:
    """Compute the remainder a - b * floor(a / b), item by item and in place; it has the sign of b.

    a and b are items of `input` and `other`.

    Args:
        input: the tensor to overwrite.
        other: a tensor that broadcasts to input's shape, or a number.

    Returns:
        `input`.

    Raises:
        DTypeError: input's dtype cannot hold the result.
        ShapeError: the operands broadcast to another shape than input's.
        AutogradError: `input` is a leaf that requires gradients, or a view of one.

    >>> torch.tensor([-1.5, 0.0, 2.0]).remainder_(torch.tensor([2.0, 3.0, 0.5]))
    tensor([0.5000, 0.0000, 0.0000])
    """
    return binary_(elementwise("remainder", 2), input, other)


@torch_function(strict=True)
def fmod_(input: Tensor, other: Tensor | Number) -> Tensor:
    """Compute the remainder a - b * trunc(a / b), item by item and in place; it has the sign of a.

    a and b are items of `input` and `other`.

    Args:
        input: the tensor to overwrite.
        other: a tensor that broadcasts to input's shape, or a number.

    Returns:
        `input`.

    Raises:
        DTypeError: input's dtype cannot hold the result.
        ShapeError: the operands broadcast to another shape than input's.
        AutogradError: `input` is a leaf that requires gradients, or a view of one.

    >>> torch.tensor([-1.5, 0.0, 2.0]).fmod_(torch.tensor([2.0, 3.0, 0.5]))
    tensor([-1.5000,  0.0000,  0.0000])
    """
    return binary_(elementwise("fmod", 2), input, other)


@torch_function(strict=True)
def pow_(input: Tensor, exponent: Tensor | Number) -> Tensor:
    """Raise a to the power b, item by item and in place; integers wrap.

    a and b are items of `input` and `exponent`.

    Args:
        input: the tensor to overwrite.
        exponent: a tensor that broadcasts to input's shape, or a number.

    Returns:
        `input`.

    Raises:
        DTypeError: input's dtype cannot hold the result.
        ShapeError: the operands broadcast to another shape than input's.
        AutogradError: `input` is a leaf that requires gradients, or a view of one.

    >>> torch.tensor([-1.5, 0.0, 2.0]).pow_(torch.tensor([2.0, 3.0, 0.5]))
    tensor([2.2500, 0.0000, 1.4142])
    """
    return binary_(elementwise("pow", 2), input, exponent)


@torch_function(strict=True)
def atan2_(input: Tensor, other: Tensor) -> Tensor:
    """Compute the angle of the point (b, a), item by item and in place.

    a and b are items of `input` and `other`.

    Args:
        input: the tensor to overwrite.
        other: a tensor that broadcasts to input's shape.

    Returns:
        `input`.

    Raises:
        DTypeError: input's dtype cannot hold the result.
        ShapeError: the operands broadcast to another shape than input's.
        AutogradError: `input` is a leaf that requires gradients, or a view of one.

    >>> torch.tensor([-1.5, 0.0, 2.0]).atan2_(torch.tensor([2.0, 3.0, 0.5]))
    tensor([-0.6435,  0.0000,  1.3258])
    """
    return binary_(elementwise("atan2", 2), input, other)


@torch_function(strict=True)
def hypot_(input: Tensor, other: Tensor) -> Tensor:
    """Compute sqrt(a*a + b*b), item by item and in place.

    a and b are items of `input` and `other`.

    Args:
        input: the tensor to overwrite.
        other: a tensor that broadcasts to input's shape.

    Returns:
        `input`.

    Raises:
        DTypeError: input's dtype cannot hold the result.
        ShapeError: the operands broadcast to another shape than input's.
        AutogradError: `input` is a leaf that requires gradients, or a view of one.

    >>> torch.tensor([-1.5, 0.0, 2.0]).hypot_(torch.tensor([2.0, 3.0, 0.5]))
    tensor([2.5000, 3.0000, 2.0616])
    """
    return binary_(elementwise("hypot", 2), input, other)


@torch_function(strict=True)
def copysign_(input: Tensor, other: Tensor | Number) -> Tensor:
    """Give a the sign of b, item by item and in place; zeros and NaN have signs, too.

    a and b are items of `input` and `other`.

    Args:
        input: the tensor to overwrite.
        other: a tensor that broadcasts to input's shape, or a number.

    Returns:
        `input`.

    Raises:
        DTypeError: input's dtype cannot hold the result.
        ShapeError: the operands broadcast to another shape than input's.
        AutogradError: `input` is a leaf that requires gradients, or a view of one.

    >>> torch.tensor([-1.5, 0.0, 2.0]).copysign_(torch.tensor([2.0, 3.0, 0.5]))
    tensor([1.5000, 0.0000, 2.0000])
    """
    return binary_(elementwise("copysign", 2), input, other)


@torch_function(strict=True)
def nextafter_(input: Tensor, other: Tensor) -> Tensor:
    """Compute the representable number next to a on the way to b, item by item and in place.

    a and b are items of `input` and `other`.

    Args:
        input: the tensor to overwrite.
        other: a tensor that broadcasts to input's shape.

    Returns:
        `input`.

    Raises:
        DTypeError: input's dtype cannot hold the result.
        ShapeError: the operands broadcast to another shape than input's.
        AutogradError: `input` is a leaf that requires gradients, or a view of one.

    >>> torch.tensor([-1.5, 0.0, 2.0]).nextafter_(torch.tensor([2.0, 3.0, 0.5]))
    tensor([-1.5000e+00,  1.4013e-45,  2.0000e+00])
    """
    return binary_(elementwise("nextafter", 2), input, other)


@torch_function(strict=True)
def heaviside_(input: Tensor, values: Tensor) -> Tensor:
    """Compute the Heaviside step function, item by item and in place: 0 where a is negative or NaN, 1 where it is
    positive, b at 0.

    a and b are items of `input` and `values`.

    Args:
        input: the tensor to overwrite.
        values: a tensor that broadcasts to input's shape.

    Returns:
        `input`.

    Raises:
        DTypeError: input's dtype cannot hold the result.
        ShapeError: the operands broadcast to another shape than input's.
        AutogradError: `input` is a leaf that requires gradients, or a view of one.

    >>> torch.tensor([-1.5, 0.0, 2.0]).heaviside_(torch.tensor([2.0, 3.0, 0.5]))
    tensor([0., 3., 1.])
    """
    return binary_(elementwise("heaviside", 2), input, values)


@torch_function(strict=True)
def gcd_(input: Tensor, other: Tensor) -> Tensor:
    """Compute the greatest common divisor of a and b, item by item and in place; it is never negative, and gcd(0, 0) is 0.

    a and b are items of `input` and `other`.

    Args:
        input: the tensor to overwrite.
        other: a tensor that broadcasts to input's shape.

    Returns:
        `input`.

    Raises:
        DTypeError: input's dtype cannot hold the result.
        ShapeError: the operands broadcast to another shape than input's.
        AutogradError: `input` is a leaf that requires gradients, or a view of one.

    >>> torch.tensor([5, 6, 7]).gcd_(torch.tensor([3, 2, 1]))
    tensor([1, 2, 1])
    """
    return binary_(elementwise("gcd", 2), input, other)


@torch_function
def neg_(input: Tensor) -> Tensor:
    """Change the sign of x, item by item and in place.

    x is an item of `input`.

    Args:
        input: the tensor to overwrite.

    Returns:
        `input`.

    Raises:
        DTypeError: input's dtype cannot hold the result.
        AutogradError: `input` is a leaf that requires gradients, or a view of one.

    >>> torch.tensor([-1.5, 0.0, 2.0]).neg_()
    tensor([ 1.5000, -0.0000, -2.0000])
    """
    return unary_(elementwise("negative", 1), input)


@torch_function
def sign_(input: Tensor) -> Tensor:
    """Compute the sign of x, item by item and in place: -1, 0 or 1, and 0 for NaN; for a complex number x / |x|.

    x is an item of `input`.

    Args:
        input: the tensor to overwrite.

    Returns:
        `input`.

    Raises:
        DTypeError: input's dtype cannot hold the result.
        AutogradError: `input` is a leaf that requires gradients, or a view of one.

    >>> torch.tensor([-1.5, 0.0, 2.0]).sign_()
    tensor([-1.,  0.,  1.])
    """
    return unary_(elementwise("sign", 1), input)


@torch_function
def square_(input: Tensor) -> Tensor:
    """Square x, item by item and in place; booleans become int64.

    x is an item of `input`.

    Args:
        input: the tensor to overwrite.

    Returns:
        `input`.

    Raises:
        DTypeError: input's dtype cannot hold the result.
        AutogradError: `input` is a leaf that requires gradients, or a view of one.

    >>> torch.tensor([-1.5, 0.0, 2.0]).square_()
    tensor([2.2500, 0.0000, 4.0000])
    """
    return unary_(elementwise("square", 1), input)


@torch_function
def reciprocal_(input: Tensor) -> Tensor:
    """Compute 1 / x, item by item and in place.

    x is an item of `input`.

    Args:
        input: the tensor to overwrite.

    Returns:
        `input`.

    Raises:
        DTypeError: input's dtype cannot hold the result.
        AutogradError: `input` is a leaf that requires gradients, or a view of one.

    >>> torch.tensor([0.25, 0.5, 0.75]).reciprocal_()
    tensor([4.0000, 2.0000, 1.3333])
    """
    return unary_(elementwise("reciprocal", 1), input)


@torch_function
def sqrt_(input: Tensor) -> Tensor:
    """Compute the square root of x, item by item and in place.

    x is an item of `input`.

    Args:
        input: the tensor to overwrite.

    Returns:
        `input`.

    Raises:
        DTypeError: input's dtype cannot hold the result.
        AutogradError: `input` is a leaf that requires gradients, or a view of one.

    >>> torch.tensor([0.25, 0.5, 0.75]).sqrt_()
    tensor([0.5000, 0.7071, 0.8660])
    """
    return unary_(elementwise("sqrt", 1), input)


@torch_function
def rsqrt_(input: Tensor) -> Tensor:
    """Compute 1 / sqrt(x), item by item and in place.

    x is an item of `input`.

    Args:
        input: the tensor to overwrite.

    Returns:
        `input`.

    Raises:
        DTypeError: input's dtype cannot hold the result.
        AutogradError: `input` is a leaf that requires gradients, or a view of one.

    >>> torch.tensor([0.25, 0.5, 0.75]).rsqrt_()
    tensor([2.0000, 1.4142, 1.1547])
    """
    return unary_(elementwise("rsqrt", 1), input)


@torch_function
def floor_(input: Tensor) -> Tensor:
    """Round x down to an integer, item by item and in place.

    x is an item of `input`.

    Args:
        input: the tensor to overwrite.

    Returns:
        `input`.

    Raises:
        DTypeError: input's dtype cannot hold the result.
        AutogradError: `input` is a leaf that requires gradients, or a view of one.

    >>> torch.tensor([-1.5, 0.0, 2.0]).floor_()
    tensor([-2.,  0.,  2.])
    """
    return unary_(elementwise("floor", 1), input)


@torch_function
def ceil_(input: Tensor) -> Tensor:
    """Round x up to an integer, item by item and in place.

    x is an item of `input`.

    Args:
        input: the tensor to overwrite.

    Returns:
        `input`.

    Raises:
        DTypeError: input's dtype cannot hold the result.
        AutogradError: `input` is a leaf that requires gradients, or a view of one.

    >>> torch.tensor([-1.5, 0.0, 2.0]).ceil_()
    tensor([-1.,  0.,  2.])
    """
    return unary_(elementwise("ceil", 1), input)


@torch_function
def frac_(input: Tensor) -> Tensor:
    """Compute the fractional part of x, with its sign, item by item and in place: x - trunc(x).

    x is an item of `input`.

    Args:
        input: the tensor to overwrite.

    Returns:
        `input`.

    Raises:
        DTypeError: input's dtype cannot hold the result.
        AutogradError: `input` is a leaf that requires gradients, or a view of one.

    >>> torch.tensor([-1.5, 0.0, 2.0]).frac_()
    tensor([-0.5000,  0.0000,  0.0000])
    """
    return unary_(elementwise("frac", 1), input)


@torch_function
def trunc_(input: Tensor) -> Tensor:
    """Round x towards zero to an integer, item by item and in place.

    x is an item of `input`.

    Args:
        input: the tensor to overwrite.

    Returns:
        `input`.

    Raises:
        DTypeError: input's dtype cannot hold the result.
        AutogradError: `input` is a leaf that requires gradients, or a view of one.

    >>> torch.tensor([-1.5, 0.0, 2.0]).trunc_()
    tensor([-1.,  0.,  2.])
    """
    return unary_(elementwise("trunc", 1), input)


@torch_function
def exp_(input: Tensor) -> Tensor:
    """Compute e to the power x, item by item and in place.

    x is an item of `input`.

    Args:
        input: the tensor to overwrite.

    Returns:
        `input`.

    Raises:
        DTypeError: input's dtype cannot hold the result.
        AutogradError: `input` is a leaf that requires gradients, or a view of one.

    >>> torch.tensor([-1.5, 0.0, 2.0]).exp_()
    tensor([0.2231, 1.0000, 7.3891])
    """
    return unary_(elementwise("exp", 1), input)


@torch_function
def exp2_(input: Tensor) -> Tensor:
    """Compute 2 to the power x, item by item and in place.

    x is an item of `input`.

    Args:
        input: the tensor to overwrite.

    Returns:
        `input`.

    Raises:
        DTypeError: input's dtype cannot hold the result.
        AutogradError: `input` is a leaf that requires gradients, or a view of one.

    >>> torch.tensor([-1.5, 0.0, 2.0]).exp2_()
    tensor([0.3536, 1.0000, 4.0000])
    """
    return unary_(elementwise("exp2", 1), input)


@torch_function
def expm1_(input: Tensor) -> Tensor:
    """Compute exp(x) - 1, item by item and in place, accurate near 0.

    x is an item of `input`.

    Args:
        input: the tensor to overwrite.

    Returns:
        `input`.

    Raises:
        DTypeError: input's dtype cannot hold the result.
        AutogradError: `input` is a leaf that requires gradients, or a view of one.

    >>> torch.tensor([-1.5, 0.0, 2.0]).expm1_()
    tensor([-0.7769,  0.0000,  6.3891])
    """
    return unary_(elementwise("expm1", 1), input)


@torch_function
def log_(input: Tensor) -> Tensor:
    """Compute the natural logarithm of x, item by item and in place.

    x is an item of `input`.

    Args:
        input: the tensor to overwrite.

    Returns:
        `input`.

    Raises:
        DTypeError: input's dtype cannot hold the result.
        AutogradError: `input` is a leaf that requires gradients, or a view of one.

    >>> torch.tensor([0.25, 0.5, 0.75]).log_()
    tensor([-1.3863, -0.6931, -0.2877])
    """
    return unary_(elementwise("log", 1), input)


@torch_function
def log2_(input: Tensor) -> Tensor:
    """Compute the logarithm to base 2 of x, item by item and in place.

    x is an item of `input`.

    Args:
        input: the tensor to overwrite.

    Returns:
        `input`.

    Raises:
        DTypeError: input's dtype cannot hold the result.
        AutogradError: `input` is a leaf that requires gradients, or a view of one.

    >>> torch.tensor([0.25, 0.5, 0.75]).log2_()
    tensor([-2.0000, -1.0000, -0.4150])
    """
    return unary_(elementwise("log2", 1), input)


@torch_function
def log10_(input: Tensor) -> Tensor:
    """Compute the logarithm to base 10 of x, item by item and in place.

    x is an item of `input`.

    Args:
        input: the tensor to overwrite.

    Returns:
        `input`.

    Raises:
        DTypeError: input's dtype cannot hold the result.
        AutogradError: `input` is a leaf that requires gradients, or a view of one.

    >>> torch.tensor([0.25, 0.5, 0.75]).log10_()
    tensor([-0.6021, -0.3010, -0.1249])
    """
    return unary_(elementwise("log10", 1), input)


@torch_function
def log1p_(input: Tensor) -> Tensor:
    """Compute log(1 + x), item by item and in place, accurate near 0.

    x is an item of `input`.

    Args:
        input: the tensor to overwrite.

    Returns:
        `input`.

    Raises:
        DTypeError: input's dtype cannot hold the result.
        AutogradError: `input` is a leaf that requires gradients, or a view of one.

    >>> torch.tensor([0.25, 0.5, 0.75]).log1p_()
    tensor([0.2231, 0.4055, 0.5596])
    """
    return unary_(elementwise("log1p", 1), input)


@torch_function
def sin_(input: Tensor) -> Tensor:
    """Compute the sine of x, item by item and in place.

    x is an item of `input`.

    Args:
        input: the tensor to overwrite.

    Returns:
        `input`.

    Raises:
        DTypeError: input's dtype cannot hold the result.
        AutogradError: `input` is a leaf that requires gradients, or a view of one.

    >>> torch.tensor([-1.5, 0.0, 2.0]).sin_()
    tensor([-0.9975,  0.0000,  0.9093])
    """
    return unary_(elementwise("sin", 1), input)


@torch_function
def cos_(input: Tensor) -> Tensor:
    """Compute the cosine of x, item by item and in place.

    x is an item of `input`.

    Args:
        input: the tensor to overwrite.

    Returns:
        `input`.

    Raises:
        DTypeError: input's dtype cannot hold the result.
        AutogradError: `input` is a leaf that requires gradients, or a view of one.

    >>> torch.tensor([-1.5, 0.0, 2.0]).cos_()
    tensor([ 0.0707,  1.0000, -0.4161])
    """
    return unary_(elementwise("cos", 1), input)


@torch_function
def tan_(input: Tensor) -> Tensor:
    """Compute the tangent of x, item by item and in place.

    x is an item of `input`.

    Args:
        input: the tensor to overwrite.

    Returns:
        `input`.

    Raises:
        DTypeError: input's dtype cannot hold the result.
        AutogradError: `input` is a leaf that requires gradients, or a view of one.

    >>> torch.tensor([-1.5, 0.0, 2.0]).tan_()
    tensor([-14.1014,   0.0000,  -2.1850])
    """
    return unary_(elementwise("tan", 1), input)


@torch_function
def asin_(input: Tensor) -> Tensor:
    """Compute the inverse sine of x, item by item and in place.

    x is an item of `input`.

    Args:
        input: the tensor to overwrite.

    Returns:
        `input`.

    Raises:
        DTypeError: input's dtype cannot hold the result.
        AutogradError: `input` is a leaf that requires gradients, or a view of one.

    >>> torch.tensor([0.25, 0.5, 0.75]).asin_()
    tensor([0.2527, 0.5236, 0.8481])
    """
    return unary_(elementwise("asin", 1), input)


@torch_function
def acos_(input: Tensor) -> Tensor:
    """Compute the inverse cosine of x, item by item and in place.

    x is an item of `input`.

    Args:
        input: the tensor to overwrite.

    Returns:
        `input`.

    Raises:
        DTypeError: input's dtype cannot hold the result.
        AutogradError: `input` is a leaf that requires gradients, or a view of one.

    >>> torch.tensor([0.25, 0.5, 0.75]).acos_()
    tensor([1.3181, 1.0472, 0.7227])
    """
    return unary_(elementwise("acos", 1), input)


@torch_function
def atan_(input: Tensor) -> Tensor:
    """Compute the inverse tangent of x, item by item and in place.

    x is an item of `input`.

    Args:
        input: the tensor to overwrite.

    Returns:
        `input`.

    Raises:
        DTypeError: input's dtype cannot hold the result.
        AutogradError: `input` is a leaf that requires gradients, or a view of one.

    >>> torch.tensor([-1.5, 0.0, 2.0]).atan_()
    tensor([-0.9828,  0.0000,  1.1071])
    """
    return unary_(elementwise("atan", 1), input)


@torch_function
def sinh_(input: Tensor) -> Tensor:
    """Compute the hyperbolic sine of x, item by item and in place.

    x is an item of `input`.

    Args:
        input: the tensor to overwrite.

    Returns:
        `input`.

    Raises:
        DTypeError: input's dtype cannot hold the result.
        AutogradError: `input` is a leaf that requires gradients, or a view of one.

    >>> torch.tensor([-1.5, 0.0, 2.0]).sinh_()
    tensor([-2.1293,  0.0000,  3.6269])
    """
    return unary_(elementwise("sinh", 1), input)


@torch_function
def cosh_(input: Tensor) -> Tensor:
    """Compute the hyperbolic cosine of x, item by item and in place.

    x is an item of `input`.

    Args:
        input: the tensor to overwrite.

    Returns:
        `input`.

    Raises:
        DTypeError: input's dtype cannot hold the result.
        AutogradError: `input` is a leaf that requires gradients, or a view of one.

    >>> torch.tensor([-1.5, 0.0, 2.0]).cosh_()
    tensor([2.3524, 1.0000, 3.7622])
    """
    return unary_(elementwise("cosh", 1), input)


@torch_function
def tanh_(input: Tensor) -> Tensor:
    """Compute the hyperbolic tangent of x, item by item and in place.

    x is an item of `input`.

    Args:
        input: the tensor to overwrite.

    Returns:
        `input`.

    Raises:
        DTypeError: input's dtype cannot hold the result.
        AutogradError: `input` is a leaf that requires gradients, or a view of one.

    >>> torch.tensor([-1.5, 0.0, 2.0]).tanh_()
    tensor([-0.9051,  0.0000,  0.9640])
    """
    return unary_(elementwise("tanh", 1), input)


@torch_function
def asinh_(input: Tensor) -> Tensor:
    """Compute the inverse hyperbolic sine of x, item by item and in place.

    x is an item of `input`.

    Args:
        input: the tensor to overwrite.

    Returns:
        `input`.

    Raises:
        DTypeError: input's dtype cannot hold the result.
        AutogradError: `input` is a leaf that requires gradients, or a view of one.

    >>> torch.tensor([-1.5, 0.0, 2.0]).asinh_()
    tensor([-1.1948,  0.0000,  1.4436])
    """
    return unary_(elementwise("asinh", 1), input)


@torch_function
def acosh_(input: Tensor) -> Tensor:
    """Compute the inverse hyperbolic cosine of x, item by item and in place.

    x is an item of `input`.

    Args:
        input: the tensor to overwrite.

    Returns:
        `input`.

    Raises:
        DTypeError: input's dtype cannot hold the result.
        AutogradError: `input` is a leaf that requires gradients, or a view of one.

    >>> torch.tensor([1.0, 2.0, 4.0]).acosh_()
    tensor([0.0000, 1.3170, 2.0634])
    """
    return unary_(elementwise("acosh", 1), input)


@torch_function
def atanh_(input: Tensor) -> Tensor:
    """Compute the inverse hyperbolic tangent of x, item by item and in place.

    x is an item of `input`.

    Args:
        input: the tensor to overwrite.

    Returns:
        `input`.

    Raises:
        DTypeError: input's dtype cannot hold the result.
        AutogradError: `input` is a leaf that requires gradients, or a view of one.

    >>> torch.tensor([0.25, 0.5, 0.75]).atanh_()
    tensor([0.2554, 0.5493, 0.9730])
    """
    return unary_(elementwise("atanh", 1), input)


@torch_function
def erf_(input: Tensor) -> Tensor:
    """Compute the error function of x, item by item and in place.

    x is an item of `input`.

    Args:
        input: the tensor to overwrite.

    Returns:
        `input`.

    Raises:
        DTypeError: input's dtype cannot hold the result.
        AutogradError: `input` is a leaf that requires gradients, or a view of one.

    >>> torch.tensor([-1.5, 0.0, 2.0]).erf_()
    tensor([-0.9661,  0.0000,  0.9953])
    """
    return unary_(elementwise("erf", 1), input)


@torch_function(strict=True)
def eq_(input: Tensor, other: Tensor | Number) -> Tensor:
    """Tell whether a == b, item by item and in place.

    a and b are items of `input` and `other`.

    Args:
        input: the tensor to overwrite.
        other: a tensor that broadcasts to input's shape, or a number.

    Returns:
        `input`.

    Raises:
        DTypeError: input's dtype cannot hold the result.
        ShapeError: the operands broadcast to another shape than input's.
        AutogradError: `input` is a leaf that requires gradients, or a view of one.

    >>> torch.tensor([1.0, 2.0, float('nan')]).eq_(torch.tensor([2.0, 2.0, 2.0]))
    tensor([0., 1., 0.])
    """
    return binary_(elementwise("equal", 2), input, other)


@torch_function(strict=True)
def ne_(input: Tensor, other: Tensor | Number) -> Tensor:
    """Tell whether a != b, item by item and in place.

    a and b are items of `input` and `other`.

    Args:
        input: the tensor to overwrite.
        other: a tensor that broadcasts to input's shape, or a number.

    Returns:
        `input`.

    Raises:
        DTypeError: input's dtype cannot hold the result.
        ShapeError: the operands broadcast to another shape than input's.
        AutogradError: `input` is a leaf that requires gradients, or a view of one.

    >>> torch.tensor([1.0, 2.0, float('nan')]).ne_(torch.tensor([2.0, 2.0, 2.0]))
    tensor([1., 0., 1.])
    """
    return binary_(elementwise("not_equal", 2), input, other)


@torch_function(strict=True)
def lt_(input: Tensor, other: Tensor | Number) -> Tensor:
    """Tell whether a < b, item by item and in place.

    a and b are items of `input` and `other`.

    Args:
        input: the tensor to overwrite.
        other: a tensor that broadcasts to input's shape, or a number.

    Returns:
        `input`.

    Raises:
        DTypeError: input's dtype cannot hold the result.
        ShapeError: the operands broadcast to another shape than input's.
        AutogradError: `input` is a leaf that requires gradients, or a view of one.

    >>> torch.tensor([1.0, 2.0, float('nan')]).lt_(torch.tensor([2.0, 2.0, 2.0]))
    tensor([1., 0., 0.])
    """
    return binary_(elementwise("less", 2), input, other)


@torch_function(strict=True)
def le_(input: Tensor, other: Tensor | Number) -> Tensor:
    """Tell whether a <= b, item by item and in place.

    a and b are items of `input` and `other`.

    Args:
        input: the tensor to overwrite.
        other: a tensor that broadcasts to input's shape, or a number.

    Returns:
        `input`.

    Raises:
        DTypeError: input's dtype cannot hold the result.
        ShapeError: the operands broadcast to another shape than input's.
        AutogradError: `input` is a leaf that requires gradients, or a view of one.

    >>> torch.tensor([1.0, 2.0, float('nan')]).le_(torch.tensor([2.0, 2.0, 2.0]))
    tensor([1., 1., 0.])
    """
    return binary_(elementwise("less_equal", 2), input, other)


@torch_function(strict=True)
def gt_(input: Tensor, other: Tensor | Number) -> Tensor:
    """Tell whether a > b, item by item and in place.

    a and b are items of `input` and `other`.

    Args:
        input: the tensor to overwrite.
        other: a tensor that broadcasts to input's shape, or a number.

    Returns:
        `input`.

    Raises:
        DTypeError: input's dtype cannot hold the result.
        ShapeError: the operands broadcast to another shape than input's.
        AutogradError: `input` is a leaf that requires gradients, or a view of one.

    >>> torch.tensor([1.0, 2.0, float('nan')]).gt_(torch.tensor([2.0, 2.0, 2.0]))
    tensor([0., 0., 0.])
    """
    return binary_(elementwise("greater", 2), input, other)


@torch_function(strict=True)
def ge_(input: Tensor, other: Tensor | Number) -> Tensor:
    """Tell whether a >= b, item by item and in place.

    a and b are items of `input` and `other`.

    Args:
        input: the tensor to overwrite.
        other: a tensor that broadcasts to input's shape, or a number.

    Returns:
        `input`.

    Raises:
        DTypeError: input's dtype cannot hold the result.
        ShapeError: the operands broadcast to another shape than input's.
        AutogradError: `input` is a leaf that requires gradients, or a view of one.

    >>> torch.tensor([1.0, 2.0, float('nan')]).ge_(torch.tensor([2.0, 2.0, 2.0]))
    tensor([0., 1., 0.])
    """
    return binary_(elementwise("greater_equal", 2), input, other)


@torch_function(strict=True)
def logical_and_(input: Tensor, other: Tensor) -> Tensor:
    """Tell whether both a and b are nonzero, item by item and in place.

    a and b are items of `input` and `other`.

    Args:
        input: the tensor to overwrite.
        other: a tensor that broadcasts to input's shape.

    Returns:
        `input`.

    Raises:
        DTypeError: input's dtype cannot hold the result.
        ShapeError: the operands broadcast to another shape than input's.
        AutogradError: `input` is a leaf that requires gradients, or a view of one.

    >>> torch.tensor([True, False]).logical_and_(torch.tensor([True, True]))
    tensor([ True, False])
    """
    return binary_(elementwise("logical_and", 2), input, other)


@torch_function(strict=True)
def logical_or_(input: Tensor, other: Tensor) -> Tensor:
    """Tell whether a or b is nonzero, item by item and in place.

    a and b are items of `input` and `other`.

    Args:
        input: the tensor to overwrite.
        other: a tensor that broadcasts to input's shape.

    Returns:
        `input`.

    Raises:
        DTypeError: input's dtype cannot hold the result.
        ShapeError: the operands broadcast to another shape than input's.
        AutogradError: `input` is a leaf that requires gradients, or a view of one.

    >>> torch.tensor([True, False]).logical_or_(torch.tensor([True, True]))
    tensor([True, True])
    """
    return binary_(elementwise("logical_or", 2), input, other)


@torch_function(strict=True)
def logical_xor_(input: Tensor, other: Tensor) -> Tensor:
    """Tell whether exactly one of a and b is nonzero, item by item and in place.

    a and b are items of `input` and `other`.

    Args:
        input: the tensor to overwrite.
        other: a tensor that broadcasts to input's shape.

    Returns:
        `input`.

    Raises:
        DTypeError: input's dtype cannot hold the result.
        ShapeError: the operands broadcast to another shape than input's.
        AutogradError: `input` is a leaf that requires gradients, or a view of one.

    >>> torch.tensor([True, False]).logical_xor_(torch.tensor([True, True]))
    tensor([False,  True])
    """
    return binary_(elementwise("logical_xor", 2), input, other)


@torch_function
def logical_not_(input: Tensor) -> Tensor:
    """Tell whether x is zero, item by item and in place.

    x is an item of `input`.

    Args:
        input: the tensor to overwrite.

    Returns:
        `input`.

    Raises:
        DTypeError: input's dtype cannot hold the result.
        AutogradError: `input` is a leaf that requires gradients, or a view of one.

    >>> torch.tensor([True, False]).logical_not_()
    tensor([False,  True])
    """
    return unary_(elementwise("logical_not", 1), input)


@torch_function(strict=True)
def bitwise_and_(input: Tensor, other: Tensor | Number) -> Tensor:
    """Compute a & b, item by item and in place.

    a and b are items of `input` and `other`.

    Args:
        input: the tensor to overwrite.
        other: a tensor that broadcasts to input's shape, or a number.

    Returns:
        `input`.

    Raises:
        DTypeError: input's dtype cannot hold the result.
        ShapeError: the operands broadcast to another shape than input's.
        AutogradError: `input` is a leaf that requires gradients, or a view of one.

    >>> torch.tensor([5, 6, 7]).bitwise_and_(torch.tensor([3, 2, 1]))
    tensor([1, 2, 1])
    """
    return binary_(elementwise("bitwise_and", 2), input, other)


@torch_function(strict=True)
def bitwise_or_(input: Tensor, other: Tensor | Number) -> Tensor:
    """Compute a | b, item by item and in place.

    a and b are items of `input` and `other`.

    Args:
        input: the tensor to overwrite.
        other: a tensor that broadcasts to input's shape, or a number.

    Returns:
        `input`.

    Raises:
        DTypeError: input's dtype cannot hold the result.
        ShapeError: the operands broadcast to another shape than input's.
        AutogradError: `input` is a leaf that requires gradients, or a view of one.

    >>> torch.tensor([5, 6, 7]).bitwise_or_(torch.tensor([3, 2, 1]))
    tensor([7, 6, 7])
    """
    return binary_(elementwise("bitwise_or", 2), input, other)


@torch_function(strict=True)
def bitwise_xor_(input: Tensor, other: Tensor | Number) -> Tensor:
    """Compute a ^ b, item by item and in place.

    a and b are items of `input` and `other`.

    Args:
        input: the tensor to overwrite.
        other: a tensor that broadcasts to input's shape, or a number.

    Returns:
        `input`.

    Raises:
        DTypeError: input's dtype cannot hold the result.
        ShapeError: the operands broadcast to another shape than input's.
        AutogradError: `input` is a leaf that requires gradients, or a view of one.

    >>> torch.tensor([5, 6, 7]).bitwise_xor_(torch.tensor([3, 2, 1]))
    tensor([6, 4, 6])
    """
    return binary_(elementwise("bitwise_xor", 2), input, other)


@torch_function
def bitwise_not_(input: Tensor) -> Tensor:
    """Compute ~x, item by item and in place; logical not for bool.

    x is an item of `input`.

    Args:
        input: the tensor to overwrite.

    Returns:
        `input`.

    Raises:
        DTypeError: input's dtype cannot hold the result.
        AutogradError: `input` is a leaf that requires gradients, or a view of one.

    >>> torch.tensor([5, 6, 7]).bitwise_not_()
    tensor([-6, -7, -8])
    """
    return unary_(elementwise("bitwise_invert", 1), input)


@torch_function(strict=True)
def bitwise_left_shift_(input: Tensor, other: Tensor | Number) -> Tensor:
    """Shift the bits of a to the left by b places, item by item and in place; zeros come in.

    a and b are items of `input` and `other`.

    Args:
        input: the tensor to overwrite.
        other: a tensor that broadcasts to input's shape, or a number.

    Returns:
        `input`.

    Raises:
        DTypeError: input's dtype cannot hold the result.
        ShapeError: the operands broadcast to another shape than input's.
        AutogradError: `input` is a leaf that requires gradients, or a view of one.

    >>> torch.tensor([5, 6, 7]).bitwise_left_shift_(torch.tensor([3, 2, 1]))
    tensor([40, 24, 14])
    """
    return binary_(elementwise("bitwise_left_shift", 2), input, other)


@torch_function(strict=True)
def bitwise_right_shift_(input: Tensor, other: Tensor | Number) -> Tensor:
    """Shift the bits of a to the right by b places, item by item and in place; copies of the sign bit come in.

    a and b are items of `input` and `other`.

    Args:
        input: the tensor to overwrite.
        other: a tensor that broadcasts to input's shape, or a number.

    Returns:
        `input`.

    Raises:
        DTypeError: input's dtype cannot hold the result.
        ShapeError: the operands broadcast to another shape than input's.
        AutogradError: `input` is a leaf that requires gradients, or a view of one.

    >>> torch.tensor([5, 6, 7]).bitwise_right_shift_(torch.tensor([3, 2, 1]))
    tensor([0, 1, 3])
    """
    return binary_(elementwise("bitwise_right_shift", 2), input, other)


@torch_function
def relu_(input: Tensor) -> Tensor:
    """Replace negative numbers by 0, item by item and in place: max(x, 0); NaN stays.

    x is an item of `input`.

    Args:
        input: the tensor to overwrite.

    Returns:
        `input`.

    Raises:
        DTypeError: input's dtype cannot hold the result.
        AutogradError: `input` is a leaf that requires gradients, or a view of one.

    >>> torch.tensor([-1.5, 0.0, 2.0]).relu_()
    tensor([0., 0., 2.])
    """
    return unary_(elementwise("relu", 1), input)


@torch_function
def sigmoid_(input: Tensor) -> Tensor:
    """Compute the logistic function 1 / (1 + exp(-x)), item by item and in place.

    x is an item of `input`.

    Args:
        input: the tensor to overwrite.

    Returns:
        `input`.

    Raises:
        DTypeError: input's dtype cannot hold the result.
        AutogradError: `input` is a leaf that requires gradients, or a view of one.

    >>> torch.tensor([-1.5, 0.0, 2.0]).sigmoid_()
    tensor([0.1824, 0.5000, 0.8808])
    """
    return unary_(elementwise("sigmoid", 1), input)


@torch_function(strict=True)
def xlogy_(input: Tensor, other: Tensor | Number) -> Tensor:
    """Compute a * log(b), item by item and in place; it is 0 where a is 0, unless b is NaN.

    a and b are items of `input` and `other`.

    Args:
        input: the tensor to overwrite.
        other: a tensor that broadcasts to input's shape, or a number.

    Returns:
        `input`.

    Raises:
        DTypeError: input's dtype cannot hold the result.
        ShapeError: the operands broadcast to another shape than input's.
        AutogradError: `input` is a leaf that requires gradients, or a view of one.

    >>> torch.tensor([-1.5, 0.0, 2.0]).xlogy_(torch.tensor([2.0, 3.0, 0.5]))
    tensor([-1.0397,  0.0000, -1.3863])
    """
    return binary_(elementwise("xlogy", 2), input, other)


@torch_function
def sinc_(input: Tensor) -> Tensor:
    """Compute sin(pi x) / (pi x), item by item and in place; it is 1 at 0.

    x is an item of `input`.

    Args:
        input: the tensor to overwrite.

    Returns:
        `input`.

    Raises:
        DTypeError: input's dtype cannot hold the result.
        AutogradError: `input` is a leaf that requires gradients, or a view of one.

    >>> torch.tensor([-1.5, 0.0, 2.0]).sinc_()
    tensor([-2.1221e-01,  1.0000e+00,  2.7828e-08])
    """
    return unary_(elementwise("sinc", 1), input)


@torch_function
def erfc_(input: Tensor) -> Tensor:
    """Compute 1 - erf(x), item by item and in place, accurately where it is small; NaN stays.

    x is an item of `input`.

    Args:
        input: the tensor to overwrite.

    Returns:
        `input`.

    Raises:
        DTypeError: input's dtype cannot hold the result.
        AutogradError: `input` is a leaf that requires gradients, or a view of one.

    >>> torch.tensor([-1.5, 0.0, 2.0]).erfc_()
    tensor([1.9661, 1.0000, 0.0047])
    """
    return unary_(elementwise("erfc", 1), input)


@torch_function
def erfinv_(input: Tensor) -> Tensor:
    """Compute the inverse of the error function at x, item by item and in place; it is infinite at -1 and 1, and NaN
    outside of [-1, 1].

    x is an item of `input`.

    Args:
        input: the tensor to overwrite.

    Returns:
        `input`.

    Raises:
        DTypeError: input's dtype cannot hold the result.
        AutogradError: `input` is a leaf that requires gradients, or a view of one.

    >>> torch.tensor([0.25, 0.5, 0.75]).erfinv_()
    tensor([0.2253, 0.4769, 0.8134])
    """
    return unary_(elementwise("erfinv", 1), input)


@torch_function
def lgamma_(input: Tensor) -> Tensor:
    """Compute the logarithm of |gamma(x)|, item by item and in place; it is inf at 0, -1, -2 and so on, and at both
    infinities.

    x is an item of `input`.

    Args:
        input: the tensor to overwrite.

    Returns:
        `input`.

    Raises:
        DTypeError: input's dtype cannot hold the result.
        AutogradError: `input` is a leaf that requires gradients, or a view of one.

    >>> torch.tensor([0.25, 0.5, 0.75]).lgamma_()
    tensor([1.2880, 0.5724, 0.2033])
    """
    return unary_(elementwise("lgamma", 1), input)


@torch_function
def digamma_(input: Tensor) -> Tensor:
    """Compute the derivative of lgamma at x, item by item and in place; it is -inf at 0, inf at -0, and NaN at -1, -2 and
    so on.

    x is an item of `input`.

    Args:
        input: the tensor to overwrite.

    Returns:
        `input`.

    Raises:
        DTypeError: input's dtype cannot hold the result.
        AutogradError: `input` is a leaf that requires gradients, or a view of one.

    >>> torch.tensor([0.25, 0.5, 0.75]).digamma_()
    tensor([-4.2275, -1.9635, -1.0859])
    """
    return unary_(elementwise("digamma", 1), input)


@torch_function(strict=True)
def igamma_(input: Tensor, other: Tensor) -> Tensor:
    """Compute the regularised lower incomplete gamma function P(a, x), item by item and in place; NaN where an argument is
    negative, or both are 0 or infinite.

    a and x are items of `input` and `other`.

    Args:
        input: the tensor to overwrite.
        other: a tensor that broadcasts to input's shape.

    Returns:
        `input`.

    Raises:
        DTypeError: input's dtype cannot hold the result.
        ShapeError: the operands broadcast to another shape than input's.
        AutogradError: `input` is a leaf that requires gradients, or a view of one.

    >>> torch.tensor([0.25, 0.5, 0.75]).igamma_(torch.tensor([2.0, 3.0, 0.5]))
    tensor([0.9827, 0.9857, 0.5279])
    """
    return binary_(elementwise("igamma", 2), input, other)


@torch_function(strict=True)
def igammac_(input: Tensor, other: Tensor) -> Tensor:
    """Compute 1 - igamma(a, x), the regularised upper incomplete gamma function, item by item and in place, accurately
    where it is small.

    a and x are items of `input` and `other`.

    Args:
        input: the tensor to overwrite.
        other: a tensor that broadcasts to input's shape.

    Returns:
        `input`.

    Raises:
        DTypeError: input's dtype cannot hold the result.
        ShapeError: the operands broadcast to another shape than input's.
        AutogradError: `input` is a leaf that requires gradients, or a view of one.

    >>> torch.tensor([0.25, 0.5, 0.75]).igammac_(torch.tensor([2.0, 3.0, 0.5]))
    tensor([0.0173, 0.0143, 0.4721])
    """
    return binary_(elementwise("igammac", 2), input, other)


@torch_function
def i0_(input: Tensor) -> Tensor:
    """Compute the modified Bessel function of the first kind of order 0 at x, item by item and in place.

    x is an item of `input`.

    Args:
        input: the tensor to overwrite.

    Returns:
        `input`.

    Raises:
        DTypeError: input's dtype cannot hold the result.
        AutogradError: `input` is a leaf that requires gradients, or a view of one.

    >>> torch.tensor([-1.5, 0.0, 2.0]).i0_()
    tensor([1.6467, 1.0000, 2.2796])
    """
    return unary_(elementwise("i0", 1), input)


multiply_ = mul_
arctan2_ = atan2_
negative_ = neg_
sgn_ = sign_
fix_ = trunc_
arcsin_ = asin_
arccos_ = acos_
arctan_ = atan_
arcsinh_ = asinh_
arccosh_ = acosh_
arctanh_ = atanh_
not_equal_ = ne_
less_ = lt_
less_equal_ = le_
greater_ = gt_
greater_equal_ = ge_
