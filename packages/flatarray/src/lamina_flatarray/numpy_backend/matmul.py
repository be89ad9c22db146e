"""Matrix products, by the BLAS that NumPy comes with; 16-bit floating types in float32."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ..contract import Kernel
from .view import view, wide

__all__ = ["KERNELS"]


def matmul(out: Any, a: Any, b: Any) -> None:
    """Matrix products over leading axes; 16-bit floating types in float32."""
    target, x, y = view(out), view(a), view(b)
    with np.errstate(all="ignore"):
        if target.dtype.itemsize == 2 and target.dtype.kind not in "ui":
            target[...] = np.matmul(wide(x), wide(y))
        else:
            np.matmul(x, y, out=target)


def linear(out: Any, x: Any, weight: Any, bias: Any) -> None:
    """x @ weight.T + bias."""
    target, left, right = view(out), view(x), view(weight).T
    with np.errstate(all="ignore"):
        if target.dtype.itemsize == 2 and target.dtype.kind not in "ui":
            product = np.matmul(wide(left), wide(right))
            target[...] = product if bias is None else product + wide(view(bias))
            return
        np.matmul(left, right, out=target)
        if bias is not None:
            target += view(bias)


KERNELS: Final[dict[str, Kernel]] = {"matmul": matmul, "linear": linear}
