"""Scan kernels: running sums and products along an axis, each rounded once to out's dtype."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ..contract import Kernel
from .quiet import quiet
from .view import is_narrow, view, wide

__all__ = ["KERNELS"]

KERNELS: Final[dict[str, Kernel]] = {}


def _scan(op: str, ufunc: np.ufunc) -> None:
    def kernel(out: Any, x: Any, axis: int) -> None:
        source, target = view(x), view(out)
        if not target.ndim:
            np.copyto(target, source, casting="unsafe")
        elif is_narrow(target.dtype):
            target[...] = ufunc.accumulate(source, axis=axis, dtype=np.float32)
        else:
            ufunc.accumulate(source, axis=axis, dtype=target.dtype, out=target)

    kernel.__name__ = op
    KERNELS[op] = quiet(kernel)


_scan("cumsum", np.add)
_scan("cumprod", np.multiply)
_scan("running_max", np.maximum)
_scan("running_min", np.minimum)


def _extremes(op: str, ufunc: np.ufunc) -> None:
    def kernel(out: Any, x: Any, axis: int) -> None:
        source, values, places = view(x), view(out[0]), view(out[1])
        items = source.astype(wide(source.dtype), copy=False)
        is_extreme = (items == ufunc.accumulate(items, axis=axis)) | (items != items)
        at = np.arange(items.shape[axis]).reshape([-1 if d == axis else 1 for d in range(items.ndim)])
        np.maximum.accumulate(np.where(is_extreme, at, 0), axis=axis, out=places)
        values[...] = np.take_along_axis(source, places, axis)

    kernel.__name__ = op
    KERNELS[op] = quiet(kernel)


_extremes("cummax", np.maximum)
_extremes("cummin", np.minimum)


def logcumsumexp(out: Any, x: Any, axis: int) -> None:
    """Item by item, so that each sum is scaled by the greatest of its own two terms."""
    source, target = view(x), view(out)
    wide_source = source.astype(wide(source.dtype), copy=False)
    if source.dtype.kind != "c":
        target[...] = np.logaddexp.accumulate(wide_source, axis=axis)
        return
    total = None
    moved, written = np.moveaxis(source, axis, 0), np.moveaxis(target, axis, 0)
    for i, item in enumerate(moved):
        total = item if total is None else _logaddexp(total, item)
        written[i] = total


def _logaddexp(a: Any, b: Any) -> Any:
    """log(exp(a) + exp(b)) of complex numbers."""
    first = a.real >= b.real
    great, small = np.where(first, a, b), np.where(first, b, a)
    total = great + np.log1p(np.exp(small - great))
    return np.where(np.isneginf(great.real), great, total)


KERNELS["logcumsumexp"] = quiet(logcumsumexp)
