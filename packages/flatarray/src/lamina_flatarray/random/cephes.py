"""float32 log, sine and cosine out of additions and multiplications only: the same bits on every machine.

The polynomials and range reductions are those of Moshier's Cephes library, evaluated with fused multiply-adds
where PyTorch's vectorised `normal_` has them: with these functions our normals equal PyTorch's bit by bit.
(NumPy's own float32 functions depend on the processor.)

A fused multiply-add is done in float64, where the product of two float32 is exact. The sum may be rounded
twice; this changes the result, by 1 ulp, about once in 2**29 operations.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["log", "sine_cosine"]

_F32: TypeAlias = "npt.NDArray[np.float32]"
_F64: TypeAlias = "npt.NDArray[np.float64]"  # in this file: float32 values, held in float64


def _held(*values: float) -> tuple[float, ...]:
    return tuple(float(np.float32(v)) for v in values)


_LOG: Final = _held(
    7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1, -1.2420140846e-1, 1.4249322787e-1,
    -1.6668057665e-1, 2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1,
)  # fmt: skip
_SINE: Final = _held(-1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1)
_COSINE: Final = _held(2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2)
_LN2_HIGH, _LN2_LOW = _held(0.693359375, -2.12194440e-4)
_SQRT_HALF, _FOUR_OVER_PI = _held(0.707106781186547524, 1.27323954473516)
_MINUS_PI_OVER_4: Final = _held(-0.78515625, -2.4187564849853515625e-4, -3.77489497744594108e-8)


def _rounded(values: _F64) -> _F64:
    return values.astype(np.float32).astype(np.float64)


def _polynomial(x: _F64, coefficients: tuple[float, ...]) -> _F64:
    """Horner's scheme, one rounding per step."""
    value: _F64 = _rounded(x * coefficients[0] + coefficients[1])
    for coefficient in coefficients[2:]:
        value *= x
        value += coefficient
        value = _rounded(value)
    return value


def log(x: _F32) -> _F32:
    """The natural logarithm of positive normal float32 numbers."""
    bits = x.view(np.int32)
    exponent = (bits >> 23) - 126
    mantissa = ((bits & 0x007FFFFF) | 0x3F000000).view(np.float32).astype(np.float64)  # [1/2, 1)
    small = mantissa < _SQRT_HALF
    power = (exponent - small).astype(np.float64)
    m = np.where(small, mantissa + mantissa, mantissa) - 1.0  # exact
    square = _rounded(m * m)
    value = _rounded(_polynomial(m, _LOG) * m)
    value = _rounded(value * square + _rounded(power * _LN2_LOW))
    value = _rounded(value - 0.5 * square)
    return (power * _LN2_HIGH + _rounded(m + value)).astype(np.float32)


def sine_cosine(x: _F32) -> tuple[_F32, _F32]:
    """Sine and cosine of float32 angles from 0 to some thousands."""
    octant = ((x * np.float32(_FOUR_OVER_PI)).astype(np.int32) + 1) & ~1
    turns = octant.astype(np.float64)
    angle = x.astype(np.float64)
    for part in _MINUS_PI_OVER_4:
        angle = _rounded(turns * part + angle)
    square = _rounded(angle * angle)
    cosine = _rounded(_polynomial(square, _COSINE) * square)
    cosine = _rounded(cosine * square - 0.5 * square) + 1.0
    sine = _rounded(_polynomial(square, _SINE) * square)
    sine = sine * angle + angle
    swapped = (octant & 2) != 0
    flip_sine = (octant & 4) << 29
    flip_cosine = ((octant + 2) & 4) << 29
    s, c = sine.astype(np.float32), cosine.astype(np.float32)
    first, second = np.where(swapped, c, s), np.where(swapped, s, c)
    return (first.view(np.int32) ^ flip_sine).view(np.float32), (second.view(np.int32) ^ flip_cosine).view(
        np.float32
    )
