"""The regularised incomplete gamma functions: by series, continued fraction, and Temme's uniform expansion.

Each item is computed in four ways, of which its region chooses one; all are finite sums of fixed length.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any, Final

from ..elementwise.arithmetic import abs, maximum, minimum, sqrt
from ..elementwise.choosing import where
from ..elementwise.comparison import isnan
from ..elementwise.exponential import exp, expm1, log
from ..elementwise.special_functions import erfc
from .approximation import computes, polynomial
from .gamma import BERNOULLI, _lgamma, lgamma1p, log1p_rest, stirling_rest

__all__: list[str] = []

_SERIES_TERMS: Final = 75
_FRACTION_DEPTH: Final = 50
_UNIFORM_FROM: Final = 30.0  # the least a for which Temme's expansion, cut as below, is exact to rounding
_UNIFORM_WITHIN: Final = 0.4  # of |x - a| / a


def _density(a: Any, x: Any) -> Any:
    """x**a exp(-x) / gamma(a + 1). A large a is taken out by Stirling's formula, lest large logarithms cancel."""
    plain = exp(a * log(x) - x - _lgamma(a + 1))
    mu = (x - a) / a
    exponent = where((mu > -0.4) & (mu < 0.7), log1p_rest(mu), mu - log(x / a))
    stirling = exp(-a * exponent - stirling_rest(maximum(a, 8))) / sqrt(2 * math.pi * a)
    return where(a < 8, plain, stirling)


def _lower_by_series(a: Any, x: Any) -> Any:
    """P over the density, for x < a + 1 (DLMF 8.11.4)."""
    total = x / (a + _SERIES_TERMS)
    for n in range(_SERIES_TERMS - 1, 0, -1):
        total += 1
        total *= x
        total /= a + n
    total += 1
    return total


def _upper_by_fraction(a: Any, x: Any) -> Any:
    """Q over the density, for x > max(a + 1, 2): Legendre's continued fraction, contracted (DLMF 8.9.2)."""
    distance = x - a
    tail = distance + (2 * _FRACTION_DEPTH + 1)
    for n in range(_FRACTION_DEPTH, 0, -1):
        tail = distance + (2 * n - 1) - n * (n - a) / tail
    return a / tail


def _both_by_powers(a: Any, x: Any) -> tuple[Any, Any]:
    """P and Q for a < 1 and x < 2 (DLMF 8.7.1): neither is lost where the other is almost 1."""
    logarithm = a * log(x) - lgamma1p(a)
    lead = exp(logarithm)
    power, total = -x, -x / (a + 1)
    for n in range(2, 25):
        power = power * x * (-1 / n)
        total += power / (a + n)
    rest = lead * a * total
    return lead + rest, -expm1(logarithm) - rest


@cache
def _temme_coefficients() -> tuple[tuple[float, ...], ...]:
    """Row k: the Taylor coefficients of Temme's C_k(eta) (N. M. Temme, 1979; DLMF 8.12.7-12).

    With mu = x/a - 1 = sum(alpha[n] eta**n), mu mu' = eta (1 + mu) gives alpha; then d[0][n] = (n + 2) alpha[n + 2] and
    d[k][n] = (-1)**k g[k] d[0][n] + (n + 2) d[k - 1][n + 2], where g are the coefficients of Stirling's series.
    """
    rows, length = 12, 20
    count = length + 2 * rows + 3
    alpha = [0.0, 1.0]
    for n in range(2, count):
        lower_order_sum = sum(j * alpha[j] * alpha[n + 1 - j] for j in range(2, n))
        alpha.append((alpha[n - 1] - lower_order_sum) / (n + 1))
    logarithm = [0.0] * (rows + 1)
    for k, bernoulli in enumerate(BERNOULLI, 1):
        if 2 * k - 1 <= rows:
            logarithm[2 * k - 1] = bernoulli / (2 * k * (2 * k - 1))
    g = [1.0]
    for k in range(1, rows + 1):
        g.append(sum(j * logarithm[j] * g[k - j] for j in range(1, k + 1)) / k)
    first = [(n + 2) * alpha[n + 2] for n in range(count - 2)]
    first[0] = -1 / 3
    table = [first]
    for k in range(1, rows):
        before = table[-1]
        table.append([(-1) ** k * g[k] * first[n] + (n + 2) * before[n + 2] for n in range(len(before) - 2)])
    return tuple(tuple(row[: length - k]) for k, row in enumerate(table))


def _both_by_temme(a: Any, x: Any) -> tuple[Any, Any]:
    """P and Q near x = a, for a large (DLMF 8.12.3-7)."""
    mu = minimum(maximum((x - a) / a, -_UNIFORM_WITHIN), _UNIFORM_WITHIN)
    half_square = log1p_rest(mu)
    eta = sqrt(2 * half_square)
    eta = where(mu < 0, -eta, eta)
    a = maximum(a, _UNIFORM_FROM)
    inverse = 1 / a
    rows = _temme_coefficients()
    total = polynomial(eta, rows[-1])
    for row in rows[-2::-1]:
        total = total * inverse + polynomial(eta, row)
    rest = total * exp(-a * half_square) / sqrt(2 * math.pi * a)
    scaled = eta * sqrt(0.5 * a)
    return 0.5 * erfc(-scaled) - rest, 0.5 * erfc(scaled) + rest


def _both(a: Any, x: Any) -> tuple[Any, Any]:
    """P and Q, item by item in the way that suits a and x."""
    density = _density(a, x)
    series, fraction = density * _lower_by_series(a, x), density * _upper_by_fraction(a, x)
    below = x < a + 1
    lower, upper = where(below, series, 1 - fraction), where(below, 1 - series, fraction)
    for inside, (p, q) in (
        ((a < 1) & (x < 2), _both_by_powers(a, x)),
        ((a >= _UNIFORM_FROM) & (abs(x - a) < _UNIFORM_WITHIN * a), _both_by_temme(a, x)),
    ):
        lower, upper = where(inside, p, lower), where(inside, q, upper)
    return lower, upper


def _at_the_ends(a: Any, x: Any, result: Any, at_zero: float, at_infinity: float) -> Any:
    """The limits where a or x is 0 or infinite; NaN where there is none, or an argument is negative or NaN."""
    nothing = (x == 0) | (a == math.inf)
    everything = (a == 0) | (x == math.inf)
    result = where(nothing, at_zero, where(everything, at_infinity, result))
    undefined = (nothing & everything) | (a < 0) | (x < 0) | isnan(a) | isnan(x)
    return where(undefined, math.nan, result)


@computes("igamma")
def _igamma(a: Any, x: Any) -> Any:
    return _at_the_ends(a, x, _both(a, x)[0], 0.0, 1.0)


@computes("igammac")
def _igammac(a: Any, x: Any) -> Any:
    return _at_the_ends(a, x, _both(a, x)[1], 1.0, 0.0)
