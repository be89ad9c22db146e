"""Copy kernels: moving items, joining and casting them, and making them from numbers."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ..contract import Kernel
from .blocks import in_blocks
from .quiet import quiet
from .view import number, view

__all__ = ["KERNELS"]

_BLOCK: Final = 1 << 15
Array = np.ndarray[Any, Any]


def copy(out: Any, x: Any) -> None:
    """out = x, cast. From complex to real the imaginary part is dropped; a number is true unless it is 0.

    Floats become integers by dropping the fraction, and negative ones wrap for unsigned dtypes; what lies
    beyond the integer's width is undefined, as in C.
    """
    _copied(view(out), view(x))


def _copied(target: Array, source: Array) -> None:
    if source.dtype is target.dtype:
        np.copyto(target, source)
    elif target.dtype.kind == "b":
        np.not_equal(source, number(0, source.dtype), out=target)
    else:
        if source.dtype.kind == "c" and target.dtype.kind != "c":
            source = source.real
        if source.dtype.kind in "fV" and target.dtype.kind == "u" and target.itemsize < 8:
            in_blocks(lambda block: block.astype(np.int64), target, source)
        else:
            np.copyto(target, source, casting="unsafe")


def concat(out: Any, arrays: Any, axis: int) -> None:
    """The arrays one after another along an axis of out, each cast."""
    target, sources, start = view(out), [view(x) for x in arrays], 0
    if all(source.dtype is target.dtype for source in sources):
        np.concatenate(sources, axis, out=target)
        return
    for source in sources:
        stop = start + source.shape[axis]
        _copied(target[(*(slice(None),) * axis, slice(start, stop))], source)
        start = stop


def fill(out: Any, value: Any) -> None:
    """Every item of out = value."""
    target = view(out)
    target[...] = number(value, target.dtype)


def tril(out: Any, x: Any, diagonal: int) -> None:
    """What lies at or below a diagonal."""
    view(out)[...] = np.tril(view(x), diagonal)


def triu(out: Any, x: Any, diagonal: int) -> None:
    """What lies at or above a diagonal."""
    view(out)[...] = np.triu(view(x), diagonal)


def arange(out: Any, start: Any, step: Any) -> None:
    """out[i] = start + i * step: for floating dtypes in float64, rounded once; for integers with both of them cast
    first, as in PyTorch."""
    target = view(out)
    wide = target.dtype
    if wide.kind not in "ui":
        wide = np.dtype(np.complex128 if wide.kind == "c" else np.float64)
    first, reach = number(start, wide), number(step, wide)
    items = target if target.ndim == 1 else target.flat
    for begin in range(0, target.size, _BLOCK):
        end = min(begin + _BLOCK, target.size)
        items[begin:end] = (first + np.arange(begin, end).astype(wide) * reach).astype(target.dtype)


KERNELS: Final[dict[str, Kernel]] = {
    function.__name__: quiet(function) for function in (copy, concat, fill, arange, tril, triu)
}
