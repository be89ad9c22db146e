"""Transforms along one axis: of complex items, of real ones, and of those whose other half is the conjugate."""

from __future__ import annotations

from typing import Final

from lamina_flatarray.dtypes import float32, float64

from ..dispatch.namespace import Array, Functions, generic, namespace
from ..layouts.memory_order import laid_in_order
from .lengths import as_complex, as_real, check_norm, fitted, settled, swapped

__all__ = ["fft", "hfft", "ifft", "ihfft", "irfft", "rfft"]

TRANSFORMED: Final = frozenset({float32, float64})
"""The real dtypes that transforms take as they are."""


def _complex(op: str, x: Array, n: int | None, axis: int, norm: str | None, inverse: bool) -> Array:
    xp: Functions[Array] = x.__array_namespace__()
    at, length, fits, scale = settled(op, x.shape, n, axis, norm, inverse)
    if fits and x.dtype.is_complex:
        return xp.fft_c2c(x, at, inverse=inverse, scale=scale)
    operand = x if fits else fitted(op, xp, x, at, length)
    numbers = as_complex(op, xp, operand)
    result = xp.fft_c2c(numbers, at, inverse=inverse, scale=scale)
    others = [axis for axis in range(x.ndim) if axis != at]
    order = xp.outermost_first(operand, others)
    if order == xp.outermost_first(numbers, others):
        return result
    return laid_in_order(xp, result, (*order, at))  # what is repeated lies further inside in PyTorch's result than in a complex copy


def _from_real(op: str, x: Array, n: int | None, axis: int, norm: str | None) -> Array:
    xp: Functions[Array] = x.__array_namespace__()
    at, length, fits, scale = settled(op, x.shape, n, axis, norm, False)
    if x.dtype not in TRANSFORMED:
        x = as_real(op, xp, x)
    return xp.fft_r2c(x if fits else fitted(op, xp, x, at, length), at, scale=scale)


def _to_real(op: str, x: Array, n: int | None, axis: int, norm: str | None, inverse: bool) -> Array:
    xp: Functions[Array] = x.__array_namespace__()
    at, length, fits, scale = settled(op, x.shape, n, axis, norm, inverse, True)
    if not (fits and x.dtype.is_complex):
        x = fitted(op, xp, as_complex(op, xp, x), at, length // 2 + 1)
    return xp.fft_c2r(x if inverse else xp.conj(x), at, n=length, scale=scale)


@generic
def fft(x: Array, n: int | None = None, axis: int = -1, norm: str | None = None) -> Array:
    """Compute the discrete Fourier transform along an axis: `X[k] = sum over j of x[j] exp(-2 pi i j k / n)`.

    Args:
        x: real or complex; integers are taken in the default dtype.
        n: how many items to transform: x is cut, or padded with zeros, to this length; None for all.
        axis: the axis to transform along.
        norm: the factor: "backward" for none, "forward" for 1 / n, "ortho" for 1 / sqrt(n). None is "backward".

    Returns:
        A complex array of x's shape, with n items along the axis: complex64 of float32.

    Raises:
        ShapeError: n is not positive, or there is no such norm.
        DTypeError: x has 16 bits.
        IndexOutOfRange: there is no such axis; x is 0-d.

    >>> nd.fft.fft(nd.asarray([1.0, 2.0, 3.0, 4.0]))
    NDArray([10.+0.j, -2.+2.j, -2.+0.j, -2.-2.j])
    """
    return _complex("fft", x, n, axis, norm, False)


@generic
def ifft(x: Array, n: int | None = None, axis: int = -1, norm: str | None = None) -> Array:
    """Compute the inverse discrete Fourier transform along an axis: `x[j] = 1 / n sum over k of X[k] exp(2 pi i j k / n)`.

    Args:
        x: real or complex; integers are taken in the default dtype.
        n: how many items to transform: x is cut, or padded with zeros, to this length; None for all.
        axis: the axis to transform along.
        norm: the factor: "backward" for 1 / n, "forward" for none, "ortho" for 1 / sqrt(n). None is "backward".

    Returns:
        A complex array of x's shape, with n items along the axis: complex64 of float32.

    Raises:
        ShapeError: n is not positive, or there is no such norm.
        DTypeError: x has 16 bits.
        IndexOutOfRange: there is no such axis; x is 0-d.

    >>> nd.fft.ifft(nd.asarray([10 + 0j, -2 + 2j, -2 + 0j, -2 - 2j]))
    NDArray([1.+0.j, 2.+0.j, 3.+0.j, 4.+0.j])
    """
    return _complex("ifft", x, n, axis, norm, True)


@generic
def rfft(x: Array, n: int | None = None, axis: int = -1, norm: str | None = None) -> Array:
    """Compute the discrete Fourier transform of real items along an axis, its first half only.

    The items that are left out are conjugates of those that are returned: `X[n - k] = conj(X[k])`.

    Args:
        x: real; integers are taken in the default dtype.
        n: how many items to transform: x is cut, or padded with zeros, to this length; None for all.
        axis: the axis to transform along.
        norm: the factor: "backward" for none, "forward" for 1 / n, "ortho" for 1 / sqrt(n). None is "backward".

    Returns:
        A complex array of x's shape, with `n // 2 + 1` items along the axis: complex64 of float32.

    Raises:
        ShapeError: n is not positive, or there is no such norm.
        DTypeError: x is complex or has 16 bits.
        IndexOutOfRange: there is no such axis; x is 0-d.

    >>> nd.fft.rfft(nd.asarray([1.0, 2.0, 3.0, 4.0]))
    NDArray([10.+0.j, -2.+2.j, -2.+0.j])
    """
    return _from_real("rfft", x, n, axis, norm)


@generic
def irfft(x: Array, n: int | None = None, axis: int = -1, norm: str | None = None) -> Array:
    """Compute the inverse of `rfft`: the real items whose transform begins with x.

    Args:
        x: the first half of a spectrum, real or complex.
        n: how many real items to return; by default `2 (m - 1)` for m items along the axis. x is cut or padded to `n // 2 + 1`.
        axis: the axis to transform along.
        norm: the factor: "backward" for 1 / n, "forward" for none, "ortho" for 1 / sqrt(n). None is "backward".

    Returns:
        A real array of x's shape, with n items along the axis: float32 of complex64.

    Raises:
        ShapeError: n is not positive, or there is no such norm.
        DTypeError: x has 16 bits.
        IndexOutOfRange: there is no such axis; x is 0-d.

    >>> nd.fft.irfft(nd.asarray([10 + 0j, -2 + 2j, -2 + 0j]))
    NDArray([1., 2., 3., 4.])
    """
    return _to_real("irfft", x, n, axis, norm, True)


@generic
def hfft(x: Array, n: int | None = None, axis: int = -1, norm: str | None = None) -> Array:
    """Compute the discrete Fourier transform, which is real, of items of which the second half mirrors the conjugates of the first.

    Args:
        x: the first half of the items, real or complex.
        n: how many real items to return; by default `2 (m - 1)` for m items along the axis. x is cut or padded to `n // 2 + 1`.
        axis: the axis to transform along.
        norm: the factor: "backward" for none, "forward" for 1 / n, "ortho" for 1 / sqrt(n). None is "backward".

    Returns:
        A real array of x's shape, with n items along the axis: float32 of complex64.

    Raises:
        ShapeError: n is not positive, or there is no such norm.
        DTypeError: x has 16 bits.
        IndexOutOfRange: there is no such axis; x is 0-d.

    >>> nd.fft.hfft(nd.asarray([10 + 0j, -2 + 2j, -2 + 0j]))
    NDArray([ 4., 16., 12.,  8.])
    """
    return _to_real("hfft", x, n, axis, norm, False)


@generic
def ihfft(x: Array, n: int | None = None, axis: int = -1, norm: str | None = None) -> Array:
    """Compute the inverse of `hfft`: the first half of the inverse transform of real items.

    The items that are left out are conjugates of those that are returned.

    Args:
        x: real; integers are taken in the default dtype.
        n: how many items to transform: x is cut, or padded with zeros, to this length; None for all.
        axis: the axis to transform along.
        norm: the factor: "backward" for 1 / n, "forward" for none, "ortho" for 1 / sqrt(n). None is "backward".

    Returns:
        A complex array of x's shape, with `n // 2 + 1` items along the axis: complex64 of float32.

    Raises:
        ShapeError: n is not positive, or there is no such norm.
        DTypeError: x is complex or has 16 bits.
        IndexOutOfRange: there is no such axis; x is 0-d.

    >>> nd.fft.ihfft(nd.asarray([1.0, 2.0, 3.0, 4.0]))
    NDArray([ 2.5000-0.0000j, -0.5000-0.5000j, -0.5000-0.0000j])
    """
    spectrum = _from_real("ihfft", x, n, axis, swapped(check_norm("ihfft", norm)))
    return namespace(spectrum).conj(spectrum)
