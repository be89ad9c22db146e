"""What the operands hold: plain numbers inside an op's domain, and the extremes of the dtype."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from lamina_flatarray import DType, finfo, iinfo

__all__ = ["VALUES", "numbers"]

VALUES: Final = ("plain", "special")

_UNIT: Final = {"asin", "acos", "atanh", "erfinv"}
_POSITIVE: Final = {
    "log", "log2", "log10", "sqrt", "rsqrt", "pow", "cumprod", "prod", "igamma", "igammac", "bessel_y0", "bessel_y1",
    "modified_bessel_k0", "modified_bessel_k1", "scaled_modified_bessel_k0", "scaled_modified_bessel_k1",
}  # fmt: skip
_ABOVE_ONE: Final = {"acosh", "zeta"}
_NONZERO_SECOND: Final = {"divide", "floor_divide", "trunc_divide", "remainder", "fmod"}
_SHIFTS: Final = {"bitwise_left_shift", "bitwise_right_shift"}


def numbers(op: str, position: int, kind: str, shape: tuple[int, ...], dtype: DType) -> np.ndarray[Any, Any]:
    """Values for input `position` of an op: the same ones each time."""
    count = int(np.prod(shape, dtype=int))
    made = _special(count, position, dtype) if kind == "special" else _plain(op, position, count, dtype)
    if dtype.kind in "uib" and position == 1 and (op in _NONZERO_SECOND or op in _SHIFTS or op == "pow"):
        made = np.abs(_plain(op, 1, count, dtype).astype(np.int64)) % 5 + 1  # no division by 0, no shift out of width
    return made.astype(dtype.numpy).reshape(shape)


def _plain(op: str, position: int, count: int, dtype: DType) -> np.ndarray[Any, Any]:
    i = np.arange(count) + 7 * position
    if dtype.kind == "b":
        return (i * 5 % 3) > 0
    if dtype.kind in "ui":
        wave = i * 7 % 13 - (0 if dtype.kind == "u" else 6)
        return np.abs(wave) % 4 + 1 if op in _POSITIVE else wave
    wave = np.sin(i * 1.7 + position) * 2.5
    if op in _UNIT:
        wave = wave / 2.6
    if op in _POSITIVE:
        wave = np.abs(wave) + 0.25
    if op in _ABOVE_ONE:
        wave = np.abs(wave) + 1.25
    if op == "ndtri":
        wave = wave / 5.2 + 0.5
    if op in _NONZERO_SECOND and position == 1:
        wave = np.where(np.abs(wave) < 0.3, 0.7, wave)
    return wave + 1j * np.cos(i * 1.3) if dtype.is_complex else wave


def _special(count: int, position: int, dtype: DType) -> np.ndarray[Any, Any]:
    if dtype.kind == "b":
        return _plain("", position, count, dtype)
    if dtype.kind in "ui":
        limits = iinfo(dtype)
        pool: Any = np.array([limits.min, limits.max, 0, 1, limits.max - 1, limits.min + 1, 2, 5], dtype.numpy)
    else:
        limits_f = finfo(dtype)
        pool = np.array(
            [np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, -1.0, limits_f.tiny, 0.5, -2.5, 1.5, limits_f.eps], np.float64
        )
    return np.asarray(pool[(np.arange(count) * 5 + position * 3) % len(pool)])
