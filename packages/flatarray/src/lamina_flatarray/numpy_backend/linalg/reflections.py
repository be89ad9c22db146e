"""Householder reflections: QR as LAPACK packs it, and the product of such reflections.

H_i = I - tau_i v_i v_i^H with v_i zero above place i and 1 there; Golub and Van Loan, 4th ed., section 5.1.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ...contract import Kernel
from ..quiet import quiet
from ..view import view

__all__ = ["KERNELS"]


def geqrf(out: Any, x: Any) -> None:
    """NumPy's raw mode has the matrix transposed."""
    packed, scales = np.linalg.qr(view(x), "raw")
    view(out[0])[...] = np.swapaxes(packed, -1, -2)
    view(out[1])[...] = scales


def householder_product(out: Any, x: Any, tau: Any) -> None:
    """From the last reflection to the first, so that each touches no more than the rows and columns it must."""
    vectors, scales = view(x), view(tau)
    n = vectors.shape[-1]
    units = np.zeros(vectors.shape, vectors.dtype)
    units[..., range(n), range(n)] = 1
    for i in reversed(range(scales.shape[-1])):
        v = vectors[..., i:, i : i + 1].copy()
        v[..., 0, 0] = 1
        part = units[..., i:, i:]
        part -= scales[..., i, None, None] * v * (np.swapaxes(v, -1, -2).conj() @ part)
    view(out)[...] = units


KERNELS: Final[dict[str, Kernel]] = {function.__name__: quiet(function) for function in (geqrf, householder_product)}
