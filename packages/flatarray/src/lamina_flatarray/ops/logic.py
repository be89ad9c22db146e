"""Comparisons, logic and operations on bits, item by item."""

from typing import Final

from .op import Op

__all__ = ["ROWS"]

ROWS: Final = (
    Op("equal", "map", "a b", "compare", "a == b", required=True, torch="eq"),
    Op("not_equal", "map", "a b", "compare", "a != b", torch="ne", aliases=("not_equal",)),
    Op("less", "map", "a b", "compare_real", "a < b", required=True, torch="lt", aliases=("less",)),
    Op("less_equal", "map", "a b", "compare_real", "a <= b", required=True, torch="le", aliases=("less_equal",)),
    Op("greater", "map", "a b", "compare_real", "a > b", torch="gt", aliases=("greater",)),
    Op("greater_equal", "map", "a b", "compare_real", "a >= b", torch="ge", aliases=("greater_equal",)),
    Op("logical_and", "map", "a b", "compare", "Tell whether both a and b are nonzero, item by item."),
    Op("logical_or", "map", "a b", "compare", "Tell whether a or b is nonzero, item by item."),
    Op("logical_xor", "map", "a b", "compare", "Tell whether exactly one of a and b is nonzero, item by item."),
    Op("logical_not", "map", "x", "compare", "x is zero"),
    Op("isnan", "map", "x", "compare", "x is NaN"),
    Op("isinf", "map", "x", "compare", "x is infinite"),
    Op("isfinite", "map", "x", "compare", "x is neither NaN nor infinite"),
    Op("signbit", "map", "x", "compare_real", "x has a minus sign, as -0.0 has"),
    Op("bitwise_and", "map", "a b", "bitwise", "a & b", required=True),
    Op("bitwise_or", "map", "a b", "bitwise", "a | b", required=True),
    Op("bitwise_xor", "map", "a b", "bitwise", "a ^ b", required=True),
    Op("bitwise_invert", "map", "x", "bitwise", "~x; logical not for bool", torch="bitwise_not"),
    Op("bitwise_left_shift", "map", "a b", "integer",
       "Shift the bits of a to the left by b places, item by item; zeros come in.", domain="shift"),
    Op("bitwise_right_shift", "map", "a b", "integer",
       "Shift the bits of a to the right by b places, item by item; copies of the sign bit come in.", domain="shift"),
)
