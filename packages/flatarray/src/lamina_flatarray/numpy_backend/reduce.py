"""Reduce and scan kernels. 16-bit floating types accumulate in float32; integers and bool in int64."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from ..contract import Kernel
from .view import view, wide

__all__ = ["KERNELS"]

KERNELS: Final[dict[str, Kernel]] = {}

Axes = tuple[int, ...]
Array = np.ndarray[Any, Any]


def _fold(op: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        def kernel(out: Any, x: Any, **params: Any) -> None:
            target = view(out)
            with np.errstate(all="ignore"):
                np.copyto(target, function(wide(view(x)), target, **params), casting="unsafe")

        kernel.__name__ = op
        KERNELS[op] = kernel
        return function

    return register


def _accumulator(x: Array, target: Array) -> Any:
    """The dtype that a sum runs in: out's, but float32 for the 16-bit floating types."""
    return target.dtype if target.dtype.itemsize > 2 or target.dtype.kind in "ui" else x.dtype


_fold("sum")(lambda x, target, axes: np.add.reduce(x, axis=axes, dtype=_accumulator(x, target)))
_fold("prod")(lambda x, target, axes: np.multiply.reduce(x, axis=axes, dtype=_accumulator(x, target)))
_fold("max")(lambda x, target, axes: np.maximum.reduce(x, axis=axes))
_fold("min")(lambda x, target, axes: np.minimum.reduce(x, axis=axes))
_fold("any")(lambda x, target, axes: np.any(x, axis=axes))
_fold("all")(lambda x, target, axes: np.all(x, axis=axes))


def _count(x: Array, axes: Axes) -> int:
    return int(np.prod([x.shape[axis] for axis in axes], dtype=int))


@_fold("mean")
def mean(x: Array, target: Array, axes: Axes) -> Any:
    """The sum over the count."""
    return np.add.reduce(x, axis=axes) / np.asarray(_count(x, axes), x.real.dtype)


@_fold("var")
def var(x: Array, target: Array, axes: Axes, correction: float) -> Any:
    """In two passes. NaN where there are no degrees of freedom."""
    n = _count(x, axes)
    centre = np.add.reduce(x, axis=axes, keepdims=True) / np.asarray(n, x.real.dtype)
    distance = x - centre
    squares = (distance * distance.conj()).real
    degrees = np.asarray(max(n - correction, 0), squares.dtype)
    return np.add.reduce(squares, axis=axes) / degrees


@_fold("logsumexp")
def logsumexp(x: Array, target: Array, axes: Axes) -> Any:
    """After subtracting the greatest, so that nothing overflows; -inf for no items."""
    great = np.maximum.reduce(x, axis=axes, keepdims=True, initial=-np.inf)
    safe = np.where(np.isfinite(great), great, np.zeros((), x.dtype))
    total = np.add.reduce(np.exp(x - safe), axis=axes)
    return np.log(total) + safe.reshape(total.shape)


def _position(find: Callable[..., Any]) -> Callable[..., Any]:
    def position(x: Array, target: Array, axes: Axes) -> Any:
        if len(axes) == 1:
            return find(x, axis=axes[0])
        return find(x)  # all axes: in row-major order

    return position


_fold("argmax")(_position(np.argmax))
_fold("argmin")(_position(np.argmin))
_fold("cumsum")(lambda x, target, axis: np.cumsum(x, axis=axis, dtype=_accumulator(x, target)))
_fold("cumprod")(lambda x, target, axis: np.cumprod(x, axis=axis, dtype=_accumulator(x, target)))
