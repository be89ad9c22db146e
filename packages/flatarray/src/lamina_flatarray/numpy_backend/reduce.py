"""Reduce kernels. 16-bit floating types accumulate in float32; bool and integers sum up in int64."""

from __future__ import annotations

from math import prod
from typing import Any, Final

import numpy as np

from ..contract import Kernel
from .quiet import quiet
from .view import is_narrow, view, wide

__all__ = ["KERNELS"]

Array = np.ndarray[Any, Any]
Axes = tuple[int, ...]

KERNELS: Final[dict[str, Kernel]] = {}


def _ufunc(op: str, ufunc: np.ufunc) -> None:
    """A fold with a ufunc whose intermediate results have out's dtype."""

    def kernel(out: Any, x: Any, axes: Axes) -> None:
        ufunc.reduce(view(x), axis=axes, out=view(out))

    kernel.__name__ = op
    KERNELS[op] = quiet(kernel)


def _sums(op: str, ufunc: np.ufunc) -> None:
    """A fold that widens."""

    def kernel(out: Any, x: Any, axes: Axes) -> None:
        target = view(out)
        if is_narrow(target.dtype):
            target[...] = ufunc.reduce(view(x), axis=axes, dtype=np.float32)
        else:
            ufunc.reduce(view(x), axis=axes, dtype=target.dtype, out=target)

    kernel.__name__ = op
    KERNELS[op] = quiet(kernel)


_ufunc("max", np.maximum)
_ufunc("min", np.minimum)
_ufunc("any", np.logical_or)
_ufunc("all", np.logical_and)
_sums("sum", np.add)
_sums("prod", np.multiply)


def _count(x: Array, axes: Axes) -> int:
    return prod(x.shape[axis] for axis in axes)


def _mean(x: Array, axes: Axes, keepdims: bool = False) -> Array:
    """The sum over the count, in at least float32; NaN for no items."""
    kind = wide(x.dtype)
    total: Any = np.sum(x, axis=axes, dtype=kind, keepdims=keepdims)
    return np.asarray(total / np.asarray(_count(x, axes), kind), kind)


def mean(out: Any, x: Any, axes: Axes) -> None:
    """The arithmetic mean."""
    view(out)[...] = _mean(view(x), axes)


def var(out: Any, x: Any, axes: Axes, correction: float) -> None:
    """In two passes. NaN or infinite where there are no degrees of freedom."""
    source, target = view(x), view(out)
    distance = np.asarray(source - _mean(source, axes, keepdims=True))
    if distance.dtype.kind == "c":
        squares = np.square(distance.real) + np.square(distance.imag)
    else:
        squares = np.square(distance, out=distance)
    degrees = np.asarray(max(_count(source, axes) - correction, 0), squares.dtype)
    target[...] = np.add.reduce(squares, axis=axes) / degrees


def two_norm(out: Any, x: Any, axes: Axes) -> None:
    """The Euclidean length, in at least float32."""
    source = view(x)
    size = np.abs(source).astype(wide(source.real.dtype))
    view(out)[...] = np.sqrt(np.add.reduce(np.square(size), axis=axes))


def logsumexp(out: Any, x: Any, axes: Axes) -> None:
    """After subtracting the greatest, so that nothing overflows; -inf for no items."""
    source = view(x)
    kind = wide(source.dtype)
    greatest = np.maximum.reduce(source.real, axis=axes, keepdims=True, initial=-np.inf).astype(wide(source.real.dtype))
    shift = np.where(np.isfinite(greatest), greatest, np.zeros((), greatest.dtype))
    powers = np.asarray(source - shift, kind)
    total = np.add.reduce(np.exp(powers, out=powers), axis=axes)
    view(out)[...] = np.log(total) + shift.reshape(total.shape)


def count_nonzero(out: Any, x: Any, axes: Axes) -> None:
    """How many items are nonzero."""
    view(out)[...] = np.count_nonzero(view(x), axis=axes)


def _position(op: str, find: Any) -> None:
    def kernel(out: Any, x: Any, axes: Axes) -> None:
        source, target = view(x), view(out)
        if len(axes) == 1:
            target[...] = find(source, axis=axes[0])
        else:  # all axes, and positions in row-major order
            target[...] = find(source)

    kernel.__name__ = op
    KERNELS[op] = quiet(kernel)


_position("argmax", np.argmax)
_position("argmin", np.argmin)
KERNELS.update({function.__name__: quiet(function) for function in (mean, var, two_norm, logsumexp, count_nonzero)})
