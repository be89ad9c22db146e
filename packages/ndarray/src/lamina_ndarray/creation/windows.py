"""Windows: weights that fade a stretch of samples in and out, computed in double precision and rounded once."""

from __future__ import annotations

from collections.abc import Callable
from math import pi
from typing import TYPE_CHECKING, Any

import numpy as np

from lamina_flatarray import DTypeError, ShapeError
from lamina_flatarray.backends.choice import get_default_device
from lamina_flatarray.dtypes import dtype_of
from lamina_flatarray.promotion import get_default_dtype

from .array_likes import from_numpy
from .conversion import to_device

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = ["bartlett_window", "blackman_window", "hamming_window", "hann_window", "kaiser_window"]

Values = np.ndarray[Any, Any]


def _window(
    op: str, length: int, periodic: bool, dtype: Any, device: Any, weights: Callable[[Values], Values]
) -> NDArray:
    """The weights at `length` points from 0 to 1; periodic windows stop one point before 1."""
    result_dtype = get_default_dtype() if dtype is None else dtype_of(dtype)
    if not result_dtype.is_floating_point:
        raise DTypeError(f"{op}: expects floating point dtypes, got {result_dtype.name}")
    if length < 0:
        raise ShapeError(f"{op}: requires non-negative window_length, got window_length={length}")
    steps = length if periodic else length - 1
    values = np.ones(length) if length < 2 else weights(np.arange(length) / steps)
    return to_device(from_numpy(values.astype(result_dtype.numpy)), get_default_device() if device is None else device)


def hann_window(window_length: int, periodic: bool = True, *, dtype: Any = None, device: Any = None) -> NDArray:
    """Compute a Hann window: `(1 - cos(2 pi t)) / 2` at points t from 0 to 1.

    Args:
        window_length: how many points.
        periodic: whether the point 1 is left out, as spectral analysis wants it; else the window is symmetric.
        dtype: a floating dtype; the default one if None.
        device: where to put it.

    Returns:
        An array of shape `(window_length,)`.

    Raises:
        DTypeError: the dtype is not floating.
        ShapeError: the length is negative.

    >>> nd.hann_window(4)
    NDArray([0.0000, 0.5000, 1.0000, 0.5000])
    >>> nd.hann_window(5, periodic=False)
    NDArray([0.0000, 0.5000, 1.0000, 0.5000, 0.0000])
    """
    return _window("hann_window", window_length, periodic, dtype, device, lambda t: 0.5 - 0.5 * np.cos(2 * pi * t))


def hamming_window(
    window_length: int,
    periodic: bool = True,
    alpha: float = 0.54,
    beta: float = 0.46,
    *,
    dtype: Any = None,
    device: Any = None,
) -> NDArray:
    """Compute a Hamming window: `alpha - beta cos(2 pi t)` at points t from 0 to 1.

    Args:
        window_length: how many points.
        periodic: whether the point 1 is left out, as spectral analysis wants it; else the window is symmetric.
        alpha: the mean of the window.
        beta: the weight of the cosine.
        dtype: a floating dtype; the default one if None.
        device: where to put it.

    Returns:
        An array of shape `(window_length,)`.

    Raises:
        DTypeError: the dtype is not floating.
        ShapeError: the length is negative.

    >>> nd.hamming_window(4)
    NDArray([0.0800, 0.5400, 1.0000, 0.5400])
    """
    return _window(
        "hamming_window", window_length, periodic, dtype, device, lambda t: alpha - beta * np.cos(2 * pi * t)
    )


def blackman_window(window_length: int, periodic: bool = True, *, dtype: Any = None, device: Any = None) -> NDArray:
    """Compute a Blackman window: `0.42 - 0.5 cos(2 pi t) + 0.08 cos(4 pi t)` at points t from 0 to 1.

    Args:
        window_length: how many points.
        periodic: whether the point 1 is left out, as spectral analysis wants it; else the window is symmetric.
        dtype: a floating dtype; the default one if None.
        device: where to put it.

    Returns:
        An array of shape `(window_length,)`.

    Raises:
        DTypeError: the dtype is not floating.
        ShapeError: the length is negative.

    >>> nd.blackman_window(4)[1:]
    NDArray([0.3400, 1.0000, 0.3400])
    """
    return _window(
        "blackman_window", window_length, periodic, dtype, device,
        lambda t: 0.42 - 0.5 * np.cos(2 * pi * t) + 0.08 * np.cos(4 * pi * t),
    )  # fmt: skip


def bartlett_window(window_length: int, periodic: bool = True, *, dtype: Any = None, device: Any = None) -> NDArray:
    """Compute a Bartlett window, a triangle: `1 - |2 t - 1|` at points t from 0 to 1.

    Args:
        window_length: how many points.
        periodic: whether the point 1 is left out, as spectral analysis wants it; else the window is symmetric.
        dtype: a floating dtype; the default one if None.
        device: where to put it.

    Returns:
        An array of shape `(window_length,)`.

    Raises:
        DTypeError: the dtype is not floating.
        ShapeError: the length is negative.

    >>> nd.bartlett_window(5, periodic=False)
    NDArray([0.0000, 0.5000, 1.0000, 0.5000, 0.0000])
    """
    return _window("bartlett_window", window_length, periodic, dtype, device, lambda t: 1 - np.abs(2 * t - 1))


def kaiser_window(
    window_length: int, periodic: bool = True, beta: float = 12.0, *, dtype: Any = None, device: Any = None
) -> NDArray:
    """Compute a Kaiser window: `I0(beta sqrt(1 - (2 t - 1)**2)) / I0(beta)` at points t from 0 to 1.

    I0 is the modified Bessel function of the first kind and order 0.

    Args:
        window_length: how many points.
        periodic: whether the point 1 is left out, as spectral analysis wants it; else the window is symmetric.
        beta: how narrow the window is: 0 is a rectangle, larger numbers fade out faster.
        dtype: a floating dtype; the default one if None.
        device: where to put it.

    Returns:
        An array of shape `(window_length,)`.

    Raises:
        DTypeError: the dtype is not floating.
        ShapeError: the length is negative.

    >>> nd.kaiser_window(5, periodic=False, beta=4.0)
    NDArray([0.0885, 0.6334, 1.0000, 0.6334, 0.0885])
    """
    return _window(
        "kaiser_window", window_length, periodic, dtype, device,
        lambda t: np.i0(beta * np.sqrt(np.maximum(1 - (2 * t - 1) ** 2, 0))) / np.i0(beta),
    )  # fmt: skip
