"""Sorting, always stable."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ..contract import Kernel
from .view import view, wide

__all__ = ["KERNELS"]


def sort(outs: Any, x: Any, axis: int, descending: bool) -> None:
    """Stable, NaN greatest. Descending keeps the order of equal items too, so it is not the ascending one reversed."""
    values, positions = outs
    source = view(x)
    if descending:
        turned = np.flip(source, axis)
        order = np.flip(source.shape[axis] - 1 - np.argsort(wide(turned), axis=axis, kind="stable"), axis)
    else:
        order = np.argsort(wide(source), axis=axis, kind="stable")
    view(positions)[...] = order
    view(values)[...] = np.take_along_axis(source, order, axis)


KERNELS: Final[dict[str, Kernel]] = {"sort": sort}
