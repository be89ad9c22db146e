"""Arithmetic as processors do it: where Python raises an error, they answer with an infinity, or with NaN. (All of this file is given.)"""

from __future__ import annotations

import math

__all__ = ["divide", "exp", "log", "maximum", "minimum", "multiply", "sqrt"]


def multiply(a: float, b: float) -> float:
    return a * b


def divide(a: float, b: float) -> float:
    if b != 0:
        return a / b
    return math.nan if a == 0 or math.isnan(a) else math.copysign(math.inf, a) * math.copysign(1.0, b)


def exp(x: float) -> float:
    return math.inf if x > 709.78 else math.exp(x)


def log(x: float) -> float:
    return math.nan if x < 0 else -math.inf if x == 0 else math.log(x)


def sqrt(x: float) -> float:
    return math.nan if x < 0 else math.sqrt(x)


def maximum(a: float, b: float) -> float:
    return a if math.isnan(a) or a > b else b


def minimum(a: float, b: float) -> float:
    return a if math.isnan(a) or a < b else b
