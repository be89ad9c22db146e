"""PyTorch's further names: each of them is another name in the op table, of an array function, or in `functions`."""

from typing import Final

__all__ = ["ALIASES"]

ALIASES: Final[dict[str, str]] = {
    "absolute": "abs",
    "arccos": "acos",
    "arccosh": "acosh",
    "arcsin": "asin",
    "arcsinh": "asinh",
    "arctan": "atan",
    "arctan2": "atan2",
    "arctanh": "atanh",
    "fix": "trunc",
    "greater": "gt",
    "greater_equal": "ge",
    "less": "lt",
    "less_equal": "le",
    "multiply": "mul",
    "negative": "neg",
    "not_equal": "ne",
    "sgn": "sign",
    "subtract": "sub",
    "true_divide": "div",
}
