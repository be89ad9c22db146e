"""Gradients of the special functions that are ops of the table."""

from __future__ import annotations

import math
from typing import Any

from ..autograd.rules import not_differentiable, rule, without_derivative
from ..dispatch.dispatched import dispatched

exp, log, sign, where, logical_and, logical_or, cos, conj, xlogy, xlog1py, sinc, erfinv = (
    dispatched(n)
    for n in ("exp", "log", "sign", "where", "logical_and", "logical_or", "cos", "conj", "xlogy", "xlog1py", "sinc", "erfinv")
)
erfcx, lgamma, digamma, polygamma, zeta, i0, i0e, i1, i1e = (
    dispatched(n)
    for n in (
        "erfcx", "lgamma", "digamma", "polygamma", "zeta", "i0", "i0e", "i1", "i1e"
    )
)  # fmt: skip
j0, j1, y0, y1, k0, k1, k0e, k1e = (
    dispatched(f"{kind}{order}")
    for kind in ("bessel_j", "bessel_y", "modified_bessel_k", "scaled_modified_bessel_k")
    for order in (0, 1)
)


def _over(y: Any, x: Any) -> Any:
    """y / x, and its limit 1/2 at 0, for the Bessel functions of order 1."""
    hole = x == 0
    return where(hole, 0.5, y / where(hole, 1.0, x))


def _logit(g: Any, x: Any, eps: float | None) -> Any:
    """NaN outside of 0 to 1; with `eps`, 0 where x was held."""
    low, high, outside = (0, 1, math.nan) if eps is None else (eps, 1 - eps, 0.0)
    return where(logical_or(x < low, x > high), outside, g / (x * (1 - x)))


def _sinc(g: Any, x: Any) -> Any:
    hole = x == 0
    return where(hole, 0.0, g * conj((cos(x * math.pi) - sinc(x)) / where(hole, 1.0, x)))


rule("heaviside", a=without_derivative("heaviside", "x"), b=without_derivative("heaviside", "values"))
rule(  # `div` with a rounding mode has one, zeros
    "floor_divide", a=without_derivative("floor_divide", "input"), b=without_derivative("floor_divide", "other")
)  # fmt: skip
for _name in ("histogram", "histogramdd"):
    rule(_name, inputs="x weight", x=without_derivative(_name, "input"), weight=without_derivative(_name, "weight"))
not_differentiable("bincount", "histc")
rule("entr", x=lambda g, x: -g * (log(x) + 1))
rule("sinc", x=_sinc)
rule("xlogy", a=lambda g, a, b: where(logical_and(a == 0, b <= 0), 0.0, xlogy(g, b)), b=lambda g, a, b: g * a / b)
rule("xlog1py", a=lambda g, a, b: where(logical_and(a == 0, b <= -1), 0.0, xlog1py(g, b)), b=lambda g, a, b: g * a / (b + 1))

# -- error functions --------------------------------------------------------------------------------------------------

rule("erfc", x=lambda g, x: g * (exp(-(x * x)) * (-2 / math.sqrt(math.pi))))
rule("erfcx", x=lambda g, x, y: g * (2 * x * y - 2 / math.sqrt(math.pi)))
rule("erfinv", x=lambda g, x: g * (exp(erfinv(x) ** 2) * (math.sqrt(math.pi) / 2)))
rule("ndtri", x=lambda g, y: g * (exp(y * y * 0.5) * math.sqrt(2 * math.pi)))
rule("logit", x=_logit)
rule("log_ndtr", x=lambda g, x: g * (math.sqrt(2 / math.pi) / erfcx(x * -math.sqrt(0.5))))

# -- gamma functions --------------------------------------------------------------------------------------------------


def _igamma(g: Any, a: Any, x: Any) -> Any:
    """The density of the gamma distribution: x**(a - 1) exp(-x) / gamma(a)."""
    return g * exp((a - 1) * log(x) - x - lgamma(a))


rule("lgamma", x=lambda g, x: g * digamma(x))
rule("digamma", x=lambda g, x: g * polygamma(1, x))
rule("polygamma", x=lambda g, x, n: g * polygamma(n + 1, x))
rule("zeta", s=without_derivative("zeta", "s"), q=lambda g, s, q: g * (-s * zeta(s + 1, q)))
rule("igamma", a=without_derivative("igamma", "a"), x=_igamma)
rule("igammac", a=without_derivative("igammac", "a"), x=lambda g, a, x: -_igamma(g, a, x))

# -- Bessel functions (DLMF 10.6.2-3, 10.29.3-4) ----------------------------------------------------------------------

rule("i0", x=lambda g, x: g * i1(x))
rule("i1", x=lambda g, x, y: g * (i0(x) - _over(y, x)))
rule("i0e", x=lambda g, x, y: g * (i1e(x) - sign(x) * y))
rule("i1e", x=lambda g, x, y: g * (i0e(x) - sign(x) * y - _over(y, x)))
rule("bessel_j0", x=lambda g, x: -g * j1(x))
rule("bessel_j1", x=lambda g, x, y: g * (j0(x) - _over(y, x)))
rule("bessel_y0", x=lambda g, x: -g * y1(x))
rule("bessel_y1", x=lambda g, x, y: g * (y0(x) - y / x))
rule("modified_bessel_k0", x=lambda g, x: -g * k1(x))
rule("modified_bessel_k1", x=lambda g, x, y: -g * (k0(x) + y / x))
rule("scaled_modified_bessel_k0", x=lambda g, x, y: g * (y - k1e(x)))
rule("scaled_modified_bessel_k1", x=lambda g, x, y: g * (y - k0e(x) - y / x))

# -- what PyTorch takes for constants ----------------------------------------------------------------------------------

_OF_CHEBYSHEV = [f"{shifted}chebyshev_polynomial_{kind}" for shifted in ("", "shifted_") for kind in "tuvw"]
_OTHERS = ("hermite_polynomial_h", "hermite_polynomial_he", "laguerre_polynomial_l", "legendre_polynomial_p")
not_differentiable("airy_ai", *_OF_CHEBYSHEV, *_OTHERS)
