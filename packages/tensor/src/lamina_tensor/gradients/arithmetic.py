"""Gradients of arithmetic, comparison and selection.

Where there is no derivative, the gradient is PyTorch's: docs/understand/subgradients.md.
"""

from __future__ import annotations

from typing import Any

from lamina_ndarray.dispatch.namespace import namespace

from ..autograd.rules import not_differentiable, rule
from ..dispatch.dispatched import dispatched, fused_or_formula
from ..functions.arithmetic.binary import floor_quotient
from ..tensor_fields import AnyTensor

where, zeros_like, log, equal = (dispatched(n) for n in ("where", "zeros_like", "log", "equal"))
logical_and, logical_or, sign, trunc = (dispatched(n) for n in ("logical_and", "logical_or", "sign", "trunc"))
conj, absolute, floor_divide, ldexp = (dispatched(n) for n in ("conj", "abs", "floor_divide", "ldexp"))
astype = dispatched("astype")
less, less_equal, greater, greater_equal = (dispatched(n) for n in ("less", "less_equal", "greater", "greater_equal"))
relu_gradient = fused_or_formula("relu_gradient")

not_differentiable(
    "equal", "not_equal", "less", "less_equal", "greater", "greater_equal", "logical_and", "logical_or", "logical_xor",
    "logical_not", "isnan", "isinf", "isfinite", "bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_invert",
    "bitwise_left_shift", "bitwise_right_shift", "signbit", "gcd", "array_equal",
)  # fmt: skip


def _exactly(x: Any, g: Any) -> Any:
    """Integers in the gradient's dtype: what is computed of them alone would be in float32."""
    return x if x.dtype.is_inexact else astype(x, g.dtype)


def _floored(a: Any, b: Any) -> Any:
    """`a // b`, recorded where it is one of tensors."""
    return (floor_quotient if any(isinstance(x, AnyTensor) for x in (a, b)) else floor_divide)(a, b)


def _sign(g: Any, x: Any, y: Any) -> Any:
    """0 for a real number; for a complex one, the part of g across its direction, over its modulus; 0 at 0."""
    if not y.dtype.is_complex:
        return zeros_like(g)
    size = absolute(x)
    at_zero = equal(size, 0)
    return where(at_zero, 0.0, (g - y * (g * conj(y) + conj(g) * y) * 0.5) / where(at_zero, 1.0, size))


def _angle(g: Any, x: Any) -> Any:
    """Across the direction of a complex number, over its modulus; 0 at 0, and of real numbers."""
    if not x.dtype.is_complex:
        return zeros_like(g)
    square = absolute(x) ** 2
    at_zero = equal(square, 0)
    return where(at_zero, 0.0, x * 1j * (g / where(at_zero, 1.0, square)))


def _cross(x: Any, y: Any, axis: int, a: tuple[int, ...], b: tuple[int, ...]) -> Any:
    """Along an axis of operands of the shapes a and b."""
    return namespace(x).linalg.cross(x, y, axis if axis < 0 else axis - min(len(a), len(b)))


def masked(g: Any, mask: Any) -> Any:
    """`g` where the mask holds, else 0: selected, not multiplied, so that a NaN in a dead branch stays there."""
    return where(mask, g, 0.0)


rule("add", a=lambda g: g, b=lambda g: g)
rule("subtract", a=lambda g: g, b=lambda g: -g)
rule("multiply", a=lambda g, b: g * conj(b), b=lambda g, a: g * conj(a))
rule("divide", a=lambda g, b: g / conj(b), b=lambda g, a, b: -g * conj(a / b / b))
rule("compared", inputs="a b", a=lambda g: zeros_like(g), b=lambda g: zeros_like(g), node_name="EqBackward0")  # in place
rule("trunc_divide", a=lambda g: zeros_like(g), b=lambda g: zeros_like(g), node_name="DivBackward1")
rule("remainder", a=lambda g: g, b=lambda g, a, b: -g * _floored(a, b))
rule("fmod", a=lambda g: g, b=lambda g, a, b: -g * trunc(a / b))
rule("negative", x=lambda g: -g, node_name="NegBackward0")
rule("abs", x=lambda g, x: g * sign(x))
rule("conj", x=lambda g: conj(g), node_name="ConjBackward0")
rule("sign", x=lambda g, x, y: _sign(g, x, y))
rule("square", x=lambda g, x: g * conj(x) * 2, node_name="PowBackward0")
rule("reciprocal", x=lambda g, y: -g * conj(y * y))
rule("sqrt", x=lambda g, y: g / conj(y * 2))
rule("rsqrt", x=lambda g, y: g * conj(y * y * y) * -0.5)
rule("lerp", a=lambda g, weight: g * conj(1 - weight), b=lambda g, weight: g * conj(weight),
     weight=lambda g, a, b: g * conj(b - a))  # fmt: skip
rule("addcmul", a=lambda g: g, b=lambda g, c, value: g * conj(c * value), c=lambda g, b, value: g * conj(b * value))
rule("addcdiv", a=lambda g: g, b=lambda g, c, value: g * conj(value / _exactly(c, g)),
     c=lambda g, b, c, value: -g * conj(b * value / c / c))  # fmt: skip
rule("hypot", a=lambda g, a, y: g * (a / y), b=lambda g, b, y: g * (b / y))
rule("copysign", a=lambda g, a, y: g * where(equal(a, 0), 0.0, y / a), b=lambda g: zeros_like(g))
rule("cross", a=lambda g, b, a_shape, axis: _cross(conj(b), g, axis, a_shape, b.shape),
     b=lambda g, a, b_shape, axis: _cross(g, conj(a), axis, a.shape, b_shape))  # fmt: skip
rule("frexp", x=lambda g, y: ldexp(g[0], -y[1]))
rule("angle", x=lambda g, x: _angle(g, x))
rule("nextafter", a=lambda g: g, b=lambda g: zeros_like(g))


def _over_square(x: Any, a: Any, b: Any) -> Any:
    """x over a * a + b * b, and 0 where that is."""
    square = a * a + b * b
    none = equal(square, 0)
    return where(none, 0.0, x / where(none, 1.0, square))


rule("atan2", a=lambda g, a, b: g * _over_square(b, a, b), b=lambda g, a, b: g * _over_square(-a, a, b))


def _pow_base(g: Any, a: Any, b: Any) -> Any:
    """b * a**(b-1), and 0 where b is 0, whatever a is."""
    if isinstance(b, (bool, int, float, complex)):
        return zeros_like(g) if b == 0 else g * conj(b * a ** (b - 1))
    zero = equal(b, 0)
    return where(zero, 0.0, g * conj(b * a ** where(zero, 1.0, b - 1)))


def _pow_exponent(g: Any, a: Any, b: Any, y: Any) -> Any:
    """y * log(a), and 0 where a is 0 and b is not negative: the limit of 0**b from the right."""
    if isinstance(a, (bool, int, float, complex)):
        import cmath
        import math

        if a == 0:
            return where(b >= 0, 0.0, g * y * -math.inf)
        return g * conj(y * (cmath.log(a) if isinstance(a, complex) else math.log(a) if a > 0 else math.nan))
    a = _exactly(a, y)
    dead = logical_and(equal(a, 0), b >= 0) if not getattr(y.dtype, "is_complex", False) else equal(a, 0)
    return where(dead, 0.0, g * conj(y * log(where(dead, 1.0, a))))


rule("pow", a=_pow_base, b=_pow_exponent)


def _chosen(g: Any, mine: Any, other: Any, loses: Any) -> Any:
    """Half of g at a tie, and all of it unless the other was chosen: at NaN both have it."""
    return where(equal(mine, other), g * 0.5, where(loses, 0.0, g))


def _first(wins: Any, a: Any, b: Any) -> Any:
    """Where the first is chosen: it wins, of equal ones too, or the other is NaN."""
    return logical_or(wins(a, b), b != b)


rule("maximum", a=lambda g, a, b: _chosen(g, a, b, less(a, b)), b=lambda g, a, b: _chosen(g, a, b, less(b, a)))
rule("minimum", a=lambda g, a, b: _chosen(g, a, b, greater(a, b)), b=lambda g, a, b: _chosen(g, a, b, greater(b, a)))
rule("fmax", a=lambda g, a, b: masked(g, _first(greater_equal, a, b)), b=lambda g, a, b: where(_first(greater_equal, a, b), 0.0, g))
rule("fmin", a=lambda g, a, b: masked(g, _first(less_equal, a, b)), b=lambda g, a, b: where(_first(less_equal, a, b), 0.0, g))
rule("where", a=lambda g, condition: where(condition, g, 0.0), b=lambda g, condition: where(condition, 0.0, g))


def _clip(g: Any, x: Any, min: Any, max: Any) -> Any:
    if min is None or max is None:
        return masked(g, less_equal(x, max) if min is None else greater_equal(x, min))
    return masked(g, logical_and(greater_equal(x, min), less_equal(x, max)))


def _least(g: Any, x: Any, min: Any, max: Any) -> Any:
    return masked(g, less(x, min) if max is None else logical_and(less(x, min), greater(max, min)))


def _most(g: Any, x: Any, min: Any, max: Any) -> Any:
    return masked(g, greater(x, max) if min is None else logical_or(greater(x, max), less(max, min)))  # the upper bound has the last word


rule("clip", x=_clip)
rule("clip_to", inputs="x min max", x=_clip, min=_least, max=_most, node_name="ClampBackward1")
rule("relu", x=lambda g, y: relu_gradient(g, y))
rule("frac", x=lambda g: g)
for _rounding in ("floor", "ceil", "trunc", "round"):
    rule(_rounding, x=lambda g: zeros_like(g))
