"""Matrix products: BLAS by way of NumPy on the views as they are; 16-bit floating types in float32."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ..contract import Kernel
from .quiet import quiet
from .view import is_narrow, view

__all__ = ["KERNELS"]

Array = np.ndarray[Any, Any]


def matmul(out: Any, a: Any, b: Any) -> None:
    """Products over equal leading axes."""
    target = view(out)
    product = _product(target, view(a), view(b))
    if product is not target:
        target[...] = product


def linear(out: Any, x: Any, weight: Any, bias: Any = None) -> None:
    """x @ weight.T + bias, for x of any number of axes."""
    target, rows, columns = view(out), view(x), view(weight).T
    if rows.ndim > 2 and rows.size and target.size and rows.flags.c_contiguous and target.flags.c_contiguous:
        rows = rows.reshape(-1, rows.shape[-1])  # one product, not one per leading item
        target = target.reshape(-1, target.shape[-1])
    product = _product(target, rows, columns)
    if bias is not None:
        np.add(product, view(bias), out=target, casting="unsafe")
    elif product is not target:
        target[...] = product


def _product(target: Array, a: Array, b: Array) -> Any:
    """In `target`, or in float32 where target is narrower."""
    if is_narrow(target.dtype):
        return np.matmul(a.astype(np.float32), b.astype(np.float32))
    return np.matmul(a, b, out=target)


KERNELS: Final[dict[str, Kernel]] = {function.__name__: quiet(function) for function in (matmul, linear)}
