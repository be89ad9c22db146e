"""Ops of arithmetic and rounding, item by item."""

from typing import Final

from .op import Op

__all__ = ["ROWS"]

ROWS: Final = (
    # -- arithmetic ----------------------------------------------------------------------------------------------
    Op("add", "map", "a b", "promote", "a + b; logical or for bool", required=True),
    Op("subtract", "map", "a b", "arithmetic", "a - b",
       required=True, torch="sub", aliases=("subtract",), mixes_bool=False),
    Op("multiply", "map", "a b", "promote",
       "Multiply a by b, item by item; booleans are combined with logical and.", required=True, torch="mul", aliases=("multiply",)),
    Op("divide", "map", "a b", "float", "a / b, true division",
       required=True, torch="div", aliases=("divide", "true_divide"), domain="divisor"),
    Op("floor_divide", "map", "a b", "real_arithmetic",
       "Divide a by b and round down to an integer, item by item: floor(a / b).", required=True, domain="divisor"),
    Op("trunc_divide", "map", "a b", "real_arithmetic", "trunc(a / b), towards zero", aten="", domain="divisor"),
    Op("remainder", "map", "a b", "real_arithmetic",
       "Compute the remainder a - b * floor(a / b), item by item; it has the sign of b.", domain="divisor"),
    Op("fmod", "map", "a b", "real_arithmetic",
       "Compute the remainder a - b * trunc(a / b), item by item; it has the sign of a.", domain="divisor"),
    Op("pow", "map", "a b", "arithmetic", "Raise a to the power b, item by item; integers wrap.", required=True, domain="power"),
    Op("maximum", "map", "a b", "real", "Compute the greater of a and b, item by item; NaN wins.", required=True),
    Op("minimum", "map", "a b", "real", "Compute the smaller of a and b, item by item; NaN wins.", required=True),
    Op("fmax", "map", "a b", "real", "Compute the greater of a and b, item by item; a number wins over NaN."),
    Op("fmin", "map", "a b", "real", "Compute the smaller of a and b, item by item; a number wins over NaN."),
    Op("atan2", "map", "a b", "float_real", "the angle of the point (b, a)", aliases=("arctan2",)),
    Op("hypot", "map", "a b", "floating", "sqrt(a*a + b*b)"),
    Op("copysign", "map", "a b", "float_real", "Give a the sign of b, item by item; zeros and NaN have signs, too."),
    Op("nextafter", "map", "a b", "floating", "Compute the representable number next to a on the way to b, item by item."),
    Op("heaviside", "map", "a b", "real",
       "Compute the Heaviside step function, item by item: 0 where a is negative or NaN, 1 where it is positive, b at 0."),
    Op("complex", "map", "a b", "real_to_complex", "a + i b, of two arrays of one dtype"),
    Op("polar", "map", "a b", "real_to_complex", "a (cos b + i sin b), of two arrays of one dtype"),
    Op("gcd", "map", "a b", "integer",
       "Compute the greatest common divisor of a and b, item by item; it is never negative, and gcd(0, 0) is 0."),
    Op("where", "map", "condition a b", "where", "a where condition, else b", required=True, samples="where"),
    Op("clip", "map", "x: min max", "real", "min(max(x, min), max); a bound may be None",
       torch="clamp", aliases=("clip",), samples="clip"),
    Op("lerp", "map", "a b weight", "inexact", "a + weight * (b - a)"),
    Op("addcmul", "map", "a b c: value", "promote", "a + value * b * c, value a number", samples="scaled_sum"),
    Op("addcdiv", "map", "a b c: value", "inexact", "a + value * b / c, value a number", samples="scaled_sum"),
    Op("negative", "map", "x", "arithmetic", "Change the sign of x, item by item.", required=True, torch="neg", aliases=("negative",)),
    Op("abs", "map", "x", "magnitude",
       "Compute the absolute value of x, item by item; of a complex number it is the modulus.", aliases=("absolute",)),
    Op("conj", "map", "x", "complex", "the conjugate of a complex number", aten="conj_physical"),
    Op("angle", "map", "x", "angle",
       "Compute the argument of x in (-pi, pi], item by item; of a real number 0, or pi where it is negative; NaN stays."),
    Op("sign", "map", "x", "promote",
       "Compute the sign of x, item by item: -1, 0 or 1, and 0 for NaN; for a complex number x / |x|.", aliases=("sgn",)),
    Op("square", "map", "x", "number", "Square x, item by item; booleans become int64."),
    Op("reciprocal", "map", "x", "float", "1 / x"),
    Op("sqrt", "map", "x", "float", "square root", required=True, domain="positive"),
    Op("rsqrt", "map", "x", "float", "1 / sqrt(x)", domain="positive"),
    # -- rounding ------------------------------------------------------------------------------------------------
    Op("floor", "map", "x", "real_arithmetic", "Round x down to an integer, item by item.", required=True),
    Op("ceil", "map", "x", "real_arithmetic", "Round x up to an integer, item by item."),
    Op("frac", "map", "x", "floating", "Compute the fractional part of x, with its sign, item by item: x - trunc(x)."),
    Op("trunc", "map", "x", "real_arithmetic", "Round x towards zero to an integer, item by item.", aliases=("fix",)),
    Op("round", "map", "x", "arithmetic", "to nearest, ties to even; both parts of a complex number"),
)
