"""Discrete Fourier transforms by `numpy.fft`, which keeps single precision."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ..contract import Kernel
from .quiet import quiet
from .view import view

__all__ = ["KERNELS"]


def _scaled(target: np.ndarray[Any, Any], scale: float) -> None:
    if scale != 1:
        np.multiply(target, target.dtype.type(scale), out=target)


def fft_c2c(out: Any, x: Any, axis: int, inverse: bool, scale: float) -> None:
    """All items, forwards or backwards."""
    target = view(out)
    if target.size:
        if inverse:
            np.fft.ifft(view(x), axis=axis, norm="forward", out=target)
        else:
            np.fft.fft(view(x), axis=axis, out=target)
        _scaled(target, scale)


def fft_r2c(out: Any, x: Any, axis: int, scale: float) -> None:
    """The half that is not the conjugate of the other."""
    target = view(out)
    if target.size:
        np.fft.rfft(view(x), axis=axis, out=target)
        _scaled(target, scale)


def fft_c2r(out: Any, x: Any, axis: int, n: int, scale: float) -> None:
    """From such a half; the imaginary parts of its first and, for an even n, its last item do not count."""
    target = view(out)
    if target.size:
        np.fft.irfft(view(x), n, axis, "forward", out=target)
        _scaled(target, scale)


KERNELS: Final[dict[str, Kernel]] = {function.__name__: quiet(function) for function in (fft_c2c, fft_r2c, fft_c2r)}
