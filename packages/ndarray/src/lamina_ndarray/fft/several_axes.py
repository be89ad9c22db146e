"""Transforms along several axes: one after the other, with the factor of them all in the last."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lamina_flatarray import ShapeError

from ..broadcast import normalize_axis
from ..namespace import composite, namespace
from .lengths import as_complex, as_real, check_norm, fitted, scale_of, swapped

__all__ = ["fft2", "fftn", "hfft2", "hfftn", "ifft2", "ifftn", "ihfft2", "ihfftn", "irfft2", "irfftn", "rfft2", "rfftn"]

Axes = Sequence[int] | int | None
Lengths = Sequence[int] | int | None


def _plan(op: str, x: Any, s: Lengths, axes: Axes, half: bool = False) -> tuple[list[int], list[int]]:
    """Which axes, and how many items of each; -1 and None take all. With `half`, x has only `n // 2 + 1` of the last."""
    ndim = x.ndim
    s = [s] if isinstance(s, int) else s
    if axes is None:
        if s is not None and len(s) > ndim:
            raise ShapeError(f"{op}: Got shape with {len(s)} values but input tensor only has {ndim} dimensions")
        found = list(range(ndim) if s is None else range(ndim - len(s), ndim))
    else:
        found = [normalize_axis(axis, ndim, op) for axis in ([axes] if isinstance(axes, int) else axes)]
        if len(set(found)) != len(found):
            raise ShapeError(f"{op}: FFT dims must be unique; {tuple(found)} given")
    if s is not None and len(s) != len(found):
        raise ShapeError(f"{op}: When given, dim and shape arguments must have the same length; {axes} and {s} given")
    lengths = [x.shape[axis] for axis in found]
    if half and lengths:
        lengths[-1] = 2 * (lengths[-1] - 1)
    if s is not None:
        lengths = [have if n in (-1, None) else n for have, n in zip(lengths, s, strict=True)]
    for axis, n in zip(found, lengths, strict=True):
        if n < 1:
            raise ShapeError(f"{op}: Invalid number of data points ({n}) specified along axis {axis}")
    return found, lengths


def _check_some(op: str, axes: list[int]) -> None:
    if not axes:
        raise ShapeError(f"{op}: must transform at least one axis")


def _complex(op: str, x: Any, s: Lengths, axes: Axes, norm: str | None, inverse: bool) -> Any:
    xp = namespace(x)
    scale_as = check_norm(op, norm)
    found, lengths = _plan(op, x, s, axes)
    for axis, n in zip(found, lengths, strict=True):
        x = fitted(op, xp, x, axis, n)
    x = as_complex(op, xp, x)
    for i, axis in enumerate(found, 1):
        scale = scale_of(scale_as, lengths, inverse) if i == len(found) else 1.0
        x = xp.fft_c2c(x, axis, inverse=inverse, scale=scale)
    return x


def _from_real(op: str, x: Any, s: Lengths, axes: Axes, norm: str) -> Any:
    xp = namespace(x)
    x = as_real(op, xp, x)
    found, lengths = _plan(op, x, s, axes)
    _check_some(op, found)
    for axis, n in zip(found, lengths, strict=True):
        x = fitted(op, xp, x, axis, n)
    x = xp.fft_r2c(x, found[-1], scale=scale_of(norm, lengths, False))
    for axis in found[:-1]:
        x = xp.fft_c2c(x, axis)
    return x


def _to_real(op: str, x: Any, s: Lengths, axes: Axes, norm: str, inverse: bool) -> Any:
    xp = namespace(x)
    found, lengths = _plan(op, x, s, axes, half=True)
    _check_some(op, found)
    x = as_complex(op, xp, x)
    for axis, n in zip(found[:-1], lengths[:-1], strict=True):
        x = xp.fft_c2c(fitted(op, xp, x, axis, n), axis, inverse=inverse)
    x = fitted(op, xp, x, found[-1], lengths[-1] // 2 + 1)
    x = x if inverse else xp.conj(x)
    return xp.fft_c2r(x, found[-1], n=lengths[-1], scale=scale_of(norm, lengths, inverse))


@composite
def fftn(x: Any, s: Lengths = None, axes: Axes = None, norm: str | None = None) -> Any:
    """The discrete Fourier transform along several axes.

    Args:
        x: real or complex; integers are taken in the default dtype.
        s: how many items of each axis to take, zeros behind the last; -1 for all, as by default.
        axes: along which; by default all, or the last ones, as many as s has lengths.
        norm: "backward" (the default, no factor), "forward" (1 / n, n being the product of the lengths) or "ortho"
            (1 / sqrt(n)).

    Raises:
        ShapeError: s and axes differ in number, an axis comes twice, a length is not positive, or there is no such norm.
        DTypeError: x has 16 bits.
        IndexOutOfRange: there is no such axis.
    """
    return _complex("fftn", x, s, axes, norm, False)


@composite
def ifftn(x: Any, s: Lengths = None, axes: Axes = None, norm: str | None = None) -> Any:
    """The inverse of `fftn`: by default the factor is 1 / n. Arguments and errors as there."""
    return _complex("ifftn", x, s, axes, norm, True)


@composite
def rfftn(x: Any, s: Lengths = None, axes: Axes = None, norm: str | None = None) -> Any:
    """As `fftn` of real items, but with only the first `n // 2 + 1` items of the last of the axes: the others are
    conjugates.

    Raises:
        DTypeError: x is complex or has 16 bits. Otherwise as `fftn`; and there must be an axis.
    """
    return _from_real("rfftn", x, s, axes, check_norm("rfftn", norm))


@composite
def irfftn(x: Any, s: Lengths = None, axes: Axes = None, norm: str | None = None) -> Any:
    """The inverse of `rfftn`: real items, along the last of the axes by default twice as many as x has, less 2. Errors
    as `fftn`; and there must be an axis."""
    return _to_real("irfftn", x, s, axes, check_norm("irfftn", norm), True)


@composite
def hfftn(x: Any, s: Lengths = None, axes: Axes = None, norm: str | None = None) -> Any:
    """The real items of the forward transform of x, of which the half is given that is not the conjugate of the other.
    Lengths and errors as `irfftn`."""
    return _to_real("hfftn", x, s, axes, check_norm("hfftn", norm), False)


@composite
def ihfftn(x: Any, s: Lengths = None, axes: Axes = None, norm: str | None = None) -> Any:
    """The inverse of `hfftn`, of real items. Lengths and errors as `rfftn`."""
    made = _from_real("ihfftn", x, s, axes, swapped(check_norm("ihfftn", norm)))
    return namespace(made).conj(made)


@composite
def fft2(x: Any, s: Lengths = None, axes: Axes = (-2, -1), norm: str | None = None) -> Any:
    """`fftn` along the last two axes."""
    return _complex("fft2", x, s, axes, norm, False)


@composite
def ifft2(x: Any, s: Lengths = None, axes: Axes = (-2, -1), norm: str | None = None) -> Any:
    """`ifftn` along the last two axes."""
    return _complex("ifft2", x, s, axes, norm, True)


@composite
def rfft2(x: Any, s: Lengths = None, axes: Axes = (-2, -1), norm: str | None = None) -> Any:
    """`rfftn` along the last two axes."""
    return _from_real("rfft2", x, s, axes, check_norm("rfft2", norm))


@composite
def irfft2(x: Any, s: Lengths = None, axes: Axes = (-2, -1), norm: str | None = None) -> Any:
    """`irfftn` along the last two axes."""
    return _to_real("irfft2", x, s, axes, check_norm("irfft2", norm), True)


@composite
def hfft2(x: Any, s: Lengths = None, axes: Axes = (-2, -1), norm: str | None = None) -> Any:
    """`hfftn` along the last two axes."""
    return _to_real("hfft2", x, s, axes, check_norm("hfft2", norm), False)


@composite
def ihfft2(x: Any, s: Lengths = None, axes: Axes = (-2, -1), norm: str | None = None) -> Any:
    """`ihfftn` along the last two axes."""
    made = _from_real("ihfft2", x, s, axes, swapped(check_norm("ihfft2", norm)))
    return namespace(made).conj(made)
