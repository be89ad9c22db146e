"""Scan kernels: running sums and products along an axis, each rounded once to out's dtype."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ..contract import Kernel
from .quiet import quiet
from .view import is_narrow, view

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
