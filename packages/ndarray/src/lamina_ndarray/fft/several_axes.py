"""Transforms along several axes: one after the other, with the factor of them all in the last.

The axis with the longest steps comes first: each transform leaves its axis innermost, so that results lie in memory as PyTorch's do.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from operator import index as as_int

from lamina_flatarray import ShapeError

from ..dispatch.namespace import Array, generic, namespace
from ..layouts.broadcast import normalize_axis
from .lengths import as_complex, as_real, check_norm, fitted, scale_of, swapped

__all__ = ["fft2", "fftn", "hfft2", "hfftn", "ifft2", "ifftn", "ihfft2", "ihfftn", "irfft2", "irfftn", "rfft2", "rfftn"]

Axes = Sequence[int] | int | None
Lengths = Sequence[int] | int | None


Plan = tuple[tuple[int, ...], tuple[tuple[int, int], ...], bool, float]


@lru_cache(4096, typed=True)
def _settled(
    op: str, shape: tuple[int, ...], s: tuple[int, ...] | None, axes: tuple[int, ...] | None, norm: str | None, inverse: bool, half: bool
) -> Plan:
    """Which axes, and with how many items of each; whether these are all that there are; and what the last transform multiplies by.
    -1 and None take all. With `half`, x has only `n // 2 + 1` of the last.

    Raises:
        ShapeError: s and axes differ in number, an axis comes twice, a length is not positive, or there is no such norm.
        IndexOutOfRange: there is no such axis.
    """
    norm, ndim = check_norm(op, norm), len(shape)
    if axes is None:
        if s is not None and len(s) > ndim:
            raise ShapeError(f"{op}: Got shape with {len(s)} values but input tensor only has {ndim} dimensions")
        dims = list(range(ndim) if s is None else range(ndim - len(s), ndim))
    else:
        dims = [normalize_axis(axis, ndim, op) for axis in axes]
        if len(set(dims)) != len(dims):
            raise ShapeError(f"{op}: FFT dims must be unique; {tuple(dims)} given")
    if s is not None and len(s) != len(dims):
        raise ShapeError(f"{op}: When given, dim and shape arguments must have the same length; {axes} and {s} given")
    lengths = [shape[axis] for axis in dims]
    if half and lengths:
        lengths[-1] = 2 * (lengths[-1] - 1)
    if s is not None:
        lengths = [have if n in (-1, None) else as_int(n) for have, n in zip(lengths, s, strict=True)]
    for axis, n in zip(dims, lengths, strict=True):
        if n < 1:
            raise ShapeError(f"{op}: Invalid number of data points ({n}) specified along axis {axis}")
    input_lengths = [*lengths[:-1], lengths[-1] // 2 + 1] if half and lengths else lengths
    fits = all(shape[axis] == n for axis, n in zip(dims, input_lengths, strict=True))
    return tuple(dims), tuple(zip(dims, lengths, strict=True)), fits, scale_of(norm, lengths, inverse)


def _plan(op: str, x: Array, s: Lengths, axes: Axes, norm: str | None, inverse: bool, half: bool = False) -> Plan:
    s = (s,) if isinstance(s, int) else s if s is None else tuple(s)
    axes = (axes,) if isinstance(axes, int) else axes if axes is None else tuple(axes)
    return _settled(op, x.shape, s, axes, norm, inverse, half)


def _check_some(op: str, axes: tuple[tuple[int, int], ...]) -> None:
    if not axes:
        raise ShapeError(f"{op}: must transform at least one axis")


def _complex(op: str, x: Array, s: Lengths, axes: Axes, norm: str | None, inverse: bool) -> Array:
    xp = namespace(x)
    dims, axis_lengths, fits, scale = _plan(op, x, s, axes, norm, inverse)
    if not fits:
        for axis, n in axis_lengths:
            x = fitted(op, xp, x, axis, n)
    if not x.dtype.is_complex:
        x = as_complex(op, xp, x)
    order = xp.outermost_first(x, dims)
    for i, axis in enumerate(order, 1):
        x = xp.fft_c2c(x, axis, inverse=inverse, scale=scale if i == len(order) else 1.0)
    return x


def _from_real(op: str, x: Array, s: Lengths, axes: Axes, norm: str | None) -> Array:
    """The half transform along the last axis, then those along the others."""
    xp = namespace(x)
    x = as_real(op, xp, x)
    dims, axis_lengths, fits, scale = _plan(op, x, s, axes, norm, False)
    _check_some(op, axis_lengths)
    if not fits:
        for axis, n in axis_lengths:
            x = fitted(op, xp, x, axis, n)
    x = xp.fft_r2c(x, dims[-1], scale=scale)
    for axis in xp.outermost_first(x, dims[:-1]):
        x = xp.fft_c2c(x, axis)
    return x


def _last_innermost(x: Array, spectrum: Array, s: Lengths, axes: Axes) -> Array:
    """The half transform of x along several axes, in PyTorch's order of memory: of axes that are not transformed, of those that are,
    and of these the last one innermost."""
    xp = namespace(x)
    if axes is None:
        axes = range(x.ndim) if s is None else range(x.ndim - (1 if isinstance(s, int) else len(s)), x.ndim)
    transformed = [axis % x.ndim for axis in ((axes,) if isinstance(axes, int) else axes)]
    if len(transformed) < 2:
        return spectrum
    rest = [axis for axis in range(x.ndim) if axis not in transformed]
    order = (*xp.outermost_first(x, rest), *xp.outermost_first(x, transformed[:-1]), transformed[-1])
    if xp.outermost_first(spectrum, order) == order:
        return spectrum
    return xp.permute(xp.contiguous(xp.permute(spectrum, order)), [order.index(axis) for axis in range(x.ndim)])


def _to_real(op: str, x: Array, s: Lengths, axes: Axes, norm: str | None, inverse: bool) -> Array:
    xp = namespace(x)
    dims, axis_lengths, fits, scale = _plan(op, x, s, axes, norm, inverse, half=True)
    _check_some(op, axis_lengths)
    if not x.dtype.is_complex:
        x = as_complex(op, xp, x)
    last, length = axis_lengths[-1]
    if not fits:
        for axis, n in axis_lengths[:-1]:
            x = fitted(op, xp, x, axis, n)
        x = fitted(op, xp, x, last, length // 2 + 1)
    for axis in xp.outermost_first(x, dims[:-1]):
        x = xp.fft_c2c(x, axis, inverse=inverse)
    return xp.fft_c2r(x if inverse else xp.conj(x), last, n=length, scale=scale)


@generic
def fftn(x: Array, s: Lengths = None, axes: Axes = None, norm: str | None = None) -> Array:
    """Compute the n-dimensional discrete Fourier transform: `fft` along each of several axes.

    Args:
        x: real or complex; integers are taken in the default dtype.
        s: one length per axis: x is cut, or padded with zeros, to these; -1 or None for all that there are.
        axes: the axes to transform along; by default all, or the last ones, as many as s has lengths.
        norm: the factor: "backward" for none, "forward" for 1 / n, "ortho" for 1 / sqrt(n). None is "backward"; n is the
            product of the lengths.

    Returns:
        A complex array of x's shape, but with the lengths of s: complex64 of float32.

    Raises:
        ShapeError: s and axes differ in number, an axis comes twice, a length is not positive, or there is no such norm.
        DTypeError: x has 16 bits.
        IndexOutOfRange: there is no such axis.

    >>> nd.fft.fftn(nd.asarray([[1.0, 2.0], [3.0, 4.0]]))
    NDArray([[10.+0.j, -2.+0.j],
             [-4.+0.j,  0.+0.j]])
    """
    return _complex("fftn", x, s, axes, norm, False)


@generic
def ifftn(x: Array, s: Lengths = None, axes: Axes = None, norm: str | None = None) -> Array:
    """Compute the inverse of `fftn`: `ifft` along each of several axes.

    Args:
        x: real or complex; integers are taken in the default dtype.
        s: one length per axis: x is cut, or padded with zeros, to these; -1 or None for all that there are.
        axes: the axes to transform along; by default all, or the last ones, as many as s has lengths.
        norm: the factor: "backward" for 1 / n, "forward" for none, "ortho" for 1 / sqrt(n). None is "backward"; n is the
            product of the lengths.

    Returns:
        A complex array of x's shape, but with the lengths of s: complex64 of float32.

    Raises:
        ShapeError: s and axes differ in number, an axis comes twice, a length is not positive, or there is no such norm.
        DTypeError: x has 16 bits.
        IndexOutOfRange: there is no such axis.

    >>> nd.fft.ifftn(nd.fft.fftn(nd.asarray([[1.0, 2.0], [3.0, 4.0]])))
    NDArray([[1.+0.j, 2.+0.j],
             [3.+0.j, 4.+0.j]])
    """
    return _complex("ifftn", x, s, axes, norm, True)


@generic
def rfftn(x: Array, s: Lengths = None, axes: Axes = None, norm: str | None = None) -> Array:
    """Compute the n-dimensional discrete Fourier transform of real items, its first half along the last axis only.

    The items that are left out are conjugates of those that are returned.

    Args:
        x: real; integers are taken in the default dtype.
        s: one length per axis: x is cut, or padded with zeros, to these; -1 or None for all that there are.
        axes: the axes to transform along; by default all, or the last ones, as many as s has lengths.
        norm: the factor: "backward" for none, "forward" for 1 / n, "ortho" for 1 / sqrt(n). None is "backward"; n is the
            product of the lengths.

    Returns:
        A complex array of x's shape, but with the lengths n of s, and `n // 2 + 1` items along the last axis: complex64 of float32.

    Raises:
        ShapeError: s and axes differ in number, there is no axis or one comes twice, a length is not positive, or there is no such norm.
        DTypeError: x is complex or has 16 bits.
        IndexOutOfRange: there is no such axis.

    >>> nd.fft.rfftn(nd.ones((2, 4)))
    NDArray([[8.+0.j, 0.+0.j, 0.+0.j],
             [0.+0.j, 0.+0.j, 0.+0.j]])
    """
    return _last_innermost(x, _from_real("rfftn", x, s, axes, norm), s, axes)


@generic
def irfftn(x: Array, s: Lengths = None, axes: Axes = None, norm: str | None = None) -> Array:
    """Compute the inverse of `rfftn`: the real items whose transform begins with x along the last of several axes.

    Args:
        x: the first half of a spectrum along the last axis, real or complex.
        s: one length of the result per axis; -1 or None for all that there are, and of the last axis for `2 (m - 1)`, m being
            how many items x has there.
        axes: the axes to transform along; by default all, or the last ones, as many as s has lengths.
        norm: the factor: "backward" for 1 / n, "forward" for none, "ortho" for 1 / sqrt(n). None is "backward"; n is the
            product of the lengths.

    Returns:
        A real array of x's shape, but with the lengths of s: float32 of complex64.

    Raises:
        ShapeError: s and axes differ in number, there is no axis or one comes twice, a length is not positive, or there is no such norm.
        DTypeError: x has 16 bits.
        IndexOutOfRange: there is no such axis.

    >>> nd.fft.irfftn(nd.fft.rfftn(nd.asarray([[1.0, 2.0], [3.0, 4.0]])))
    NDArray([[1., 2.],
             [3., 4.]])
    """
    return _to_real("irfftn", x, s, axes, norm, True)


@generic
def hfftn(x: Array, s: Lengths = None, axes: Axes = None, norm: str | None = None) -> Array:
    """Compute the n-dimensional discrete Fourier transform, which is real, of items that are the conjugates of their mirror images.

    Along the last axis, x holds the first half of them.

    Args:
        x: the first half of the items along the last axis, real or complex.
        s: one length of the result per axis; -1 or None for all that there are, and of the last axis for `2 (m - 1)`, m being
            how many items x has there.
        axes: the axes to transform along; by default all, or the last ones, as many as s has lengths.
        norm: the factor: "backward" for none, "forward" for 1 / n, "ortho" for 1 / sqrt(n). None is "backward"; n is the
            product of the lengths.

    Returns:
        A real array of x's shape, but with the lengths of s: float32 of complex64.

    Raises:
        ShapeError: s and axes differ in number, there is no axis or one comes twice, a length is not positive, or there is no such norm.
        DTypeError: x has 16 bits.
        IndexOutOfRange: there is no such axis.

    >>> nd.fft.hfftn(nd.fft.ihfftn(nd.asarray([[1.0, 2.0], [3.0, 4.0]])))
    NDArray([[1., 2.],
             [3., 4.]])
    """
    return _to_real("hfftn", x, s, axes, norm, False)


@generic
def ihfftn(x: Array, s: Lengths = None, axes: Axes = None, norm: str | None = None) -> Array:
    """Compute the inverse of `hfftn`: the first half, along the last of several axes, of the inverse transform of real items.

    The items that are left out are conjugates of those that are returned.

    Args:
        x: real; integers are taken in the default dtype.
        s: one length per axis: x is cut, or padded with zeros, to these; -1 or None for all that there are.
        axes: the axes to transform along; by default all, or the last ones, as many as s has lengths.
        norm: the factor: "backward" for 1 / n, "forward" for none, "ortho" for 1 / sqrt(n). None is "backward"; n is the
            product of the lengths.

    Returns:
        A complex array of x's shape, but with the lengths n of s, and `n // 2 + 1` items along the last axis: complex64 of float32.

    Raises:
        ShapeError: s and axes differ in number, there is no axis or one comes twice, a length is not positive, or there is no such norm.
        DTypeError: x is complex or has 16 bits.
        IndexOutOfRange: there is no such axis.

    >>> nd.fft.ihfftn(nd.ones((2, 4))).shape
    (2, 3)
    """
    spectrum = _from_real("ihfftn", x, s, axes, swapped(check_norm("ihfftn", norm)))
    return namespace(spectrum).conj(spectrum)


@generic
def fft2(x: Array, s: Lengths = None, axes: Axes = (-2, -1), norm: str | None = None) -> Array:
    """Compute the two-dimensional discrete Fourier transform: `fft` along each of two axes.

    Args:
        x: real or complex; integers are taken in the default dtype.
        s: one length per axis: x is cut, or padded with zeros, to these; -1 or None for all that there are.
        axes: the two axes to transform along; by default the last ones.
        norm: the factor: "backward" for none, "forward" for 1 / n, "ortho" for 1 / sqrt(n). None is "backward"; n is the
            product of the lengths.

    Returns:
        A complex array of x's shape, but with the lengths of s: complex64 of float32.

    Raises:
        ShapeError: s and axes differ in number, an axis comes twice, a length is not positive, or there is no such norm.
        DTypeError: x has 16 bits.
        IndexOutOfRange: there is no such axis.

    >>> nd.fft.fft2(nd.asarray([[1.0, 2.0], [3.0, 4.0]]))
    NDArray([[10.+0.j, -2.+0.j],
             [-4.+0.j,  0.+0.j]])
    """
    return _complex("fft2", x, s, axes, norm, False)


@generic
def ifft2(x: Array, s: Lengths = None, axes: Axes = (-2, -1), norm: str | None = None) -> Array:
    """Compute the inverse of `fft2`: `ifft` along each of two axes.

    Args:
        x: real or complex; integers are taken in the default dtype.
        s: one length per axis: x is cut, or padded with zeros, to these; -1 or None for all that there are.
        axes: the two axes to transform along; by default the last ones.
        norm: the factor: "backward" for 1 / n, "forward" for none, "ortho" for 1 / sqrt(n). None is "backward"; n is the
            product of the lengths.

    Returns:
        A complex array of x's shape, but with the lengths of s: complex64 of float32.

    Raises:
        ShapeError: s and axes differ in number, an axis comes twice, a length is not positive, or there is no such norm.
        DTypeError: x has 16 bits.
        IndexOutOfRange: there is no such axis.

    >>> nd.fft.ifft2(nd.fft.fft2(nd.asarray([[1.0, 2.0], [3.0, 4.0]])))
    NDArray([[1.+0.j, 2.+0.j],
             [3.+0.j, 4.+0.j]])
    """
    return _complex("ifft2", x, s, axes, norm, True)


@generic
def rfft2(x: Array, s: Lengths = None, axes: Axes = (-2, -1), norm: str | None = None) -> Array:
    """Compute the two-dimensional discrete Fourier transform of real items, its first half along the last axis only.

    The items that are left out are conjugates of those that are returned.

    Args:
        x: real; integers are taken in the default dtype.
        s: one length per axis: x is cut, or padded with zeros, to these; -1 or None for all that there are.
        axes: the two axes to transform along; by default the last ones.
        norm: the factor: "backward" for none, "forward" for 1 / n, "ortho" for 1 / sqrt(n). None is "backward"; n is the
            product of the lengths.

    Returns:
        A complex array of x's shape, but with the lengths n of s, and `n // 2 + 1` items along the last axis: complex64 of float32.

    Raises:
        ShapeError: s and axes differ in number, there is no axis or one comes twice, a length is not positive, or there is no such norm.
        DTypeError: x is complex or has 16 bits.
        IndexOutOfRange: there is no such axis.

    >>> nd.fft.rfft2(nd.ones((2, 4)))
    NDArray([[8.+0.j, 0.+0.j, 0.+0.j],
             [0.+0.j, 0.+0.j, 0.+0.j]])
    """
    return _last_innermost(x, _from_real("rfft2", x, s, axes, norm), s, axes)


@generic
def irfft2(x: Array, s: Lengths = None, axes: Axes = (-2, -1), norm: str | None = None) -> Array:
    """Compute the inverse of `rfft2`: the real items whose transform begins with x along the last of two axes.

    Args:
        x: the first half of a spectrum along the last axis, real or complex.
        s: one length of the result per axis; -1 or None for all that there are, and of the last axis for `2 (m - 1)`, m being
            how many items x has there.
        axes: the two axes to transform along; by default the last ones.
        norm: the factor: "backward" for 1 / n, "forward" for none, "ortho" for 1 / sqrt(n). None is "backward"; n is the
            product of the lengths.

    Returns:
        A real array of x's shape, but with the lengths of s: float32 of complex64.

    Raises:
        ShapeError: s and axes differ in number, there is no axis or one comes twice, a length is not positive, or there is no such norm.
        DTypeError: x has 16 bits.
        IndexOutOfRange: there is no such axis.

    >>> nd.fft.irfft2(nd.fft.rfft2(nd.asarray([[1.0, 2.0], [3.0, 4.0]])))
    NDArray([[1., 2.],
             [3., 4.]])
    """
    return _to_real("irfft2", x, s, axes, norm, True)


@generic
def hfft2(x: Array, s: Lengths = None, axes: Axes = (-2, -1), norm: str | None = None) -> Array:
    """Compute the two-dimensional discrete Fourier transform, which is real, of items that are the conjugates of their mirror images.

    Along the last axis, x holds the first half of them.

    Args:
        x: the first half of the items along the last axis, real or complex.
        s: one length of the result per axis; -1 or None for all that there are, and of the last axis for `2 (m - 1)`, m being
            how many items x has there.
        axes: the two axes to transform along; by default the last ones.
        norm: the factor: "backward" for none, "forward" for 1 / n, "ortho" for 1 / sqrt(n). None is "backward"; n is the
            product of the lengths.

    Returns:
        A real array of x's shape, but with the lengths of s: float32 of complex64.

    Raises:
        ShapeError: s and axes differ in number, there is no axis or one comes twice, a length is not positive, or there is no such norm.
        DTypeError: x has 16 bits.
        IndexOutOfRange: there is no such axis.

    >>> nd.fft.hfft2(nd.fft.ihfft2(nd.asarray([[1.0, 2.0], [3.0, 4.0]])))
    NDArray([[1., 2.],
             [3., 4.]])
    """
    return _to_real("hfft2", x, s, axes, norm, False)


@generic
def ihfft2(x: Array, s: Lengths = None, axes: Axes = (-2, -1), norm: str | None = None) -> Array:
    """Compute the inverse of `hfft2`: the first half, along the last of two axes, of the inverse transform of real items.

    The items that are left out are conjugates of those that are returned.

    Args:
        x: real; integers are taken in the default dtype.
        s: one length per axis: x is cut, or padded with zeros, to these; -1 or None for all that there are.
        axes: the two axes to transform along; by default the last ones.
        norm: the factor: "backward" for 1 / n, "forward" for none, "ortho" for 1 / sqrt(n). None is "backward"; n is the
            product of the lengths.

    Returns:
        A complex array of x's shape, but with the lengths n of s, and `n // 2 + 1` items along the last axis: complex64 of float32.

    Raises:
        ShapeError: s and axes differ in number, there is no axis or one comes twice, a length is not positive, or there is no such norm.
        DTypeError: x is complex or has 16 bits.
        IndexOutOfRange: there is no such axis.

    >>> nd.fft.ihfft2(nd.ones((2, 4))).shape
    (2, 3)
    """
    spectrum = _from_real("ihfft2", x, s, axes, swapped(check_norm("ihfft2", norm)))
    return namespace(spectrum).conj(spectrum)
