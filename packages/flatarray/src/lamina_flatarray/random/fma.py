"""`scale * x + shift` rounded once, as by the FMA instructions that PyTorch's CPU kernels are compiled to.

Without this, `uniform_(low, high)` and `normal_(mean, std)` would differ from PyTorch's in the last bit of
every second number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["affine"]

_F64: TypeAlias = "npt.NDArray[np.float64]"
_SPLIT: Final = float(2**27 + 1)


def _sum(a: _F64, b: Any) -> tuple[_F64, _F64]:
    """a + b and its rounding error (Knuth's two-sum)."""
    total = a + b
    back = total - a
    return total, (a - (total - back)) + (b - back)


def _to_odd(value: _F64, error: _F64) -> _F64:
    """`value + error` rounded to odd, so that a second rounding comes out right (Boldo and Melquiond)."""
    inexact = np.flatnonzero(error)
    if inexact.size:
        chosen, rest = value[inexact], error[inexact]
        bits = chosen.view(np.int64)
        step = np.where((rest > 0) == (chosen > 0), 1, -1)
        bits += np.where(bits & 1, 0, step)
        value[inexact] = chosen
    return value


def _halves(x: Any) -> tuple[Any, Any]:
    """x as the sum of two numbers of at most 26 bits (Veltkamp)."""
    big = x * _SPLIT
    high = big - (big - x)
    return high, x - high


def affine(x: npt.NDArray[Any], scale: float, shift: float) -> npt.NDArray[Any]:
    """`scale * x + shift` with a single rounding, in x's dtype.

    Args:
        x: float32 or float64, any shape of one dimension, finite.
        scale, shift: rounded to x's dtype first.
    """
    kind = x.dtype.type
    scale, shift = float(kind(scale)), float(kind(shift))
    if shift == 0.0:
        return x if scale == 1.0 else x * kind(scale)
    if not (abs(scale) < 1e290 and abs(shift) < 1e290):  # infinite, NaN, or too large to split in halves
        with np.errstate(all="ignore"):
            plain: npt.NDArray[Any] = x * kind(scale) + kind(shift)
            return plain
    if kind is np.float32:
        product = x.astype(np.float64) * scale  # exact: 24 + 24 bits
        return _to_odd(*_sum(product, shift)).astype(np.float32)
    product = x * scale
    (xh, xl), (sh, sl) = _halves(x), _halves(scale)
    low = ((xh * sh - product) + xh * sl + xl * sh) + xl * sl
    total, rest = _sum(product, shift)
    return total + _to_odd(*_sum(rest, low))
