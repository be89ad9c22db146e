"""Functions item by item: arithmetic, mathematics, casts."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..graph import Graph, Operand, elem_type
from .comparisons import is_bool
from .registry import lowers

SAME_NAME = {
    "neg": "Neg", "negative": "Neg", "abs": "Abs", "absolute": "Abs", "exp": "Exp", "log": "Log", "sqrt": "Sqrt",
    "sin": "Sin", "cos": "Cos", "tan": "Tan", "asin": "Asin", "acos": "Acos", "atan": "Atan", "sinh": "Sinh",
    "cosh": "Cosh", "asinh": "Asinh", "acosh": "Acosh", "atanh": "Atanh", "arcsin": "Asin", "arccos": "Acos",
    "arctan": "Atan", "arcsinh": "Asinh", "arccosh": "Acosh", "arctanh": "Atanh", "floor": "Floor", "ceil": "Ceil",
    "erf": "Erf", "sigmoid": "Sigmoid", "tanh": "Tanh", "sign": "Sign", "reciprocal": "Reciprocal",
}  # fmt: skip
"""Functions of one tensor that ONNX has, too."""

FLOATING_ONLY = {"Floor", "Ceil"}


@lowers(*SAME_NAME)
def unary(g: Graph, input: Operand) -> Any:
    """A function that ONNX has, in the dtype of the result."""
    op_type = SAME_NAME[g.call.name]
    if op_type in FLOATING_ONLY and not input.dtype.is_floating_point:
        return input
    return g.op(op_type, g.cast(input, g.result.dtype))


def scaled(g: Graph, x: Any, alpha: Any, dtype: Any) -> Any:
    """A tensor or a number times a number."""
    operand = g.operand(x, dtype)
    return operand if alpha == 1 else g.op("Mul", operand, g.number(alpha, dtype))


@lowers("add")
def add(g: Graph, input: Any, other: Any, alpha: Any = 1) -> Any:
    """Write `add` as Add and Or."""
    dtype = g.result.dtype
    if is_bool(dtype):
        return g.op("Or", g.operand(input, dtype), g.operand(other, dtype))
    return g.op("Add", g.operand(input, dtype), scaled(g, other, alpha, dtype))


@lowers("sub", "subtract")
def sub(g: Graph, input: Any, other: Any, alpha: Any = 1) -> Any:
    """Write `sub` and `subtract` as Sub."""
    dtype = g.result.dtype
    return g.op("Sub", g.operand(input, dtype), scaled(g, other, alpha, dtype))


@lowers("rsub")
def rsub(g: Graph, input: Any, other: Any, alpha: Any = 1) -> Any:
    """Write `rsub` as Sub."""
    return sub(g, other, input, alpha)


@lowers("mul", "multiply")
def mul(g: Graph, input: Any, other: Any) -> Any:
    """Write `mul` and `multiply` as And and Mul."""
    dtype = g.result.dtype
    return g.op("And" if is_bool(dtype) else "Mul", g.operand(input, dtype), g.operand(other, dtype))


@lowers("div", "divide", "true_divide")
def div(g: Graph, input: Any, other: Any, rounding_mode: Any = None) -> Any:
    """Write `div`, `divide` and `true_divide`."""
    dtype = g.result.dtype
    a, b = g.operand(input, dtype), g.operand(other, dtype)
    if dtype.is_floating_point:
        quotient = g.op("Div", a, b)
        if rounding_mode is None:
            return quotient
        return g.op("Floor", quotient) if rounding_mode == "floor" else truncated(g, quotient, dtype)
    quotient = g.op("Div", a, b)  # rounds to zero
    if rounding_mode == "trunc":
        return quotient
    rest = g.op("Sub", a, g.op("Mul", quotient, b))
    zero = g.number(0, dtype)
    below = g.op(
        "And", g.op("Not", g.op("Equal", rest, zero)), g.op("Xor", g.op("Less", rest, zero), g.op("Less", b, zero))
    )
    return g.op("Sub", quotient, g.op("Cast", below, to=elem_type(dtype)))


@lowers("floor_divide", "__floordiv__", "__rfloordiv__")
def floor_divide(g: Graph, input: Any, other: Any) -> Any:
    """Write `floor_divide`, `__floordiv__` and `__rfloordiv__`."""
    return div(g, input, other, "floor")


def truncated(g: Graph, x: Any, dtype: Any) -> Any:
    """Rounded to zero."""
    return g.op("Where", g.op("Less", x, g.number(0, dtype)), g.op("Ceil", x), g.op("Floor", x))


@lowers("trunc", "fix")
def trunc(g: Graph, input: Operand) -> Any:
    """Write `trunc` and `fix`."""
    return truncated(g, input, input.dtype) if input.dtype.is_floating_point else input


@lowers("round")
def round_(g: Graph, input: Operand, decimals: int = 0) -> Any:
    """Write `round` as Round."""
    if decimals:
        raise g.unsupported("to decimals")
    return g.op("Round", input) if input.dtype.is_floating_point else input


@lowers("remainder", "__mod__")
def remainder(g: Graph, input: Any, other: Any) -> Any:
    """Write `remainder` and `__mod__`."""
    dtype = g.result.dtype
    a, b = g.operand(input, dtype), g.operand(other, dtype)
    if not dtype.is_floating_point:
        return g.op("Mod", a, b)
    rest = g.op("Mod", a, b, fmod=1)
    zero = g.number(0, dtype)
    other_side = g.op(
        "And", g.op("Not", g.op("Equal", rest, zero)), g.op("Xor", g.op("Less", rest, zero), g.op("Less", b, zero))
    )
    return g.op("Where", other_side, g.op("Add", rest, b), rest)


@lowers("fmod")
def fmod(g: Graph, input: Any, other: Any) -> Any:
    """Write `fmod` as Mod."""
    dtype = g.result.dtype
    return g.op("Mod", g.operand(input, dtype), g.operand(other, dtype), fmod=1)


@lowers("pow", "float_power")
def power(g: Graph, input: Any, exponent: Any) -> Any:
    """Write `pow` and `float_power` as Pow, Mul and Sqrt."""
    dtype = g.result.dtype
    if exponent == 2 and isinstance(input, Operand):
        x = g.cast(input, dtype)
        return g.op("Mul", x, x)
    if exponent == 0.5 and isinstance(input, Operand):
        return g.op("Sqrt", g.cast(input, dtype))
    return g.op("Pow", g.operand(input, dtype), g.operand(exponent, dtype))


@lowers("square")
def square(g: Graph, input: Operand) -> Any:
    """Write `square` as Mul."""
    return g.op("Mul", input, input)


@lowers("rsqrt")
def rsqrt(g: Graph, input: Operand) -> Any:
    """Write `rsqrt` as Reciprocal and Sqrt."""
    return g.op("Reciprocal", g.op("Sqrt", g.cast(input, g.result.dtype)))


@lowers("exp2")
def exp2(g: Graph, input: Operand) -> Any:
    """Write `exp2` as Pow."""
    return g.op("Pow", g.number(2, g.result.dtype), g.cast(input, g.result.dtype))


@lowers("log2")
def log2(g: Graph, input: Operand) -> Any:
    """Write `log2` as Div and Log."""
    return g.op("Div", g.op("Log", g.cast(input, g.result.dtype)), g.number(math.log(2), g.result.dtype))


@lowers("log10")
def log10(g: Graph, input: Operand) -> Any:
    """Write `log10` as Div and Log."""
    return g.op("Div", g.op("Log", g.cast(input, g.result.dtype)), g.number(math.log(10), g.result.dtype))


@lowers("erfc")
def erfc(g: Graph, input: Operand) -> Any:
    """Write `erfc` as Sub and Erf."""
    return g.op("Sub", g.number(1, g.result.dtype), g.op("Erf", g.cast(input, g.result.dtype)))


@lowers("frac")
def frac(g: Graph, input: Operand) -> Any:
    """Write `frac` as Sub."""
    return g.op("Sub", input, truncated(g, input, input.dtype))


@lowers("addcmul")
def addcmul(g: Graph, input: Operand, tensor1: Operand, tensor2: Operand, value: Any = 1) -> Any:
    """Write `addcmul` as Add and Mul."""
    dtype = g.result.dtype
    return g.op(
        "Add",
        g.cast(input, dtype),
        scaled_name(g, g.op("Mul", g.cast(tensor1, dtype), g.cast(tensor2, dtype)), value, dtype),
    )


@lowers("addcdiv")
def addcdiv(g: Graph, input: Operand, tensor1: Operand, tensor2: Operand, value: Any = 1) -> Any:
    """Write `addcdiv` as Add and Div."""
    dtype = g.result.dtype
    return g.op(
        "Add",
        g.cast(input, dtype),
        scaled_name(g, g.op("Div", g.cast(tensor1, dtype), g.cast(tensor2, dtype)), value, dtype),
    )


def scaled_name(g: Graph, x: Any, factor: Any, dtype: Any) -> Any:
    """A tensor of a dtype times a number."""
    return x if factor == 1 else g.op("Mul", x, g.number(factor, dtype))


@lowers("lerp")
def lerp(g: Graph, input: Operand, end: Operand, weight: Any) -> Any:
    """Write `lerp` as Add, Mul and Sub."""
    return g.op("Add", input, g.op("Mul", g.operand(weight, g.result.dtype), g.op("Sub", end, input)))


@lowers("maximum")
def maximum(g: Graph, input: Operand, other: Operand) -> Any:
    """Write `maximum` as Max."""
    return g.op("Max", g.cast(input, g.result.dtype), g.cast(other, g.result.dtype))


@lowers("minimum")
def minimum(g: Graph, input: Operand, other: Operand) -> Any:
    """Write `minimum` as Min."""
    return g.op("Min", g.cast(input, g.result.dtype), g.cast(other, g.result.dtype))


@lowers("clamp", "clip")
def clamp(g: Graph, input: Operand, min: Any = None, max: Any = None) -> Any:
    """Write `clamp` and `clip` as Max and Min."""
    dtype = g.result.dtype
    x = g.cast(input, dtype)
    if min is not None:
        x = g.op("Max", x, g.operand(min, dtype))
    return x if max is None else g.op("Min", x, g.operand(max, dtype))


@lowers("clamp_min")
def clamp_min(g: Graph, input: Operand, min: Any) -> Any:
    """Write `clamp_min` as Max."""
    return clamp(g, input, min)


@lowers("clamp_max")
def clamp_max(g: Graph, input: Operand, max: Any) -> Any:
    """Write `clamp_max` as Min."""
    return clamp(g, input, None, max)


@lowers("where")
def where(g: Graph, condition: Operand, input: Any = None, other: Any = None) -> Any:
    """Write `where` as Where."""
    if input is None or other is None:
        raise g.unsupported("of a condition alone")
    return g.op(
        "Where", g.cast(condition, np.bool_), g.operand(input, g.result.dtype), g.operand(other, g.result.dtype)
    )


@lowers("masked_fill")
def masked_fill(g: Graph, input: Operand, mask: Operand, value: Any) -> Any:
    """Write `masked_fill` as Where."""
    return g.op("Where", mask, g.operand(value, g.result.dtype), g.cast(input, g.result.dtype))


@lowers("nan_to_num")
def nan_to_num(g: Graph, input: Operand, nan: Any = None, posinf: Any = None, neginf: Any = None) -> Any:
    """Write `nan_to_num` as Where, IsInf and IsNaN."""
    if not input.dtype.is_floating_point:
        return input
    limits = np.finfo(input.dtype.numpy)
    x = g.op("Where", g.op("IsNaN", input), g.number(nan or 0.0, input.dtype), input)
    over = g.op("IsInf", x, detect_negative=0)
    x = g.op("Where", over, g.number(float(limits.max) if posinf is None else posinf, input.dtype), x)
    under = g.op("IsInf", x, detect_positive=0)
    return g.op("Where", under, g.number(float(limits.min) if neginf is None else neginf, input.dtype), x)


# -- casts and copies ---------------------------------------------------------------------------------------------------


@lowers(
    "float", "double", "half", "bfloat16", "int", "long", "short", "char", "byte", "bool", "type_as", "clone", "contiguous", "detach",
    "alias", "cpu", "positive",
)  # fmt: skip
def cast(g: Graph, input: Operand, other: Any = None) -> Any:
    """In the dtype of the result, which may be its own."""
    return g.cast(input, g.result.dtype)


@lowers("to", "type")
def to(g: Graph, input: Operand, args: Any = (), kwargs: Any = None, dtype: Any = None) -> Any:
    """Write `to` and `type`."""
    return g.cast(input, g.result.dtype)


@lowers("copy")
def copy(g: Graph, input: Operand, src: Any = None, other: Any = None) -> Any:
    """What `copy_` leaves in a tensor."""
    return g.op("Expand", g.operand(other if src is None else src, g.result.dtype), g.ints(g.result.shape))


@lowers("fill")
def fill(g: Graph, input: Operand, value: Any) -> Any:
    """What `fill_` leaves in a tensor."""
    return g.op("Expand", g.operand(value, g.result.dtype), g.ints(g.result.shape))


@lowers("zero")
def zero(g: Graph, input: Operand) -> Any:
    """What `zero_` leaves in a tensor."""
    return fill(g, input, 0)
