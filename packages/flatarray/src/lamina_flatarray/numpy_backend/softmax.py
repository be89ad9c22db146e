"""Softmax and its logarithm, in one pass each over what they need."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ..contract import Kernel
from .quiet import quiet
from .view import is_narrow, view

__all__ = ["KERNELS"]

Array = np.ndarray[Any, Any]


def _shifted(target: Array, source: Array, axis: int) -> Array:
    """source minus its greatest along the axis: in target, or in float32 where target is narrower."""
    greatest = source.max(axis, keepdims=True)
    if is_narrow(target.dtype):
        return np.subtract(source, greatest, dtype=np.float32)  # type: ignore[no-any-return]
    return np.subtract(source, greatest, out=target)  # type: ignore[no-any-return]


def softmax(out: Any, x: Any, axis: int) -> None:
    """exp(x - max) over its sum."""
    target, source = view(out), view(x)
    if source.size:
        powers = _shifted(target, source, axis)
        np.exp(powers, out=powers)
        np.divide(powers, powers.sum(axis, keepdims=True), out=target, casting="unsafe")


def log_softmax(out: Any, x: Any, axis: int) -> None:
    """x - max - log of the sum of exp(x - max)."""
    target, source = view(out), view(x)
    if source.size:
        shifted = _shifted(target, source, axis)
        total = np.exp(shifted).sum(axis, keepdims=True)
        np.subtract(shifted, np.log(total, out=total), out=target, casting="unsafe")


KERNELS: Final[dict[str, Kernel]] = {function.__name__: quiet(function) for function in (softmax, log_softmax)}
