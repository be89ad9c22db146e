"""All kernels of this backend: which op is served in which dtypes, and by what."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Final

from lamina_flatarray.contract import Kernel
from lamina_flatarray.dtypes import DTYPES

from . import folds, maps
from .expressions import EXPRESSIONS
from .reductions import ReduceKernel
from .scans import ScanKernel

__all__ = ["capabilities", "kernel"]

_EVERY: Final = tuple(DTYPES)

_ENTRIES: Final[dict[str, tuple[Callable[[], Kernel], tuple[str, ...]]]] = {
    **{op: (partial(maps.MapKernel, op), maps.served(op)) for op in EXPRESSIONS},
    **{op: (partial(ReduceKernel, op), folds.served(op)) for op in folds.FOLDS},
    **{op: (partial(ScanKernel, op), folds.served(op)) for op in folds.SCANS},
    "copy": (lambda: maps.copy, _EVERY),
    "fill": (lambda: maps.fill, _EVERY),
}
"""By op: what makes its kernel, and the dtypes that it serves."""


@cache
def capabilities() -> Mapping[str, tuple[str, ...]]:
    """Return what there are kernels for, by op the names of dtypes."""
    return {op: dtypes for op, (_, dtypes) in _ENTRIES.items()}


def kernel(op: str) -> Kernel:
    """Return the kernel of an op.

    Raises:
        KeyError: there is none.
    """
    return _ENTRIES[op][0]()
