"""Which op each operator stands for: what `NDArray` spells out in its class, as data for the class of the storey above."""

from __future__ import annotations

__all__ = ["IN_PLACE_DUNDERS", "OPERATORS", "REFLECTED_DUNDERS"]

_BINARY = {
    "add": "add", "sub": "subtract", "mul": "multiply", "truediv": "divide", "floordiv": "floor_divide",
    "mod": "remainder", "pow": "pow", "matmul": "matmul", "and": "bitwise_and", "or": "bitwise_or",
    "xor": "bitwise_xor", "lshift": "bitwise_left_shift", "rshift": "bitwise_right_shift",
}  # fmt: skip
_OTHERS = {
    "eq": "equal", "ne": "not_equal", "lt": "less", "le": "less_equal", "gt": "greater", "ge": "greater_equal",
    "neg": "negative", "abs": "abs", "invert": "bitwise_invert",
}  # fmt: skip

OPERATORS = {f"__{name}__": op for name, op in (_BINARY | _OTHERS).items()}
"""Operator method to op name."""

REFLECTED_DUNDERS = {f"__r{name}__": op for name, op in _BINARY.items()}
IN_PLACE_DUNDERS = {f"__i{name}__": op for name, op in _BINARY.items()}
