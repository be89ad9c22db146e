"""Numbers evenly apart between two ends, rounded as PyTorch rounds them."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ..contract import Kernel
from ..random.fma import affine
from .quiet import quiet
from .view import is_narrow, number, view

__all__ = ["KERNELS"]

Array = np.ndarray[Any, Any]


def linspace(out: Any, start: Any, stop: Any) -> None:
    """out[i] = start + i * step in the first half, and stop - (n - 1 - i) * step in the second, each rounded once (PyTorch's
    compilers fuse them). float16 and bfloat16 round after each operation; integers take whole ends, compute in float64 and drop
    the fraction."""
    target = view(out)
    dtype, items = target.dtype, np.empty(target.size, target.dtype)
    first, last = number(start, dtype), number(stop, dtype)
    if is_narrow(dtype):
        _between_narrow(items, first, last)
    elif dtype.kind == "c":
        for part in ("real", "imag"):
            _between(getattr(items, part), getattr(first, part)[()], getattr(last, part)[()])
    elif dtype.kind == "f":
        _between(items, first[()], last[()])
    else:
        exact = np.empty(items.size, np.float64)
        _between(exact, np.float64(first), np.float64(last))
        items[...] = exact.astype(np.int64)
    target[...] = items.reshape(target.shape)


def _between(items: Array, first: Any, last: Any) -> None:
    """Fill from both ends to the middle."""
    n, kind = items.size, items.dtype.type
    if n < 2:
        items[...] = first
        return
    step = float(kind((last - first) / kind(n - 1)))
    half = n // 2
    items[:half] = affine(np.arange(half).astype(items.dtype), step, float(first)) + 0.0  # 0 + 0 * i is 0, not -0
    items[half:] = affine(np.arange(n - half).astype(items.dtype), -step, float(last))[::-1] + 0.0


def _between_narrow(items: Array, first: Array, last: Array) -> None:
    """The same, rounded after each operation."""
    n, dtype = items.size, items.dtype
    if n < 2:
        items[...] = first
        return
    step = (last - first) / np.array(n - 1).astype(dtype)
    half = n // 2
    items[:half] = first + step * np.arange(half).astype(dtype)
    items[half:] = (last - step * np.arange(n - half).astype(dtype))[::-1]


KERNELS: Final[dict[str, Kernel]] = {"linspace": quiet(linspace)}
