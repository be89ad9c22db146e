"""Comparisons item by item, and logic of truth values and of bits."""

from __future__ import annotations

from typing import Any

import numpy as np

import lamina_tensor as lt

from ..graph import Graph, Operand, elem_type
from .registry import lowers

COMPARISONS = {
    "eq": "Equal", "gt": "Greater", "lt": "Less", "ge": "GreaterOrEqual", "le": "LessOrEqual", "greater": "Greater", "less": "Less",
    "greater_equal": "GreaterOrEqual", "less_equal": "LessOrEqual",
}  # fmt: skip


def compared(a: Any, b: Any) -> Any:
    """The dtype in which two operands, of which one may be a number, are compared."""
    stand_ins = [lt.zeros((1,) * min(x.ndim, 1), dtype=x.dtype) if isinstance(x, Operand) else 0 if not isinstance(x, (bool, float)) else x
                 for x in (a, b)]  # fmt: skip
    return lt.result_type(*stand_ins)


def is_bool(dtype: Any) -> bool:
    """Whether a dtype is that of truth values."""
    return elem_type(dtype) == elem_type(np.bool_)


@lowers(*COMPARISONS)
def comparison(g: Graph, input: Any, other: Any) -> Any:
    """Which items compare so."""
    dtype = compared(input, other)
    if is_bool(dtype) and g.call.name != "eq":
        dtype = np.int32
    return g.op(COMPARISONS[g.call.name], g.operand(input, dtype), g.operand(other, dtype))


@lowers("ne", "not_equal")
def ne(g: Graph, input: Any, other: Any) -> Any:
    """Write `ne` and `not_equal` as Not and Equal."""
    dtype = compared(input, other)
    return g.op("Not", g.op("Equal", g.operand(input, dtype), g.operand(other, dtype)))


LOGIC = {"logical_and": "And", "logical_or": "Or", "logical_xor": "Xor"}


@lowers(*LOGIC)
def logic(g: Graph, input: Any, other: Any) -> Any:
    """Truth values of two tensors put together."""
    return g.op(LOGIC[g.call.name], g.cast(input, np.bool_), g.cast(other, np.bool_))


@lowers("logical_not")
def logical_not(g: Graph, input: Operand) -> Any:
    """Write `logical_not` as Not."""
    return g.op("Not", g.cast(input, np.bool_))


BITS = {"and": ("And", "BitwiseAnd"), "or": ("Or", "BitwiseOr"), "xor": ("Xor", "BitwiseXor")}


@lowers(*(f"bitwise_{name}" for name in BITS), *(f"__{name}__" for name in BITS))
def bits(g: Graph, input: Any, other: Any) -> Any:
    """Bits of two tensors put together; of truth values, these."""
    dtype = g.result.dtype
    of_bools, of_integers = BITS[g.call.name.removeprefix("bitwise_").strip("_").removeprefix("i")]
    if not is_bool(dtype) and g.opset < 18:
        raise g.unsupported("of integers before opset 18")
    return g.op(of_bools if is_bool(dtype) else of_integers, g.operand(input, dtype), g.operand(other, dtype))


@lowers("bitwise_not", "__invert__")
def bitwise_not(g: Graph, input: Operand) -> Any:
    """Write `bitwise_not` and `__invert__` as Sub, Not and Neg."""
    if is_bool(input.dtype):
        return g.op("Not", input)
    return g.op("Sub", g.op("Neg", input), g.number(1, input.dtype))


@lowers("isnan")
def isnan(g: Graph, input: Operand) -> Any:
    """Write `isnan` as IsNaN."""
    return g.op("IsNaN", g.cast(input, np.float32) if not input.dtype.is_floating_point else input)


@lowers("isinf")
def isinf(g: Graph, input: Operand) -> Any:
    """Write `isinf` as IsInf."""
    return g.op("IsInf", g.cast(input, np.float32) if not input.dtype.is_floating_point else input)


@lowers("isfinite")
def isfinite(g: Graph, input: Operand) -> Any:
    """Write `isfinite` as Not and Or."""
    return g.op("Not", g.op("Or", isnan(g, input), isinf(g, input)))
