"""What ops are as LLVM instructions on vectors: of each the very ones, in the order, that its rounding comes from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import inf
from typing import Any, Final, TypeAlias

from llvmlite import ir

__all__ = ["EXPRESSIONS", "POWERS", "scalar_type"]

Value: TypeAlias = Any  # llvmlite has no types of its own
Expression: TypeAlias = Callable[..., Value]
"""Of a builder and the operands."""

_SCALARS: Final = {"float32": ir.FloatType(), "float64": ir.DoubleType(), "int64": ir.IntType(64), "bool": ir.IntType(1)}


def scalar_type(dtype: str) -> Any:
    """Return the type of an item of a dtype, as instructions take it; None where no instruction takes it.

    Args:
        dtype: the dtype's name.

    Returns:
        A type of llvmlite's, or None.

    >>> str(scalar_type("float32")), scalar_type("complex64")
    ('float', None)
    """
    return _SCALARS.get(dtype)


def _constant(like: Value, number: float) -> Value:
    return ir.Constant(like.type, [number] * like.type.count)


def _called(name: str) -> Expression:
    """An intrinsic function of one vector."""

    def expression(builder: Any, x: Value) -> Value:
        suffix = f"v{x.type.count}f{32 if x.type.element == _SCALARS['float32'] else 64}"
        kind = ir.FunctionType(x.type, [x.type])
        function = builder.module.globals.get(f"llvm.{name}.{suffix}") or ir.Function(builder.module, kind, f"llvm.{name}.{suffix}")
        return builder.call(function, [x])

    return expression


def _method(name: str, *before: str) -> Expression:
    return lambda builder, *operands: getattr(builder, name)(*before, *operands)


def _greater_or_nan(sign: str) -> Expression:
    """The first operand where it is beyond the second, or NaN: the second else."""

    def expression(builder: Any, a: Value, b: Value) -> Value:
        first = builder.or_(builder.fcmp_ordered(sign, a, b), builder.fcmp_unordered("uno", a, a))
        return builder.select(first, a, b)

    return expression


def _extreme(sign: str) -> Expression:
    return lambda builder, a, b: builder.select(builder.icmp_signed(sign, a, b), a, b)


def _relu(builder: Any, x: Value) -> Value:
    zero = _constant(x, 0.0)
    kept = builder.or_(builder.fcmp_ordered(">", x, zero), builder.fcmp_unordered("uno", x, x))
    return builder.select(kept, x, zero)


def _sign(builder: Any, x: Value) -> Value:
    """1 above 0 and -1 below; 0 for NaN, as for zeros."""
    zero = _constant(x, 0.0)
    below = builder.select(builder.fcmp_ordered("<", x, zero), _constant(x, -1.0), zero)
    return builder.select(builder.fcmp_ordered(">", x, zero), _constant(x, 1.0), below)


def _fraction(builder: Any, x: Value) -> Value:
    return builder.fsub(x, _called("trunc")(builder, x))


def _is(sign: str, number: float, expression: Expression | None = None) -> Expression:
    """Whether what an expression gives, or the operand, compares so with a number."""

    def compared(builder: Any, x: Value) -> Value:
        y = x if expression is None else expression(builder, x)
        return builder.fcmp_ordered(sign, y, _constant(y, number))

    return compared


def _leaky_relu(builder: Any, x: Value, slope: Value) -> Value:
    return builder.select(builder.fcmp_ordered(">", x, _constant(x, 0.0)), x, builder.fmul(x, slope))


def _leaky_relu_gradient(builder: Any, gradient: Value, x: Value, slope: Value) -> Value:
    return builder.select(builder.fcmp_ordered(">", x, _constant(x, 0.0)), gradient, builder.fmul(gradient, slope))


def _hardtanh_gradient(builder: Any, gradient: Value, x: Value, low: Value, high: Value) -> Value:
    beyond = builder.or_(builder.fcmp_ordered("<=", x, low), builder.fcmp_ordered(">=", x, high))
    return builder.select(beyond, _constant(x, 0.0), gradient)


def _relu_gradient(builder: Any, gradient: Value, result: Value) -> Value:
    return builder.select(builder.fcmp_ordered("<=", result, _constant(result, 0.0)), _constant(result, 0.0), gradient)


def _sigmoid_gradient(builder: Any, gradient: Value, result: Value) -> Value:
    return builder.fmul(gradient, builder.fmul(builder.fsub(_constant(result, 1.0), result), result))


def _clip(builder: Any, x: Value, low: Value, high: Value) -> Value:
    """A bound that is NaN is the result."""
    for sign, bound in (("<", low), (">", high)):
        beyond = builder.or_(builder.fcmp_ordered(sign, x, bound), builder.fcmp_unordered("uno", bound, bound))
        x = builder.select(beyond, bound, x)
    return x


def _whole_relu(builder: Any, x: Value) -> Value:
    zero = _constant(x, 0)
    return builder.select(builder.icmp_signed(">", x, zero), x, zero)


def _whole_abs(builder: Any, x: Value) -> Value:
    return builder.select(builder.icmp_signed("<", x, _constant(x, 0)), builder.neg(x), x)


def _over(expression: Expression | None = None) -> Expression:
    """One divided by what an expression gives, or by the operand."""

    def inverse(builder: Any, x: Value) -> Value:
        return builder.fdiv(_constant(x, 1.0), x if expression is None else expression(builder, x))

    return inverse


def _squared(builder: Any, x: Value) -> Value:
    return builder.fmul(x, x)


def _in_double(expression: Expression) -> Expression:
    """Computed in float64, and rounded once."""

    def rounded(builder: Any, x: Value) -> Value:
        if x.type.element == _SCALARS["float64"]:
            return expression(builder, x)
        wide = builder.fpext(x, ir.VectorType(_SCALARS["float64"], x.type.count))
        return builder.fptrunc(expression(builder, wide), x.type)

    return rounded


def _cubed(builder: Any, x: Value) -> Value:
    return builder.fmul(builder.fmul(x, x), x)


def _whole_power(exponent: int) -> Expression:
    """By squares, the lowest bit of the exponent first."""

    def product(builder: Any, x: Value) -> Value:
        power, square = None, x
        for bit in reversed(f"{exponent:b}"):
            if bit == "1":
                power = square if power is None else builder.fmul(power, square)
            square = builder.fmul(square, square)
        return power

    return product


_SQRT: Final = _called("sqrt")

_POWERS: Final[Mapping[float, Expression]] = {
    2.0: _squared, 3.0: _in_double(_cubed), 0.5: _SQRT, -0.5: _over(_SQRT), -1.0: _over(), -2.0: _in_double(_over(_squared)),
    1.0: lambda builder, x: x, 0.0: lambda builder, x: _constant(x, 1.0),
}  # fmt: skip
_WHOLE_POWERS: Final[Mapping[float, Expression]] = {
    **{float(n): _in_double(_whole_power(n)) for n in range(4, 17)},
    **{float(-n): _in_double(_over(_whole_power(n))) for n in range(3, 17)},
}

POWERS: Final[Mapping[str, Mapping[float, Expression]]] = {"float32": {**_POWERS, **_WHOLE_POWERS}, "float64": _POWERS}
"""Powers of floats: by dtype, and then by exponent."""

_COMPARED: Final = {"equal": "==", "less": "<", "less_equal": "<=", "greater": ">", "greater_equal": ">="}
_SELECT: Final = _method("select")

_FLOATS: Final[dict[str, Expression]] = {
    "add": _method("fadd"), "subtract": _method("fsub"), "multiply": _method("fmul"), "divide": _method("fdiv"),
    "maximum": _greater_or_nan(">"), "minimum": _greater_or_nan("<"), "negative": _method("fneg"), "abs": _called("fabs"),
    "square": _squared, "sqrt": _SQRT, "rsqrt": _over(_SQRT), "reciprocal": _over(), "relu": _relu, "where": _SELECT,
    "floor": _called("floor"), "ceil": _called("ceil"), "trunc": _called("trunc"), "round": _called("rint"), "frac": _fraction,
    "sign": _sign, "clip": _clip, "relu_gradient": _relu_gradient, "sigmoid_gradient": _sigmoid_gradient, "leaky_relu": _leaky_relu,
    "leaky_relu_gradient": _leaky_relu_gradient, "hardtanh_gradient": _hardtanh_gradient, "logical_not": _is("==", 0.0),
    "isnan": lambda builder, x: builder.fcmp_unordered("uno", x, x), "isinf": _is("==", inf, _called("fabs")),
    "isfinite": _is("<", inf, _called("fabs")), "not_equal": _method("fcmp_unordered", "!="),
    **{op: _method("fcmp_ordered", sign) for op, sign in _COMPARED.items()},
}  # fmt: skip

_WHOLE: Final[dict[str, Expression]] = {
    "add": _method("add"), "subtract": _method("sub"), "multiply": _method("mul"), "maximum": _extreme(">"), "minimum": _extreme("<"),
    "negative": _method("neg"), "abs": _whole_abs, "square": lambda builder, x: builder.mul(x, x), "relu": _whole_relu, "where": _SELECT,
    "bitwise_and": _method("and_"), "bitwise_or": _method("or_"), "bitwise_xor": _method("xor"), "bitwise_invert": _method("not_"),
    **{op: _method("icmp_signed", sign) for op, sign in {**_COMPARED, "not_equal": "!="}.items()},
}  # fmt: skip

_AND, _OR, _XOR, _NOT = (_method(name) for name in ("and_", "or_", "xor", "not_"))
_BOOLS: Final[dict[str, Expression]] = {
    "add": _OR, "multiply": _AND, "maximum": _OR, "minimum": _AND, "where": _SELECT, "bitwise_invert": _NOT, "logical_not": _NOT,
    "not_equal": _XOR, "equal": _method("icmp_unsigned", "=="),
    **{f"{kind}_{op}": how for kind in ("bitwise", "logical") for op, how in (("and", _AND), ("or", _OR), ("xor", _XOR))},
}  # fmt: skip

EXPRESSIONS: Final[Mapping[str, Mapping[str, Expression]]] = {"float32": _FLOATS, "float64": _FLOATS, "int64": _WHOLE, "bool": _BOOLS}
"""By the dtype that is computed in, and then by op."""
