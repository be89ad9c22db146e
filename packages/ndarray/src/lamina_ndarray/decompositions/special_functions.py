"""Which file computes which special function: a file, and its coefficients, are loaded when one is first called."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

from lamina_flatarray.backends.kernel_table import decompositions

__all__ = ["FILES"]

FILES: Final = {
    "bessel": (
        "airy_ai", "bessel_j0", "bessel_j1", "bessel_y0", "bessel_y1", "i0", "i0e", "i1", "i1e", "modified_bessel_k0",
        "modified_bessel_k1", "scaled_modified_bessel_k0", "scaled_modified_bessel_k1",
    ),
    "error_functions": ("erfc", "erfcx", "erfinv", "log_ndtr", "ndtri"),
    "gamma": ("digamma", "lgamma", "polygamma", "zeta"),
    "incomplete_gamma": ("igamma", "igammac"),
}  # fmt: skip
"""File -> the ops of the table whose decompositions it registers."""


def _register(op: str, file: str) -> None:
    def kernel(out: Any, *inputs: Any, **params: Any) -> None:
        if decompositions[op] is kernel:
            import_module(f"lamina_ndarray.special.{file}")  # registers its own in place of this
        decompositions[op](out, *inputs, **params)

    kernel.__name__ = op
    decompositions[op] = kernel


for _file, _ops in FILES.items():
    for _op in _ops:
        _register(_op, _file)
