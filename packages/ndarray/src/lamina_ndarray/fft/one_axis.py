"""Transforms along one axis: of complex items, of real ones, and of those whose other half is the conjugate."""

from __future__ import annotations

from typing import Any

from lamina_flatarray import IndexOutOfRange, ShapeError

from ..broadcast import normalize_axis
from ..namespace import composite, namespace
from .lengths import as_complex, as_real, check_norm, fitted, scale_of, swapped

__all__ = ["fft", "hfft", "ifft", "ihfft", "irfft", "rfft"]


def _axis(op: str, x: Any, axis: int) -> int:
    if not x.ndim:
        raise IndexOutOfRange(f"{op}: Dimension specified as {axis} but tensor has no dimensions")
    return normalize_axis(axis, x.ndim, op)


def _complex(op: str, x: Any, n: int | None, axis: int, norm: str | None, inverse: bool) -> Any:
    xp = namespace(x)
    norm, at = check_norm(op, norm), _axis(op, x, axis)
    length = x.shape[at] if n is None else n
    x = as_complex(op, xp, fitted(op, xp, x, at, length))
    return xp.fft_c2c(x, at, inverse=inverse, scale=scale_of(norm, (length,), inverse))


def _from_real(op: str, x: Any, n: int | None, axis: int, norm: str, inverse: bool) -> Any:
    xp = namespace(x)
    at = _axis(op, x, axis)
    length = x.shape[at] if n is None else n
    x = fitted(op, xp, as_real(op, xp, x), at, length)
    return xp.fft_r2c(x, at, scale=scale_of(norm, (length,), inverse))


def _to_real(op: str, x: Any, n: int | None, axis: int, norm: str, inverse: bool) -> Any:
    xp = namespace(x)
    at = _axis(op, x, axis)
    length = 2 * (x.shape[at] - 1) if n is None else n
    if length < 1:
        raise ShapeError(f"{op}: Invalid number of data points ({length}) specified; it wants 1 or more")
    x = fitted(op, xp, as_complex(op, xp, x), at, length // 2 + 1)
    x = x if inverse else xp.conj(x)
    return xp.fft_c2r(x, at, n=length, scale=scale_of(norm, (length,), inverse))


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
    return _from_real("rfft", x, n, axis, check_norm("rfft", norm), False)


@composite
def irfft(x: Any, n: int | None = None, axis: int = -1, norm: str | None = None) -> Any:
    """The inverse of `rfft`: n real items, by default twice as many as x has, less 2. Errors as `fft`."""
    return _to_real("irfft", x, n, axis, check_norm("irfft", norm), True)


@composite
def hfft(x: Any, n: int | None = None, axis: int = -1, norm: str | None = None) -> Any:
    """The n real items of the forward transform of x and its mirrored conjugate. Errors as `fft`."""
    return _to_real("hfft", x, n, axis, check_norm("hfft", norm), False)


@composite
def ihfft(x: Any, n: int | None = None, axis: int = -1, norm: str | None = None) -> Any:
    """The inverse of `hfft`: the first `n // 2 + 1` items of the inverse transform of real ones. Errors as `rfft`."""
    made = _from_real("ihfft", x, n, axis, swapped(check_norm("ihfft", norm)), False)
    return namespace(made).conj(made)
