"""Bessel functions of order 0 and 1, of all kinds, and Airy's function.

Near 0 a fit of the function; far away the modulus and phase, or the exponential, times a fit in the inverse argument.
"""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING, Final

from ..elementwise.arithmetic import abs, minimum, sign, sqrt
from ..elementwise.choosing import where
from ..elementwise.exponential import cos, exp, log, sin
from . import coefficients as fits
from .approximation import computes, polynomial, rational
from .coefficients import Fit

if TYPE_CHECKING:
    from ..array import NDArray

__all__: list[str] = []


# -- first and second kind --------------------------------------------------------------------------------------------


def _far(x: NDArray, p: Fit, q: Fit, by_cosine: bool, sign_of_p: int) -> NDArray:
    """Hankel's expansion for x >= 8 (DLMF 10.17.3-4). The phase x - pi/4 or x - 3 pi/4 is turned by adding sin and cos
    of x itself, so that it is not rounded: `by_cosine` pairs P with sin + cos, else with sin - cos."""
    inverse = 8 / x
    square = inverse * inverse
    modulus, shift = rational(square, p) * sign_of_p, rational(square, q) / x
    s, c = sin(x), cos(x)
    plus, minus = s + c, s - c
    wave = modulus * plus - shift * sign_of_p * minus if by_cosine else modulus * minus + shift * plus
    return where(x == math.inf, 0.0, wave / sqrt(math.pi * x))


def _near_variable(x: NDArray) -> NDArray:
    return x * x * (1 / 32) - 1


@computes("bessel_j0")
def _j0(x: NDArray) -> NDArray:
    size = abs(x)
    return where(size < 8, rational(_near_variable(x), fits.J0_LOW), _far(size, fits.P0, fits.Q0, True, 1))


@computes("bessel_j1")
def _j1(x: NDArray) -> NDArray:
    size = abs(x)
    far = sign(x) * _far(size, fits.P1, fits.Q1, False, 1)
    return where(size < 8, x * rational(_near_variable(x), fits.J1_LOW), far)


@computes("bessel_y0")
def _y0(x: NDArray) -> NDArray:
    t = _near_variable(x)
    near = log(x) * (2 / math.pi) * rational(t, fits.J0_LOW) + rational(t, fits.Y0_LOW)
    return where(x < 8, near, _far(x, fits.P0, fits.Q0, False, 1))


@computes("bessel_y1")
def _y1(x: NDArray) -> NDArray:
    t = _near_variable(x)
    near = (log(x) * x * rational(t, fits.J1_LOW) - 1 / x) * (2 / math.pi) + x * rational(t, fits.Y1_LOW)
    result = where(x < 8, near, _far(x, fits.P1, fits.Q1, True, -1))
    return where(x == 0, -math.inf, result)


# -- modified, first kind ---------------------------------------------------------------------------------------------

_OVERFLOWS: Final = 2000.0  # exp(1000) is infinite in float64


def _scaled(size: NDArray, low: Fit, high: Fit) -> tuple[NDArray, NDArray]:
    return rational(size * 0.125, low), rational(16 / size - 1, high) / sqrt(size)


def _unscaled(x: NDArray, scaled: NDArray) -> NDArray:
    """exp(|x|) * scaled, in two halves: the product overflows later than the exponential."""
    half = exp(minimum(abs(x), _OVERFLOWS) * 0.5)
    return where((scaled == 0) & (x == 0), x, half * scaled * half)  # I1 is 0 at 0; NaN at infinity, as PyTorch's


@computes("i0e")
def _i0e(x: NDArray) -> NDArray:
    size = abs(x)
    return where(size < 8, *_scaled(size, fits.I0E_LOW, fits.I0E_HIGH))


@computes("i1e")
def _i1e(x: NDArray) -> NDArray:
    size = abs(x)
    near, far = _scaled(size, fits.I1E_LOW, fits.I1E_HIGH)
    return where(size < 8, x * near, sign(x) * far)


@computes("i0")
def _i0(x: NDArray) -> NDArray:
    size = abs(x)
    return _unscaled(size, _i0e(size))


@computes("i1")
def _i1(x: NDArray) -> NDArray:
    return _unscaled(x, _i1e(x))


# -- modified, second kind --------------------------------------------------------------------------------------------


@cache
def _second_kind_series(order: int) -> tuple[float, ...]:
    """The power series beside the logarithm, in x*x / 4 (DLMF 10.31.1-2)."""
    coefficients, psi = [], -0.5772156649015329
    for k in range(14):
        following = psi + 1 / (k + 1)
        if order == 0:
            coefficients.append(psi / math.factorial(k) ** 2)
        else:
            coefficients.append(-0.25 * (psi + following) / (math.factorial(k) * math.factorial(k + 1)))
        psi = following
    return tuple(coefficients)


def _k0_near(x: NDArray) -> NDArray:
    return polynomial(x * x * 0.25, _second_kind_series(0)) - log(x * 0.5) * _i0(x)


def _k1_near(x: NDArray) -> NDArray:
    near = 1 / x + log(x * 0.5) * _i1(x) + x * polynomial(x * x * 0.25, _second_kind_series(1))
    return where(x == 0, math.inf, near)


def _k_far(x: NDArray, fit: Fit) -> NDArray:
    return rational(2 / x, fit) / sqrt(x)


@computes("modified_bessel_k0")
def _k0(x: NDArray) -> NDArray:
    return where(x <= 2, _k0_near(x), exp(-x) * _k_far(x, fits.K0E_HIGH))


@computes("modified_bessel_k1")
def _k1(x: NDArray) -> NDArray:
    return where(x <= 2, _k1_near(x), exp(-x) * _k_far(x, fits.K1E_HIGH))


@computes("scaled_modified_bessel_k0")
def _k0e(x: NDArray) -> NDArray:
    return where(x <= 2, exp(x) * _k0_near(x), _k_far(x, fits.K0E_HIGH))


@computes("scaled_modified_bessel_k1")
def _k1e(x: NDArray) -> NDArray:
    return where(x <= 2, exp(x) * _k1_near(x), _k_far(x, fits.K1E_HIGH))


# -- Airy's -----------------------------------------------------------------------------------------------------------


_AIRY_FROM: Final = 2 / 3 * 2.0**1.5  # the phase at 2
_AIRY_LEFT_FROM: Final = 2 / 3 * 4.5**1.5  # the phase at -4.5


@computes("airy_ai")
def _airy_ai(x: NDArray) -> NDArray:
    size = abs(x)
    root = sqrt(size)
    phase = size * root * (2 / 3)
    quarter = sqrt(root)
    right = rational(_AIRY_FROM / phase, fits.AIRY_RIGHT) * exp(-phase) / (2 * math.sqrt(math.pi) * quarter)
    inverse = _AIRY_LEFT_FROM / phase
    square = inverse * inverse
    s, c = sin(phase), cos(phase)
    wave = rational(square, fits.AIRY_P) * (c + s) + rational(square, fits.AIRY_Q) / phase * (s - c)
    left = where(size == math.inf, 0.0, wave / (math.sqrt(2 * math.pi) * quarter))
    centre = where(x < 0, rational(x * (1 / 2.25) + 1, fits.AIRY_LEFT), rational(x - 1, fits.AIRY_CENTRE))
    return where(x < -4.5, left, where(x > 2, right, centre))
