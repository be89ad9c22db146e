"""Exponentials, logarithms, trigonometric and hyperbolic functions, item by item."""

from typing import Final

from .op import Op

__all__ = ["ROWS"]

ROWS: Final = (
    Op("exp", "map", "x", "float", "e to the power x", required=True),
    Op("exp2", "map", "x", "float", "2 to the power x"),
    Op("expm1", "map", "x", "float", "exp(x) - 1, accurate near 0"),
    Op("log", "map", "x", "float", "natural logarithm", required=True, domain="positive"),
    Op("log2", "map", "x", "float", "logarithm to base 2", domain="positive"),
    Op("log10", "map", "x", "float", "logarithm to base 10", domain="positive"),
    Op("log1p", "map", "x", "float", "log(1 + x), accurate near 0"),
    Op("logaddexp", "map", "a b", "inexact", "log(exp(a) + exp(b)), without overflow"),
    Op("logaddexp2", "map", "a b", "floating", "log2(2**a + 2**b), without overflow"),
    Op("sin", "map", "x", "float", "sine", required=True),
    Op("cos", "map", "x", "float", "cosine", required=True),
    Op("tan", "map", "x", "float", "tangent"),
    Op("asin", "map", "x", "float", "inverse sine", aliases=("arcsin",), domain="unit"),
    Op("acos", "map", "x", "float", "inverse cosine", aliases=("arccos",), domain="unit"),
    Op("atan", "map", "x", "float", "inverse tangent", required=True, aliases=("arctan",)),
    Op("sinh", "map", "x", "float", "hyperbolic sine"),
    Op("cosh", "map", "x", "float", "hyperbolic cosine"),
    Op("tanh", "map", "x", "float", "hyperbolic tangent", required=True),
    Op("asinh", "map", "x", "float", "inverse hyperbolic sine", aliases=("arcsinh",)),
    Op("acosh", "map", "x", "float", "inverse hyperbolic cosine", aliases=("arccosh",), domain="above_one"),
    Op("atanh", "map", "x", "float", "inverse hyperbolic tangent", aliases=("arctanh",), domain="unit"),
    Op("erf", "map", "x", "float_real", "error function", required=True),
)
