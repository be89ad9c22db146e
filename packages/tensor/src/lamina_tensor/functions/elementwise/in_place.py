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
    "erfinv_", "exp2_", "exp_", "expm1_", "fix_", "floor_", "floor_divide_", "fmod_", "gcd_", "ge_", "greater_",
    "greater_equal_", "gt_", "heaviside_", "hypot_", "i0_", "igamma_", "igammac_", "le_", "less_", "less_equal_",
    "lgamma_", "log10_", "log1p_", "log2_", "log_", "logical_and_", "logical_not_", "logical_or_", "logical_xor_",
    "lt_", "mul_", "multiply_", "ne_", "neg_", "negative_", "nextafter_", "not_equal_", "pow_", "reciprocal_", "relu_",
    "remainder_", "rsqrt_", "sgn_", "sigmoid_", "sign_", "sin_", "sinc_", "sinh_", "sqrt_", "square_", "tan_", "tanh_",
    "trunc_", "xlogy_",
]


@torch_function(strict=True)
def mul_(input: Tensor, other: Tensor | Number) -> Tensor:
    """`mul`, written over `input`, which is returned."""
    return binary_(elementwise("multiply", 2), input, other)


@torch_function(strict=True)
def floor_divide_(input: Tensor, other: Tensor | Number) -> Tensor:
    """`floor_divide`, written over `input`, which is returned."""
    return binary_(elementwise("floor_divide", 2), input, other)


@torch_function(strict=True)
def remainder_(input: Tensor, other: Tensor | Number) -> Tensor:
    """`remainder`, written over `input`, which is returned."""
    return binary_(elementwise("remainder", 2), input, other)


@torch_function(strict=True)
def fmod_(input: Tensor, other: Tensor | Number) -> Tensor:
    """`fmod`, written over `input`, which is returned."""
    return binary_(elementwise("fmod", 2), input, other)


@torch_function(strict=True)
def pow_(input: Tensor, exponent: Tensor | Number) -> Tensor:
    """`pow`, written over `input`, which is returned."""
    return binary_(elementwise("pow", 2), input, exponent)


@torch_function(strict=True)
def atan2_(input: Tensor, other: Tensor) -> Tensor:
    """`atan2`, written over `input`, which is returned."""
    return binary_(elementwise("atan2", 2), input, other)


@torch_function(strict=True)
def hypot_(input: Tensor, other: Tensor) -> Tensor:
    """`hypot`, written over `input`, which is returned."""
    return binary_(elementwise("hypot", 2), input, other)


@torch_function(strict=True)
def copysign_(input: Tensor, other: Tensor | Number) -> Tensor:
    """`copysign`, written over `input`, which is returned."""
    return binary_(elementwise("copysign", 2), input, other)


@torch_function(strict=True)
def nextafter_(input: Tensor, other: Tensor) -> Tensor:
    """`nextafter`, written over `input`, which is returned."""
    return binary_(elementwise("nextafter", 2), input, other)


@torch_function(strict=True)
def heaviside_(input: Tensor, values: Tensor) -> Tensor:
    """`heaviside`, written over `input`, which is returned."""
    return binary_(elementwise("heaviside", 2), input, values)


@torch_function(strict=True)
def gcd_(input: Tensor, other: Tensor) -> Tensor:
    """`gcd`, written over `input`, which is returned."""
    return binary_(elementwise("gcd", 2), input, other)


@torch_function
def neg_(input: Tensor) -> Tensor:
    """`neg`, written over `input`, which is returned."""
    return unary_(elementwise("negative", 1), input)


@torch_function
def sign_(input: Tensor) -> Tensor:
    """`sign`, written over `input`, which is returned."""
    return unary_(elementwise("sign", 1), input)


@torch_function
def square_(input: Tensor) -> Tensor:
    """`square`, written over `input`, which is returned."""
    return unary_(elementwise("square", 1), input)


@torch_function
def reciprocal_(input: Tensor) -> Tensor:
    """`reciprocal`, written over `input`, which is returned."""
    return unary_(elementwise("reciprocal", 1), input)


@torch_function
def sqrt_(input: Tensor) -> Tensor:
    """`sqrt`, written over `input`, which is returned."""
    return unary_(elementwise("sqrt", 1), input)


@torch_function
def rsqrt_(input: Tensor) -> Tensor:
    """`rsqrt`, written over `input`, which is returned."""
    return unary_(elementwise("rsqrt", 1), input)


@torch_function
def floor_(input: Tensor) -> Tensor:
    """`floor`, written over `input`, which is returned."""
    return unary_(elementwise("floor", 1), input)


@torch_function
def ceil_(input: Tensor) -> Tensor:
    """`ceil`, written over `input`, which is returned."""
    return unary_(elementwise("ceil", 1), input)


@torch_function
def trunc_(input: Tensor) -> Tensor:
    """`trunc`, written over `input`, which is returned."""
    return unary_(elementwise("trunc", 1), input)


@torch_function
def exp_(input: Tensor) -> Tensor:
    """`exp`, written over `input`, which is returned."""
    return unary_(elementwise("exp", 1), input)


@torch_function
def exp2_(input: Tensor) -> Tensor:
    """`exp2`, written over `input`, which is returned."""
    return unary_(elementwise("exp2", 1), input)


@torch_function
def expm1_(input: Tensor) -> Tensor:
    """`expm1`, written over `input`, which is returned."""
    return unary_(elementwise("expm1", 1), input)


@torch_function
def log_(input: Tensor) -> Tensor:
    """`log`, written over `input`, which is returned."""
    return unary_(elementwise("log", 1), input)


@torch_function
def log2_(input: Tensor) -> Tensor:
    """`log2`, written over `input`, which is returned."""
    return unary_(elementwise("log2", 1), input)


@torch_function
def log10_(input: Tensor) -> Tensor:
    """`log10`, written over `input`, which is returned."""
    return unary_(elementwise("log10", 1), input)


@torch_function
def log1p_(input: Tensor) -> Tensor:
    """`log1p`, written over `input`, which is returned."""
    return unary_(elementwise("log1p", 1), input)


@torch_function
def sin_(input: Tensor) -> Tensor:
    """`sin`, written over `input`, which is returned."""
    return unary_(elementwise("sin", 1), input)


@torch_function
def cos_(input: Tensor) -> Tensor:
    """`cos`, written over `input`, which is returned."""
    return unary_(elementwise("cos", 1), input)


@torch_function
def tan_(input: Tensor) -> Tensor:
    """`tan`, written over `input`, which is returned."""
    return unary_(elementwise("tan", 1), input)


@torch_function
def asin_(input: Tensor) -> Tensor:
    """`asin`, written over `input`, which is returned."""
    return unary_(elementwise("asin", 1), input)


@torch_function
def acos_(input: Tensor) -> Tensor:
    """`acos`, written over `input`, which is returned."""
    return unary_(elementwise("acos", 1), input)


@torch_function
def atan_(input: Tensor) -> Tensor:
    """`atan`, written over `input`, which is returned."""
    return unary_(elementwise("atan", 1), input)


@torch_function
def sinh_(input: Tensor) -> Tensor:
    """`sinh`, written over `input`, which is returned."""
    return unary_(elementwise("sinh", 1), input)


@torch_function
def cosh_(input: Tensor) -> Tensor:
    """`cosh`, written over `input`, which is returned."""
    return unary_(elementwise("cosh", 1), input)


@torch_function
def tanh_(input: Tensor) -> Tensor:
    """`tanh`, written over `input`, which is returned."""
    return unary_(elementwise("tanh", 1), input)


@torch_function
def asinh_(input: Tensor) -> Tensor:
    """`asinh`, written over `input`, which is returned."""
    return unary_(elementwise("asinh", 1), input)


@torch_function
def acosh_(input: Tensor) -> Tensor:
    """`acosh`, written over `input`, which is returned."""
    return unary_(elementwise("acosh", 1), input)


@torch_function
def atanh_(input: Tensor) -> Tensor:
    """`atanh`, written over `input`, which is returned."""
    return unary_(elementwise("atanh", 1), input)


@torch_function
def erf_(input: Tensor) -> Tensor:
    """`erf`, written over `input`, which is returned."""
    return unary_(elementwise("erf", 1), input)


@torch_function(strict=True)
def eq_(input: Tensor, other: Tensor | Number) -> Tensor:
    """`eq`, written over `input`, which is returned."""
    return binary_(elementwise("equal", 2), input, other)


@torch_function(strict=True)
def ne_(input: Tensor, other: Tensor | Number) -> Tensor:
    """`ne`, written over `input`, which is returned."""
    return binary_(elementwise("not_equal", 2), input, other)


@torch_function(strict=True)
def lt_(input: Tensor, other: Tensor | Number) -> Tensor:
    """`lt`, written over `input`, which is returned."""
    return binary_(elementwise("less", 2), input, other)


@torch_function(strict=True)
def le_(input: Tensor, other: Tensor | Number) -> Tensor:
    """`le`, written over `input`, which is returned."""
    return binary_(elementwise("less_equal", 2), input, other)


@torch_function(strict=True)
def gt_(input: Tensor, other: Tensor | Number) -> Tensor:
    """`gt`, written over `input`, which is returned."""
    return binary_(elementwise("greater", 2), input, other)


@torch_function(strict=True)
def ge_(input: Tensor, other: Tensor | Number) -> Tensor:
    """`ge`, written over `input`, which is returned."""
    return binary_(elementwise("greater_equal", 2), input, other)


@torch_function(strict=True)
def logical_and_(input: Tensor, other: Tensor) -> Tensor:
    """`logical_and`, written over `input`, which is returned."""
    return binary_(elementwise("logical_and", 2), input, other)


@torch_function(strict=True)
def logical_or_(input: Tensor, other: Tensor) -> Tensor:
    """`logical_or`, written over `input`, which is returned."""
    return binary_(elementwise("logical_or", 2), input, other)


@torch_function(strict=True)
def logical_xor_(input: Tensor, other: Tensor) -> Tensor:
    """`logical_xor`, written over `input`, which is returned."""
    return binary_(elementwise("logical_xor", 2), input, other)


@torch_function
def logical_not_(input: Tensor) -> Tensor:
    """`logical_not`, written over `input`, which is returned."""
    return unary_(elementwise("logical_not", 1), input)


@torch_function(strict=True)
def bitwise_and_(input: Tensor, other: Tensor | Number) -> Tensor:
    """`bitwise_and`, written over `input`, which is returned."""
    return binary_(elementwise("bitwise_and", 2), input, other)


@torch_function(strict=True)
def bitwise_or_(input: Tensor, other: Tensor | Number) -> Tensor:
    """`bitwise_or`, written over `input`, which is returned."""
    return binary_(elementwise("bitwise_or", 2), input, other)


@torch_function(strict=True)
def bitwise_xor_(input: Tensor, other: Tensor | Number) -> Tensor:
    """`bitwise_xor`, written over `input`, which is returned."""
    return binary_(elementwise("bitwise_xor", 2), input, other)


@torch_function
def bitwise_not_(input: Tensor) -> Tensor:
    """`bitwise_not`, written over `input`, which is returned."""
    return unary_(elementwise("bitwise_invert", 1), input)


@torch_function(strict=True)
def bitwise_left_shift_(input: Tensor, other: Tensor | Number) -> Tensor:
    """`bitwise_left_shift`, written over `input`, which is returned."""
    return binary_(elementwise("bitwise_left_shift", 2), input, other)


@torch_function(strict=True)
def bitwise_right_shift_(input: Tensor, other: Tensor | Number) -> Tensor:
    """`bitwise_right_shift`, written over `input`, which is returned."""
    return binary_(elementwise("bitwise_right_shift", 2), input, other)


@torch_function
def relu_(input: Tensor) -> Tensor:
    """`relu`, written over `input`, which is returned."""
    return unary_(elementwise("relu", 1), input)


@torch_function
def sigmoid_(input: Tensor) -> Tensor:
    """`sigmoid`, written over `input`, which is returned."""
    return unary_(elementwise("sigmoid", 1), input)


@torch_function(strict=True)
def xlogy_(input: Tensor, other: Tensor | Number) -> Tensor:
    """`xlogy`, written over `input`, which is returned."""
    return binary_(elementwise("xlogy", 2), input, other)


@torch_function
def sinc_(input: Tensor) -> Tensor:
    """`sinc`, written over `input`, which is returned."""
    return unary_(elementwise("sinc", 1), input)


@torch_function
def erfc_(input: Tensor) -> Tensor:
    """`erfc`, written over `input`, which is returned."""
    return unary_(elementwise("erfc", 1), input)


@torch_function
def erfinv_(input: Tensor) -> Tensor:
    """`erfinv`, written over `input`, which is returned."""
    return unary_(elementwise("erfinv", 1), input)


@torch_function
def lgamma_(input: Tensor) -> Tensor:
    """`lgamma`, written over `input`, which is returned."""
    return unary_(elementwise("lgamma", 1), input)


@torch_function
def digamma_(input: Tensor) -> Tensor:
    """`digamma`, written over `input`, which is returned."""
    return unary_(elementwise("digamma", 1), input)


@torch_function(strict=True)
def igamma_(input: Tensor, other: Tensor) -> Tensor:
    """`igamma`, written over `input`, which is returned."""
    return binary_(elementwise("igamma", 2), input, other)


@torch_function(strict=True)
def igammac_(input: Tensor, other: Tensor) -> Tensor:
    """`igammac`, written over `input`, which is returned."""
    return binary_(elementwise("igammac", 2), input, other)


@torch_function
def i0_(input: Tensor) -> Tensor:
    """`i0`, written over `input`, which is returned."""
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
