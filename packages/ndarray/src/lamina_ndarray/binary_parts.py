"""Floating-point numbers as mantissa times a power of two, taken apart and put together exactly."""

from __future__ import annotations

from typing import Any

from lamina_flatarray import DTypeError
from lamina_flatarray import dtypes as dt

from .namespace import composite, namespace
from .results import MantissaExponent

__all__ = ["frexp", "ldexp"]

_STEPS = {8: (512, 256, 256, 128, 64, 32, 16, 8, 4, 2, 1), 4: (64, 64, 32, 16, 8, 4, 2, 1)}
"""Exponents whose powers of two a dtype of that many bytes holds, and which add up to that of its smallest number."""


def _normalised(x: Any) -> tuple[Any, Any, Any]:
    """x > 0 as (m, e, 2**e) with x = m * 2**e and 1 <= m < 2: every step multiplies by a power of two, hence exactly."""
    xp = namespace(x)
    exponent, power = xp.zeros_like(xp.astype(x, dt.int32)), xp.ones_like(x)
    for step in _STEPS[x.dtype.itemsize]:
        great, small = x >= 2.0**step, x < 2.0 ** (1 - step)
        x = xp.where(great, x * 2.0**-step, xp.where(small, x * 2.0**step, x))
        power = xp.where(great, power * 2.0**step, xp.where(small, power * 2.0**-step, power))
        exponent = exponent + xp.astype(xp.where(great, step, xp.where(small, -step, 0)), dt.int32)
    return x, exponent, power


def powers_of_two(x: Any) -> Any:
    """The greatest power of two that is not above x, for x > 0; 0 where x is subnormal and it would be, too."""
    xp = namespace(x)
    wide = xp.astype(x, dt.float32) if x.dtype.itemsize < 4 else x
    return xp.astype(_normalised(xp.where(wide == 0, 1.0, wide))[2], x.dtype)


@composite
def frexp(x: Any) -> MantissaExponent:
    """x as mantissa * 2**exponent: the mantissa's magnitude lies in [0.5, 1), the exponent is int32. Of 0, infinities and
    NaN the mantissa is the number itself, and the exponent 0.

    Raises:
        DTypeError: x is not floating-point.
    """
    if not x.dtype.is_floating_point:
        raise DTypeError(f"frexp: torch.frexp() only supports floating-point dtypes, got {x.dtype.name}")
    xp = namespace(x)
    wide = xp.astype(x, dt.float32) if x.dtype.itemsize < 4 else x
    plain = xp.logical_and(xp.isfinite(wide), wide != 0)
    size = xp.where(plain, xp.abs(wide), 1.0)
    mantissa, exponent, _ = _normalised(size)
    mantissa = xp.where(plain, xp.where(wide < 0, -mantissa, mantissa) * 0.5, wide)
    return MantissaExponent(
        xp.astype(mantissa, x.dtype), xp.where(plain, exponent + 1, xp.zeros_like(exponent))
    )


@composite
def ldexp(x: Any, exponent: Any) -> Any:
    """x * 2**exponent, in floating point.

    Raises:
        ShapeError: the shapes do not broadcast.
    """
    return x * namespace(x, exponent).pow(2.0, exponent)
