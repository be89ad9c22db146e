"""Softmax and its logarithm."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ..contract import Kernel
from .view import view, wide

__all__ = ["KERNELS"]


def softmax(out: Any, x: Any, axis: int) -> None:
    """exp(x - max) over its sum."""
    source = wide(view(x))
    if not source.size:
        return
    with np.errstate(all="ignore"):
        e = np.exp(source - source.max(axis, keepdims=True))
        view(out)[...] = e / e.sum(axis, keepdims=True)


def log_softmax(out: Any, x: Any, axis: int) -> None:
    """x - max - log of the sum of exp(x - max)."""
    source = wide(view(x))
    if not source.size:
        return
    with np.errstate(all="ignore"):
        shifted = source - source.max(axis, keepdims=True)
        view(out)[...] = shifted - np.log(np.exp(shifted).sum(axis, keepdims=True))


KERNELS: Final[dict[str, Kernel]] = {"softmax": softmax, "log_softmax": log_softmax}
