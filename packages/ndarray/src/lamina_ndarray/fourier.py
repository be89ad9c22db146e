"""The Fourier ops as functions of arrays: one axis of an array that has the right dtype and length already."""

from __future__ import annotations

from typing import Any

from lamina_flatarray import DTypeError, ShapeError
from lamina_flatarray.dtype_rules import result_dtypes

from .array import NDArray, empty_of
from .broadcast import normalize_axis
from .layout import Layout

__all__ = ["fft_c2c", "fft_c2r", "fft_r2c"]


def _transformed(op: str, x: NDArray, axis: int, length: int | None, **params: Any) -> NDArray:
    shape = x.layout.shape
    at = normalize_axis(axis, len(shape), op)
    compute, result = result_dtypes(op, x.dtype)
    if compute is not x.dtype:
        raise DTypeError(f"{op}: {x.dtype!r} given; it wants {compute!r}")
    if not shape or shape[at] < 1:
        raise ShapeError(f"{op}: shape {shape} given; it wants at least one item along axis {axis}")
    kernels = x.flat.kernels
    lengths = (*shape[:at], shape[at] if length is None else length, *shape[at + 1 :])
    made = empty_of(kernels.sibling(result), Layout.dense(lengths))
    kernels[op](made, x, axis=at, **params)
    return made


def fft_c2c(x: NDArray, axis: int = -1, inverse: bool = False, scale: float = 1.0) -> NDArray:
    """The discrete Fourier transform of complex items along one axis: `scale` times the sums over j of
    `x[j] exp(-2 pi i j k / n)`, with the other sign if `inverse`.

    Raises:
        DTypeError: x is not complex.
        ShapeError: the axis has no items.
    """
    return _transformed("fft_c2c", x, axis, None, inverse=inverse, scale=scale)


def fft_r2c(x: NDArray, axis: int = -1, scale: float = 1.0) -> NDArray:
    """The first `n // 2 + 1` items of the forward transform of n real items along one axis.

    Raises:
        DTypeError: x is not float32 or float64.
        ShapeError: the axis has no items.
    """
    at = normalize_axis(axis, x.layout.ndim, "fft_r2c")
    return _transformed("fft_r2c", x, at, x.layout.shape[at] // 2 + 1 if x.layout.ndim else None, scale=scale)


def fft_c2r(x: NDArray, axis: int = -1, n: int | None = None, scale: float = 1.0) -> NDArray:
    """The n real items along one axis whose transform begins with x, times `n * scale`: the inverse of `fft_r2c`. n is
    even unless given.

    Raises:
        DTypeError: x is not complex.
        ShapeError: x has not `n // 2 + 1` items along the axis, or n is not positive.
    """
    at = normalize_axis(axis, x.layout.ndim, "fft_c2r")
    have = x.layout.shape[at] if x.layout.ndim else 0
    length = 2 * (have - 1) if n is None else n
    if length < 1 or have != length // 2 + 1:
        raise ShapeError(f"fft_c2r: {have} items along axis {axis} for n = {length}; it wants n // 2 + 1, and n > 0")
    return _transformed("fft_c2r", x, at, length, n=length, scale=scale)
