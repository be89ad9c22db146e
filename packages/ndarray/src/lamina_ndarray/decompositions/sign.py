"""Derived ops on single numbers as they are written: their sign, their binary parts, their neighbours, their divisors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lamina_flatarray import dtypes as dt
from lamina_flatarray import finfo

from ..array_fields import ArrayFields
from ..creation.constructors import full_like, zeros_like
from ..dispatch.namespace import namespace
from ..dispatch.results import MantissaExponent
from ..elementwise import arithmetic, comparison
from ..elementwise.arithmetic import abs as absolute
from ..elementwise.arithmetic import maximum
from ..elementwise.choosing import where
from ..reductions.logic import any as any_of
from .registering import composed

if TYPE_CHECKING:
    from ..array import NDArray

__all__: list[str] = []


@composed("signbit")
def signbit(x: NDArray) -> NDArray:
    """1 / x tells the zeros apart. (The sign of a NaN cannot be told by arithmetic.)"""
    if not x.dtype.is_inexact:
        return comparison.less(x, zeros_like(x))
    zero = x == 0
    return comparison.logical_or(x < 0, 1 / where(zero, x, full_like(x, 1)) < 0)


@composed("copysign")
def copysign(a: Any, b: Any) -> NDArray:
    """Compute `|a|`, negated where the sign bit of b is set."""
    if not isinstance(a, ArrayFields):
        a = full_like(b, a)
    size = absolute(a)
    return where(signbit(b if isinstance(b, ArrayFields) else full_like(a, b)), -size, size)


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


@composed("frexp")
def frexp(x: NDArray) -> MantissaExponent[NDArray]:
    """Decompose x into `mantissa * 2**exponent` by exact multiplications with powers of two; 16 bits are taken in 32."""
    xp = namespace(x)
    wide = xp.astype(x, dt.float32) if x.dtype.itemsize < 4 else x
    plain = xp.logical_and(xp.isfinite(wide), wide != 0)
    size = xp.where(plain, xp.abs(wide), 1.0)
    mantissa, exponent, _ = _normalised(size)
    mantissa = xp.where(plain, xp.where(wide < 0, -mantissa, mantissa) * 0.5, wide)
    return MantissaExponent(
        xp.astype(mantissa, x.dtype), xp.where(plain, exponent + 1, xp.zeros_like(exponent))
    )


@composed("nextafter")
def nextafter(a: Any, b: Any) -> NDArray:
    """a plus or minus the distance to its neighbour: eps times the power of two below |a|, and half of that
    downwards from a power of two itself."""
    a, b = (x if isinstance(x, ArrayFields) else full_like(b if x is a else a, x) for x in (a, b))
    info = finfo(a.dtype)
    least = info.smallest_normal * info.eps
    size = where(comparison.isfinite(a), absolute(a), full_like(a, 1))
    below = powers_of_two(size)
    inward = comparison.logical_and(size == below, absolute(b) < size)
    inward = comparison.logical_or(inward, comparison.logical_and(size == below, (a < 0) != (b < 0)))
    step = maximum(where(inward, below * (info.eps / 2), below * info.eps), least)
    moved = where(b > a, a + step, a - step)
    moved = where(moved == 0, copysign(moved, a), moved)
    moved = where(a == 0, copysign(full_like(a, least), b), moved)
    ends = where(b == a, a, full_like(a, info.max))
    moved = where(comparison.isinf(a), where(b == a, a, copysign(ends, a)), moved)
    return where(a == b, b, where(comparison.logical_or(a != a, b != b), a + b, moved))


@composed("gcd")
def gcd(a: Any, b: Any) -> NDArray:
    """Euclid's algorithm on all pairs at once, until the last of them is done."""
    a, b = (x if isinstance(x, ArrayFields) else full_like(b if x is a else a, x) for x in (a, b))
    one = full_like(a, 1)
    while bool(any_of(b != 0)):
        done = b == 0
        a, b = where(done, a, b), where(done, b, arithmetic.fmod(a, where(done, one, b)))
    return absolute(a) if a.dtype.is_signed else a
