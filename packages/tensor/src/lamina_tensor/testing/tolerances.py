"""How far results of a dtype may lie from what is expected, unless a caller says so: PyTorch's published table.

https://docs.pytorch.org/docs/stable/testing.html
"""

from __future__ import annotations

from typing import Any, Final

from lamina_flatarray import DType

__all__ = ["settled"]

_BY_DTYPE: Final[dict[str, tuple[float, float]]] = {
    "float16": (1e-3, 1e-5),
    "bfloat16": (1.6e-2, 1e-5),
    "float32": (1.3e-6, 1e-5),
    "float64": (1e-7, 1e-7),
    "complex64": (1.3e-6, 1e-5),
    "complex128": (1e-7, 1e-7),
}
"""Relative and absolute tolerance; all others must be equal."""

_BY_KIND: Final = {float: "float64", complex: "complex128"}


def settled(kinds: tuple[Any, ...], rtol: float | None, atol: float | None) -> tuple[float, float]:
    """The relative and the absolute tolerance: the given ones, else the greater of those of two dtypes, or classes of numbers."""
    if rtol is not None and atol is not None:
        return rtol, atol
    names = [kind.name if isinstance(kind, DType) else _BY_KIND.get(kind, "") for kind in kinds]
    pairs = [_BY_DTYPE.get(name, (0.0, 0.0)) for name in names]
    return max(r for r, _ in pairs), max(a for _, a in pairs)
