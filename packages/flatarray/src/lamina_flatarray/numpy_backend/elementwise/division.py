"""Where PyTorch and NumPy disagree: division with a remainder, powers and shifts of integers."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors import IntegerDivisionByZero
from ..blocks import in_blocks

__all__ = [
    "floor_divide",
    "fmod",
    "left_shift",
    "power",
    "remainder",
    "right_shift",
    "trunc_divide",
]

Array = np.ndarray[Any, Any]





def _is_whole(op: str, divisor: Array, target: Array) -> bool:
    """Whether this is integer division; it is refused before anything is written if a divisor is 0."""
    if target.dtype.kind not in "bui":
        return False
    if target.size and not divisor.all():
        raise IntegerDivisionByZero(f"{op}: ZeroDivisionError: an integer divisor is 0; it wants none")
    return True


def floor_divide(a: Array, b: Array, target: Array) -> None:
    """Towards minus infinity. For floats as PyTorch: a / 0 is infinite or NaN, and inf / b is NaN."""
    if _is_whole("floor_divide", b, target):
        np.floor_divide(a, b, out=target, casting="unsafe")
    else:
        in_blocks(_floor_divide, target, a, b)


def _floor_divide(a: Array, b: Array) -> Array:
    rest = np.fmod(a, b)
    quotient = (a - rest) / b
    quotient -= (rest != 0) & ((b < 0) != (rest < 0))
    low = np.floor(quotient)
    low += quotient - low > 0.5
    exact = a / b
    low = np.where(quotient == 0, np.copysign(np.zeros_like(quotient), exact), low)
    return np.where(b == 0, exact, low)


def trunc_divide(a: Array, b: Array, target: Array) -> None:
    """Towards zero."""
    if _is_whole("trunc_divide", b, target):
        np.floor_divide(a - np.fmod(a, b), b, out=target, casting="unsafe")
    else:
        in_blocks(lambda a, b: np.trunc(a / b), target, a, b)


def remainder(a: Array, b: Array, target: Array) -> None:
    """The sign of b."""
    if _is_whole("remainder", b, target):
        np.remainder(a, b, out=target, casting="unsafe")
    else:
        in_blocks(_remainder, target, a, b)


def _remainder(a: Array, b: Array) -> Array:
    rest = np.fmod(a, b)
    return np.where((rest != 0) & ((rest < 0) != (b < 0)), rest + b, rest)


def fmod(a: Array, b: Array, target: Array) -> None:
    """The sign of a."""
    _is_whole("fmod", b, target)
    np.fmod(a, b, out=target, casting="unsafe")


def power(a: Array, b: Array, target: Array) -> None:
    """Integers wrap; negative exponents among an array's give the truncated fraction: 0 unless a is 1 or -1."""
    if target.dtype.kind == "i" and b.size and b.min() < 0:
        in_blocks(_power, target, a, b)
    elif b.ndim == 0 and target.dtype.kind in "fc" and b == 2:
        np.multiply(a, a, out=target)  # exact, and many times faster
    elif b.ndim == 0 and target.dtype.kind in "fV" and b == 0.5:
        np.sqrt(a, out=target)  # of every dtype: bfloat16's power is none
    elif b.ndim == 0 and target.dtype.kind in "fV" and b == -0.5:
        np.reciprocal(np.sqrt(a, out=target), out=target)  # of -0 and -inf, too
    else:
        np.power(a, b, out=target)


def _power(a: Array, b: Array) -> Array:
    inverse = np.where(a == 1, 1, np.where(a == -1, np.where(b % 2, -1, 1), 0))
    return np.where(b < 0, inverse, np.power(a, np.maximum(b, 0)))


def left_shift(a: Array, b: Array, target: Array) -> None:
    """Zeros come in; a count that is negative, or the width or more, pushes all bits out."""
    in_blocks(lambda a, b: np.where(_pushed_out(b), 0, np.left_shift(a, b)), target, a, b)


def right_shift(a: Array, b: Array, target: Array) -> None:
    """The sign comes in; a count that is negative, or the width or more, leaves nothing else."""
    in_blocks(lambda a, b: np.where(_pushed_out(b), -(a < 0).astype(a.dtype), np.right_shift(a, b)), target, a, b)


def _pushed_out(count: Array) -> Any:
    return (count < 0) | (count >= 8 * count.dtype.itemsize)
