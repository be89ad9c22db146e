"""What a division leaves, and quotients rounded towards zero, written with the required ops."""

from __future__ import annotations

from typing import Any

from ..array_fields import ArrayFields
from ..elementwise import arithmetic, comparison, rounding
from ..elementwise.choosing import where
from .registering import composed

__all__ = ["fmod", "remainder", "trunc_divide"]


def _kind(a: Any, b: Any) -> str:
    """Of the dtype that two inputs, one of which is an array, are computed in."""
    kind: str = (a if isinstance(a, ArrayFields) else b).dtype.kind
    return kind


@composed("remainder")
def remainder(a: Any, b: Any) -> Any:
    """What the quotient leaves; of booleans nothing, as the divisor is True. A smaller float leaves itself, or b more where the signs
    differ: 0 keeps its sign, and an infinite b is no factor."""
    kind = _kind(a, b)
    if kind == "b":
        return (a // b) ^ a
    if kind != "f":
        return a - b * (a // b)
    within = where(((a < 0) == (b < 0)) | (a == 0), a, a + b)
    return where(abs(a) < abs(b), within, a - b * (a // b))


@composed("fmod")
def fmod(a: Any, b: Any) -> Any:
    """By magnitudes, with the sign of a."""
    if _kind(a, b) in "bu":
        return a % b
    size = arithmetic.abs(a) % (abs(b))
    return where(comparison.less(a, 0), -size, size)


@composed("trunc_divide")
def trunc_divide(a: Any, b: Any) -> Any:
    """Whole numbers by what is left when the remainder is gone: their quotient need not fit a float."""
    kind = _kind(a, b)
    if kind in "bu":
        return a // b
    return (a - arithmetic.fmod(a, b)) // b if kind == "i" else rounding.trunc(a / b)
