"""What the operands hold: plain numbers inside an op's domain, and the extremes of the dtype."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from lamina_flatarray import DType, finfo, iinfo

__all__ = ["PARAMETERS", "VALUES", "numbers"]

VALUES: Final = ("plain", "special")
"""The kinds of values."""

PARAMETERS: Final = {"min": (-0.5, float("-inf")), "max": (0.75, float("inf")), "value": (0.1, -2)}
"""What steps of fused kernels are given for parameters, which are more inputs of theirs."""


def numbers(
    position: int, shape: tuple[int, ...], dtype: DType, domain: str = "any", kind: str = "plain"
) -> np.ndarray[Any, Any]:
    """Return values for an input of an op: the same ones each time.

    Args:
        position: which input it is, from 0.
        shape, dtype: of the values.
        domain: where plain values lie: a key of `lamina_flatarray.ops.DOMAINS`.
        kind: "plain", or "special" for NaN, infinities, zeros and limits of the dtype, in the domain or not.
    """
    count = int(np.prod(shape, dtype=int))
    values = _special(count, position, dtype) if kind == "special" else _plain(domain, position, count, dtype)
    if dtype.kind in "uib" and position == 1 and domain in ("divisor", "shift", "power"):
        values = np.abs(_plain(domain, 1, count, dtype).astype(np.int64)) % 5 + (domain != "power")
    return values.astype(dtype.numpy).reshape(shape)


def _plain(domain: str, position: int, count: int, dtype: DType) -> np.ndarray[Any, Any]:
    i = np.arange(count) + 7 * position
    wave: np.ndarray[Any, Any]
    if dtype.kind == "b":
        return (i * 5 % 3) > 0
    if dtype.kind in "ui":
        wave = i * 7 % 13 - (0 if dtype.kind == "u" else 6)
        return np.abs(wave) % 4 + (domain == "positive") if domain in ("positive", "power") else wave
    wave = np.sin(i * 1.7 + position) * 2.5
    if domain == "any":
        wave = np.where(i % 11 == 9, 0.0, wave)
    if domain == "unit":
        wave = wave / 2.6
    if domain in ("positive", "power"):
        wave = np.abs(wave) + 0.25
    if domain == "above_one":
        wave = np.abs(wave) + 1.25
    if domain == "probability":
        wave = wave / 5.2 + 0.5
    if domain == "divisor" and position == 1:
        wave = np.where(np.abs(wave) < 0.3, 0.7, wave)
    return wave + 1j * np.cos(i * 1.3) if dtype.is_complex else wave


def _special(count: int, position: int, dtype: DType) -> np.ndarray[Any, Any]:
    if dtype.kind == "b":
        return _plain("any", position, count, dtype)
    if dtype.kind in "ui":
        limits = iinfo(dtype)
        pool: Any = np.array([limits.min, limits.max, 0, 1, limits.max - 1, limits.min + 1, 2, 5], dtype.numpy)
    else:
        limits_f = finfo(dtype)
        pool = np.array(
            [np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, -1.0, limits_f.tiny, 0.5, -2.5, 1.5, limits_f.eps], np.float64
        )
    return np.asarray(pool[(np.arange(count) * 5 + position * 3) % len(pool)])
