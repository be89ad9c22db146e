"""Copies, casts and fills."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ..contract import Kernel
from .view import given, view, wide

__all__ = ["KERNELS"]


def copy(out: Any, x: Any) -> None:
    """out = x, cast. From complex to real the imaginary part is dropped; floats out of an integer's range are
    undefined, as in C."""
    target, source = view(out), view(x)
    if source.dtype.kind == "c" and target.dtype.kind != "c":
        source = source.astype(bool) if target.dtype.kind == "b" else source.real
    elif source.dtype.kind in "fV" and target.dtype.kind == "u":
        with np.errstate(all="ignore"):
            source = wide(source).astype(np.int64)  # negative numbers wrap
    with np.errstate(all="ignore"):
        np.copyto(target, source, casting="unsafe")


def fill(out: Any, value: Any) -> None:
    """Every item of out = value."""
    target = view(out)
    if target.dtype.kind in "ui" and isinstance(value, float):
        value = int(value)
    with np.errstate(all="ignore"):
        target[...] = given(value, target.dtype)


def arange(out: Any, start: Any, step: Any) -> None:
    """out[i] = start + i * step, for floating dtypes in float64, rounded once."""
    target = view(out)
    count = np.arange(target.size)
    with np.errstate(all="ignore"):
        if target.dtype.kind in "ui" and not isinstance(start, float) and not isinstance(step, float):
            target[...] = (start + count * step).astype(target.dtype)
        else:
            target[...] = (start + count * (step if isinstance(step, complex) else float(step))).astype(target.dtype)


KERNELS: Final[dict[str, Kernel]] = {"copy": copy, "fill": fill, "arange": arange}
