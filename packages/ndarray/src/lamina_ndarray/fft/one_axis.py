"""Transforms along one axis: of complex items, of real ones, and of those whose other half is the conjugate."""

from __future__ import annotations

from typing import Any, Final

from lamina_flatarray.dtypes import float32, float64

from ..dispatch.namespace import composite, namespace
from .lengths import as_complex, as_real, check_norm, fitted, settled, swapped

__all__ = ["fft", "hfft", "ifft", "ihfft", "irfft", "rfft"]

TRANSFORMED: Final = frozenset({float32, float64})
"""The real dtypes that transforms take as they are."""


def _complex(op: str, x: Any, n: int | None, axis: int, norm: str | None, inverse: bool) -> Any:
    xp = x.__array_namespace__()
    at, length, fits, scale = settled(op, x.shape, n, axis, norm, inverse)
    if not (fits and x.dtype.is_complex):
        x = as_complex(op, xp, x if fits else fitted(op, xp, x, at, length))
    return xp.fft_c2c(x, at, inverse=inverse, scale=scale)


def _from_real(op: str, x: Any, n: int | None, axis: int, norm: str | None) -> Any:
    xp = x.__array_namespace__()
    at, length, fits, scale = settled(op, x.shape, n, axis, norm, False)
    if x.dtype not in TRANSFORMED:
        x = as_real(op, xp, x)
    return xp.fft_r2c(x if fits else fitted(op, xp, x, at, length), at, scale=scale)


def _to_real(op: str, x: Any, n: int | None, axis: int, norm: str | None, inverse: bool) -> Any:
    xp = x.__array_namespace__()
    at, length, fits, scale = settled(op, x.shape, n, axis, norm, inverse, True)
    if not (fits and x.dtype.is_complex):
        x = fitted(op, xp, as_complex(op, xp, x), at, length // 2 + 1)
    return xp.fft_c2r(x if inverse else xp.conj(x), at, n=length, scale=scale)


@composite
def fft(x: Any, n: int | None = None, axis: int = -1, norm: str | None = None) -> Any:
    """The discrete Fourier transform along an axis: sums over j of `x[j] exp(-2 pi i j k / n)`. complex64 of float32.

    Args:
        x: real or complex; integers are taken in the default dtype.
        n: how many items to take, zeros behind the last; all by default.
        axis: along which.
        norm: "backward" (the default, no factor), "forward" (1 / n) or "ortho" (1 / sqrt(n)).

    Raises:
        ShapeError: n is not positive, or there is no such norm.
        DTypeError: x has 16 bits.
        IndexOutOfRange: there is no such axis; x is 0-d.
    """
    return _complex("fft", x, n, axis, norm, False)


@composite
def ifft(x: Any, n: int | None = None, axis: int = -1, norm: str | None = None) -> Any:
    """The inverse of `fft`: by default the factor is 1 / n. Arguments and errors as there."""
    return _complex("ifft", x, n, axis, norm, True)


@composite
def rfft(x: Any, n: int | None = None, axis: int = -1, norm: str | None = None) -> Any:
    """The first `n // 2 + 1` items of the transform of real ones; the others are their conjugates.

    Raises:
        DTypeError: x is complex or has 16 bits. Otherwise as `fft`.
    """
    return _from_real("rfft", x, n, axis, norm)


@composite
def irfft(x: Any, n: int | None = None, axis: int = -1, norm: str | None = None) -> Any:
    """The inverse of `rfft`: n real items, by default twice as many as x has, less 2. Errors as `fft`."""
    return _to_real("irfft", x, n, axis, norm, True)


@composite
def hfft(x: Any, n: int | None = None, axis: int = -1, norm: str | None = None) -> Any:
    """The n real items of the forward transform of x and its mirrored conjugate. Errors as `fft`."""
    return _to_real("hfft", x, n, axis, norm, False)


@composite
def ihfft(x: Any, n: int | None = None, axis: int = -1, norm: str | None = None) -> Any:
    """The inverse of `hfft`: the first `n // 2 + 1` items of the inverse transform of real ones. Errors as `rfft`."""
    made = _from_real("ihfft", x, n, axis, swapped(check_norm("ihfft", norm)))
    return namespace(made).conj(made)
