"""Ops of arithmetic and rounding, item by item."""

from typing import Final

from .op import Op

__all__ = ["ROWS"]

ROWS: Final = (
    # -- arithmetic ----------------------------------------------------------------------------------------------
    Op("add", "map", "a b", "promote", "a + b; logical or for bool", required=True),
    Op("subtract", "map", "a b", "arithmetic", "a - b", required=True, torch="sub", aliases=("subtract",)),
    Op("multiply", "map", "a b", "promote", "a * b; logical and for bool", required=True, torch="mul", aliases=("multiply",)),
    Op("divide", "map", "a b", "float", "a / b, true division",
       required=True, torch="div", aliases=("divide", "true_divide"), domain="divisor"),
    Op("floor_divide", "map", "a b", "real", "floor(a / b), towards minus infinity", required=True, domain="divisor"),
    Op("trunc_divide", "map", "a b", "real", "trunc(a / b), towards zero", aten="", domain="divisor"),
    Op("remainder", "map", "a b", "real", "a - b * floor(a / b), with the sign of b", domain="divisor"),
    Op("fmod", "map", "a b", "real", "a - b * trunc(a / b), with the sign of a", domain="divisor"),
    Op("pow", "map", "a b", "arithmetic", "a to the power b; integers wrap", required=True, domain="power"),
    Op("maximum", "map", "a b", "real", "the greater; NaN wins", required=True),
    Op("minimum", "map", "a b", "real", "the smaller; NaN wins", required=True),
    Op("fmax", "map", "a b", "real", "the greater; a number wins over NaN"),
    Op("fmin", "map", "a b", "real", "the smaller; a number wins over NaN"),
    Op("atan2", "map", "a b", "float_real", "the angle of the point (b, a)", aliases=("arctan2",)),
    Op("hypot", "map", "a b", "float_real", "sqrt(a*a + b*b)"),
    Op("copysign", "map", "a b", "float_real", "a with the sign of b, which zeros and NaN have, too"),
    Op("nextafter", "map", "a b", "floating", "the representable number next to a, on the way to b"),
    Op("heaviside", "map", "a b", "real", "0 where a is negative or NaN, 1 where it is positive, b where it is 0"),
    Op("complex", "map", "a b", "real_to_complex", "a + i b, of two arrays of one dtype"),
    Op("polar", "map", "a b", "real_to_complex", "a (cos b + i sin b), of two arrays of one dtype"),
    Op("gcd", "map", "a b", "integer", "the greatest common divisor, never negative; gcd(0, 0) is 0"),
    Op("where", "map", "condition a b", "where", "a where condition, else b", required=True, samples="where"),
    Op("clip", "map", "x: min max", "real", "min(max(x, min), max); a bound may be None",
       torch="clamp", aliases=("clip",), samples="clip"),
    Op("lerp", "map", "a b weight", "arithmetic", "a + weight * (b - a)"),
    Op("addcmul", "map", "a b c: value", "promote", "a + value * b * c, value a number", samples="scaled_sum"),
    Op("addcdiv", "map", "a b c: value", "inexact", "a + value * b / c, value a number", samples="scaled_sum"),
    Op("negative", "map", "x", "arithmetic", "-x", required=True, torch="neg", aliases=("negative",)),
    Op("abs", "map", "x", "magnitude", "absolute value; the modulus of a complex number", aliases=("absolute",)),
    Op("angle", "map", "x", "angle", "the argument, in (-pi, pi]; of a real number 0, or pi where it is negative; NaN stays"),
    Op("sign", "map", "x", "promote", "-1, 0 or 1, 0 of NaN; x / |x| of a complex number", aliases=("sgn",)),
    Op("square", "map", "x", "number", "x * x; of bool in int64"),
    Op("reciprocal", "map", "x", "float", "1 / x"),
    Op("sqrt", "map", "x", "float", "square root", required=True, domain="positive"),
    Op("rsqrt", "map", "x", "float", "1 / sqrt(x)", domain="positive"),
    # -- rounding ------------------------------------------------------------------------------------------------
    Op("floor", "map", "x", "real", "towards minus infinity", required=True),
    Op("ceil", "map", "x", "real", "towards plus infinity"),
    Op("trunc", "map", "x", "real", "towards zero", aliases=("fix",)),
    Op("round", "map", "x", "promote", "to nearest, ties to even; both parts of a complex number"),
)
