"""The error function's family: its complement, scaled and inverted, and the normal distribution.

All of them rest on two fitted functions of a positive number: `erfcx(x)`, and the ratio `erfinv(x) / x` as a function
of `w = -log(1 - x*x)`, which stays accurate in both tails, for `erfinv` and `ndtri` alike.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ..elementwise.arithmetic import abs, minimum, sqrt
from ..elementwise.choosing import where
from ..elementwise.exponential import exp, log, log1p
from ..elementwise.rounding import floor
from ..elementwise.special_functions import erf
from .approximation import computes, rational
from .coefficients import ERFCX_HIGH, ERFCX_LOW, ERFINV_CENTRE, ERFINV_SHOULDER, ERFINV_TAIL

if TYPE_CHECKING:
    from ..array import NDArray

__all__: list[str] = []

_UNDERFLOWS = 30.0  # exp(-30**2) is 0, and exp(30**2) infinite, in float64


def _erfcx_of_positive(x: NDArray) -> NDArray:
    inverse = 4 / x
    return where(x < 4, rational(x * 0.25, ERFCX_LOW), rational(inverse * inverse, ERFCX_HIGH) / x)


def _exp_of_square(x: NDArray, sign: int) -> NDArray:
    """exp(sign * x*x) for x >= 0; the square is taken in two parts, so that its rounding is not magnified."""
    x = minimum(x, _UNDERFLOWS)
    head = floor(x * 16) * 0.0625
    return exp(head * head * sign) * exp((x - head) * (x + head) * sign)


@computes("erfc")
def _erfc(x: NDArray) -> NDArray:
    size = abs(x)
    tail = _exp_of_square(size, -1) * _erfcx_of_positive(size)
    return where(size < 0.5, 1 - erf(x), where(x < 0, 2 - tail, tail))


@computes("erfcx")
def _erfcx(x: NDArray) -> NDArray:
    size = abs(x)
    right = _erfcx_of_positive(size)
    return where(x < 0, 2 * _exp_of_square(size, 1) - right, right)


def _erfinv_ratio(w: NDArray) -> NDArray:
    """erfinv(x) / x, given w = -log(1 - x*x) in [0, 784]."""
    root = sqrt(w)
    centre = rational(w * (1 / 6), ERFINV_CENTRE)
    shoulder = rational((root - math.sqrt(6)) * (1 / (6.25 - math.sqrt(6))), ERFINV_SHOULDER)
    tail = rational((root - 6.25) * (1 / 21.75), ERFINV_TAIL)
    return where(w < 6, centre, where(root < 6.25, shoulder, tail))


@computes("erfinv")
def _erfinv(x: NDArray) -> NDArray:
    result = x * _erfinv_ratio(-log((1 - x) * (1 + x)))
    return where(abs(x) == 1, x * math.inf, result)


@computes("ndtri")
def _ndtri(p: NDArray) -> NDArray:
    """With x = 2 p - 1, ndtri(p) = sqrt(2) erfinv(x) and 1 - x*x = 4 p (1 - p), which keeps a small p."""
    x = 2 * p - 1
    result = x * _erfinv_ratio(-log(4 * p) - log1p(-p)) * math.sqrt(2)
    return where(p == 0, -math.inf, where(p == 1, math.inf, result))


@computes("log_ndtr")
def _log_ndtr(x: NDArray) -> NDArray:
    scaled = x * math.sqrt(0.5)
    left = log(_erfcx_of_positive(abs(scaled)) * 0.5) - scaled * scaled
    return where(x < -1, left, log1p(_erfc(scaled) * -0.5))
