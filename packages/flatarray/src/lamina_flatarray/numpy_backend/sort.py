"""The sort kernel: stable in both directions, NaN greatest."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ..contract import Kernel
from .quiet import quiet
from .view import view, wide

__all__ = ["KERNELS"]


def sort(out: Any, x: Any, axis: int, descending: bool = False) -> None:
    """Values and where they came from. Descending, equal items keep their order too, so it is not the ascending
    order reversed, but the reversed order of the reversed items."""
    values, positions = view(out[0]), view(out[1])
    source = view(x)
    keys = source.astype(wide(source.dtype), copy=False)
    if not source.ndim:
        order = np.zeros((), np.int64)
    elif descending:
        turned = np.argsort(np.flip(keys, axis), axis=axis, kind="stable")
        order = np.flip(np.subtract(source.shape[axis] - 1, turned, out=turned), axis)
    else:
        order = np.argsort(keys, axis=axis, kind="stable")
    ordered = np.take_along_axis(source, order, axis) if source.ndim else source
    positions[...] = order
    values[...] = ordered


KERNELS: Final[dict[str, Kernel]] = {"sort": quiet(sort)}
