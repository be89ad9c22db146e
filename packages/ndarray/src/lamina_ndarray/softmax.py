"""Softmax and its logarithm along an axis."""

from __future__ import annotations

from typing import Any

from lamina_flatarray.dtype_rules import result_dtypes
from lamina_flatarray.dtypes import dtype_of

from .array import NDArray, empty_of
from .broadcast import normalize_axis
from .layout import Layout
from .operands import cast

__all__ = ["log_softmax", "softmax"]


def _along(op: str, x: NDArray, axis: int, dtype: Any) -> NDArray:
    at = normalize_axis(axis, x.layout.ndim, op)
    kernels = x.flat.kernels.sibling(result_dtypes(op, x.dtype if dtype is None else dtype_of(dtype))[0])
    x = cast(x, kernels)
    made = empty_of(kernels, Layout.dense(x.layout.shape))
    if x.layout.ndim == 0:
        kernels["fill"](made, value=1 if op == "softmax" else 0)
    else:
        kernels[op](made, x, axis=at)
    return made


def softmax(x: NDArray, axis: int = -1, *, dtype: Any = None) -> NDArray:
    """`exp(x) / sum(exp(x))` along an axis, computed after subtracting the greatest item.

    Raises:
        IndexOutOfRange: the axis does not exist.
        DTypeError: `x` is complex.
    """
    return _along("softmax", x, axis, dtype)


def log_softmax(x: NDArray, axis: int = -1, *, dtype: Any = None) -> NDArray:
    """The logarithm of `softmax`, without its rounding.

    Raises:
        IndexOutOfRange: the axis does not exist.
        DTypeError: `x` is complex.
    """
    return _along("log_softmax", x, axis, dtype)
