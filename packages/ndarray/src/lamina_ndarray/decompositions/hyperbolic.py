"""Derived logarithms: inverse hyperbolic functions and logarithms of sums, without overflow or cancellation.

asinh, acosh and atanh of a real number are log1p of an expression that keeps its digits near the zero of the function
(the identities are those of DLMF 4.37.16-4.37.24: https://dlmf.nist.gov/4.37).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from ..array_fields import ArrayFields
from ..creation.constructors import full_like
from ..elementwise.arithmetic import abs as absolute
from ..elementwise.arithmetic import maximum, sqrt
from ..elementwise.choosing import where
from ..elementwise.complex_parts import real
from ..elementwise.exponential import exp, exp2, log, log1p
from .registering import as_array, composed

if TYPE_CHECKING:
    from ..array import NDArray

__all__: list[str] = []

_HUGE = 2.0**28
"""From here on, 1 is lost beside x*x in float32 and float64 alike, and x*x does not overflow before it."""


@composed("asinh")
def asinh(x: NDArray) -> NDArray:
    """log1p(|x| + x*x / (1 + sqrt(x*x + 1))), with the sign of x."""
    if x.dtype.is_complex:
        return log(x + sqrt(x * x + 1))
    a = absolute(x)
    near = where(a < _HUGE, a, full_like(a, 1))
    magnitude = where(
        a < _HUGE, log1p(near + near * near / (sqrt(near * near + 1) + 1)), log(a) + math.log(2)
    )
    return where(a == 0, x, where(x < 0, -magnitude, magnitude))


@composed("acosh")
def acosh(x: NDArray) -> NDArray:
    """log1p(t + sqrt(t * (t + 2))) with t = x - 1."""
    if x.dtype.is_complex:
        return log(x + sqrt(x + 1) * sqrt(x - 1))
    t = where(x < _HUGE, x - 1, full_like(x, 1))
    return where(x < _HUGE, log1p(t + sqrt(t * (t + 2))), log(x) + math.log(2))


@composed("atanh")
def atanh(x: NDArray) -> NDArray:
    """log1p(2|x| / (1 - |x|)) / 2, with the sign of x."""
    if x.dtype.is_complex:
        return (log1p(x) - log1p(-x)) * 0.5
    a = absolute(x)
    magnitude = log1p(a * 2 / (1 - a)) * 0.5
    return where(a == 0, x, where(x < 0, -magnitude, magnitude))


@composed("logaddexp")
def logaddexp(a: Any, b: Any) -> Any:
    """The greater (of complex numbers, that of the greater real part) plus log1p(exp(less - greater))."""
    a, b = _both(a, b)
    first = (real(a) >= real(b)) if a.dtype.is_complex else a >= b
    great, small = where(first, a, b), where(first, b, a)
    return where(a == b, a + math.log(2), great + log1p(exp(small - great)))


@composed("logaddexp2")
def logaddexp2(a: Any, b: Any) -> Any:
    """As `logaddexp`, to base 2."""
    a, b = _both(a, b)
    return where(a == b, a + 1, maximum(a, b) + log1p(exp2(-absolute(a - b))) * (1 / math.log(2)))


def _both(a: Any, b: Any) -> tuple[Any, Any]:
    a, b = as_array(a), as_array(b)
    return (a if isinstance(a, ArrayFields) else full_like(b, a)), (b if isinstance(b, ArrayFields) else full_like(a, b))
