"""The frequencies that the items of a transform belong to, and their order."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lamina_flatarray import ShapeError
from lamina_flatarray.dtypes import dtype_of
from lamina_flatarray.promotion import get_default_dtype

from ..creation.ranges import arange
from ..dispatch.namespace import Array, generic, namespace
from ..elementwise import arithmetic
from ..layouts.broadcast import normalize_axes
from ..shapes.joining import concat

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = ["fftfreq", "fftshift", "ifftshift", "rfftfreq"]


def _multiples(op: str, start: int, stop: int, n: int, d: float, dtype: Any, device: Any) -> NDArray:
    """The whole numbers from start to stop, over n d."""
    result_dtype = get_default_dtype() if dtype is None else dtype_of(dtype)
    if not result_dtype.is_inexact:
        raise ShapeError(f"{op}: dtype {result_dtype!r} given; it wants a floating-point or complex dtype")
    spacing = 1.0 / (n * d) if n * d else math.copysign(math.inf, d)
    return arithmetic.multiply(arange(start, stop, dtype=result_dtype, device=device), spacing)


def fftfreq(n: int, d: float = 1.0, *, dtype: Any = None, device: Any = None) -> NDArray:
    """Compute the frequencies of the items of `fft`, in cycles per unit of `d`: `[0, 1, ..., -2, -1] / (n d)`.

    Args:
        n: how many samples were transformed.
        d: the distance between samples.
        dtype: floating or complex; by default, the default dtype.
        device: by default, the default device.

    Returns:
        An array of shape `(n,)`: 0 first, then the positive frequencies, then the negative ones. Where `d` is 0, all others than
        the first are infinite, and the first is NaN.

    Raises:
        ShapeError: the dtype is neither floating nor complex, or n is negative.

    >>> nd.fft.fftfreq(5, d=0.1)
    NDArray([ 0.,  2.,  4., -4., -2.])
    """
    positive = _multiples("fftfreq", 0, (n + 1) // 2, n, d, dtype, device)
    return concat([positive, _multiples("fftfreq", -(n // 2), 0, n, d, dtype, device)])


def rfftfreq(n: int, d: float = 1.0, *, dtype: Any = None, device: Any = None) -> NDArray:
    """Compute the frequencies of the items of `rfft`, in cycles per unit of `d`: `[0, 1, ..., n // 2] / (n d)`.

    Args:
        n: how many real samples were transformed.
        d: the distance between samples.
        dtype: floating or complex; by default, the default dtype.
        device: by default, the default device.

    Returns:
        An array of shape `(n // 2 + 1,)`. Where `n` or `d` is 0, all others than the first are infinite, and the first is NaN.

    Raises:
        ShapeError: the dtype is neither floating nor complex, or n is negative.

    >>> nd.fft.rfftfreq(5, d=0.1)
    NDArray([0., 2., 4.])
    """
    return _multiples("rfftfreq", 0, n // 2 + 1, n, d, dtype, device)


def _rotated(op: str, x: Array, axes: int | Sequence[int] | None, inverse: bool) -> Array:
    at = normalize_axes(axes, x.ndim, op)
    halves = [x.shape[axis] // 2 for axis in at]
    return namespace(x).roll(x, [-half for half in halves] if inverse else halves, at) if at else x


@generic
def fftshift(x: Array, axes: int | Sequence[int] | None = None) -> Array:
    """Move frequency 0 to the middle, as plots of spectra want it.

    Args:
        x: an array in the order of `fftfreq`.
        axes: an axis or several; None for all.

    Returns:
        A new array of x's shape and dtype, rotated along the axes.

    Raises:
        IndexOutOfRange: there is no such axis.

    >>> nd.fft.fftshift(nd.fft.fftfreq(5, d=0.2))
    NDArray([-2., -1.,  0.,  1.,  2.])
    """
    return _rotated("fftshift", x, axes, False)


@generic
def ifftshift(x: Array, axes: int | Sequence[int] | None = None) -> Array:
    """Move frequency 0 from the middle back to the front: undo `fftshift`.

    Args:
        x: an array with frequency 0 in the middle.
        axes: an axis or several; None for all.

    Returns:
        A new array of x's shape and dtype, rotated along the axes.

    Raises:
        IndexOutOfRange: there is no such axis.

    >>> nd.fft.ifftshift(nd.asarray([-2, -1, 0, 1, 2]))
    NDArray([ 0,  1,  2, -2, -1])
    """
    return _rotated("ifftshift", x, axes, True)
