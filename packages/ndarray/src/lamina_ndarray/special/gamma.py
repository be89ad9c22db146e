"""The gamma function's family: its logarithm, that one's derivatives, and Hurwitz's zeta function."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

from ..creation.constructors import full_like
from ..elementwise.arithmetic import abs, minimum, pow, sign
from ..elementwise.choosing import where
from ..elementwise.exponential import log, sin, tan
from ..elementwise.rounding import floor
from .approximation import computes, from_integer, polynomial, rational
from .coefficients import DIGAMMA, LGAMMA, LOG1P_REST

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = ["BERNOULLI", "lgamma1p", "log1p_rest", "stirling_rest"]

BERNOULLI: Final = (
    1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510, 43867 / 798, -174611 / 330,
    854513 / 138, -236364091 / 2730,
)  # fmt: skip
"""The Bernoulli numbers of index 2, 4, 6, ... (DLMF 24.2)."""

_STIRLING: Final = tuple(b / (2 * k * (2 * k - 1)) for k, b in enumerate(BERNOULLI[:9], 1))
_DIGAMMA_SERIES: Final = tuple(b / (2 * k) for k, b in enumerate(BERNOULLI[:9], 1))
_ROOT: Final = (1.4616321325302124, 1.2438149938918909e-08)  # of digamma; the first part is exact in float32


# -- the logarithm of gamma -------------------------------------------------------------------------------------------


def stirling_rest(x: Any) -> Any:
    """lgamma(x) less (x - 1/2) log(x) - x + log(2 pi) / 2, for x >= 8 (DLMF 5.11.1)."""
    inverse = 1 / x
    return polynomial(inverse * inverse, _STIRLING) * inverse


def lgamma1p(x: Any) -> Any:
    """lgamma(1 + x) for 0 <= x <= 7, exact to the last places near its zeros at 0 and 1."""
    return rational(x * (1 / 7), LGAMMA) * (x * (x - 1)) + 0.0


def log1p_rest(u: Any) -> Any:
    """u - log1p(u) for -0.4 <= u <= 0.7, without cancellation."""
    return rational((u + 0.4) * (1 / 1.1), LOG1P_REST) * (u * u * 0.5)


@computes("lgamma")
def _lgamma(x: NDArray) -> NDArray:
    mirrored = x < 0
    y = where(mirrored, 1 - x, x)
    small = y < 1
    logarithm = log(y)
    near = lgamma1p(where(small, y, y - 1))
    far = (y - 0.5) * (logarithm - 1) + (0.5 * math.log(2 * math.pi) - 0.5) + stirling_rest(y)
    right = where(y < 8, where(small, near - logarithm, near), far)
    left = math.log(math.pi) - log(abs(sin(from_integer(x) * math.pi))) - right
    return where(mirrored, where(floor(x) == x, math.inf, left), right)


def _cotangent_of_pi(x: NDArray) -> NDArray:
    """cot(pi x) for |x| <= 1/2; beyond 1/4 from the distance to 1/2, where it is 0."""
    turned = tan((x - sign(x) * 0.5) * -math.pi)
    return where(abs(x) > 0.25, turned, 1 / tan(x * math.pi))


@computes("digamma")
def _digamma(x: NDArray) -> NDArray:
    mirrored = x < 0
    y = where(mirrored, 1 - x, x)
    small = y < 1
    z = where(small, y + 1, y)
    near = rational((z - 1) * (1 / 7), DIGAMMA) * ((z - _ROOT[0]) - _ROOT[1])
    inverse = 1 / y
    square = inverse * inverse
    far = log(y) - 0.5 * inverse - polynomial(square, _DIGAMMA_SERIES) * square
    right = where(y < 8, where(small, near - inverse, near), far)
    left = right - math.pi * _cotangent_of_pi(from_integer(x))
    return where(mirrored, where(floor(x) == x, math.nan, left), right)


# -- zeta and polygamma -----------------------------------------------------------------------------------------------

_DIRECT: Final = 10  # terms summed before the Euler-Maclaurin formula takes over


def _zeta_of_positive(s: NDArray, q: NDArray) -> NDArray:
    """The sum of (q + k)**-s over k >= 0, for q > 0 and s > 1, by Euler and Maclaurin (DLMF 25.11.5)."""
    s = minimum(s, 1e18)  # infinity, too: what is not 1 to that power is 0 or infinite
    power = -s
    total = pow(q, power)
    for k in range(1, _DIRECT):
        total += pow(q + k, power)
    end = q + _DIRECT
    last = pow(end, power)
    total += pow(end, power + 1) / (s - 1) + 0.5 * last
    term = last * (s / end)
    squared = 1 / (end * end)
    for j, bernoulli in enumerate(BERNOULLI, 1):
        total += term * (bernoulli / math.factorial(2 * j))
        term *= minimum((s + (2 * j - 1)) * (s + 2 * j) * squared, 1e9)  # where it is more, `last` is 0
    return total


@computes("zeta")
def _zeta(s: NDArray, q: NDArray) -> NDArray:
    """Below 0, for integer s, by the sum over all integers, which only depends on q's fraction f:
    zeta(s, q) + (-1)**s zeta(s, 1 - q) = zeta(s, f) + (-1)**s zeta(s, 1 - f)."""
    whole = floor(q)
    mirrored = q < 0
    fraction = q - whole
    right = _zeta_of_positive(s, where(mirrored, fraction, q))
    other = _zeta_of_positive(s, 1 - fraction) - _zeta_of_positive(s, where(mirrored, 1 - q, 1.0))
    odd = floor(s * 0.5) * 2 != s
    result = where(mirrored, where(odd, right - other, right + other), right)
    result = where(mirrored & (floor(s) != s), math.nan, result)
    result = where((q <= 0) & (whole == q), math.inf, result)
    return where(s < 1, math.nan, where(s == 1, math.inf, result))


def _cotangent_derivative(n: int) -> tuple[int, ...]:
    """The n-th derivative of cot as a polynomial in cot, whose own derivative is -(1 + cot**2)."""
    coefficients = [0, 1]
    for _ in range(n):
        slope = [k * c for k, c in enumerate(coefficients)][1:]
        coefficients = [-(a + b) for a, b in zip([*slope, 0, 0], [0, 0, *slope], strict=True)]
    return tuple(coefficients)


@computes("polygamma")
def _polygamma(x: NDArray, n: int) -> NDArray:
    """n! times zeta, but for a sign; below 0 by the reflection formula (DLMF 5.15.6), as long as n! and its parts are no larger than
    floats are."""
    if n == 0:
        return _digamma(x)
    mirrored = x < 0
    factor = (math.factorial(n) if n <= 170 else math.inf) * (-1) ** (n + 1)
    y = where(mirrored, 1 - x, x)
    right = where(y == 0, math.inf, _zeta_of_positive(full_like(y, n + 1), y)) * float(factor)
    if n > 170:
        return where(mirrored, math.nan, right)
    cotangent = _cotangent_of_pi(from_integer(x))
    turn = polynomial(cotangent, [float(c) for c in _cotangent_derivative(n)]) * math.pi ** (n + 1)
    left = right * (-1) ** n - turn
    return where(mirrored, where(floor(x) == x, math.copysign(math.inf, factor), left), right)
