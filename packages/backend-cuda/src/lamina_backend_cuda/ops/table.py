"""All kernels of this backend: which op is served in which dtypes, and by what."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Final

from lamina_flatarray.contract import Kernel
from lamina_flatarray.dtype_rules import DTYPE_RULES
from lamina_flatarray.dtypes import DTYPES
from lamina_flatarray.ops import OPS

from ..launch_plans import PlannedKernel
from . import creation, fills, folds, gathers, maps, products, sorts
from .expressions import EXPRESSIONS
from .fused.served import KERNELS as FUSED
from .reductions import ReduceKernel, var
from .scans import ScanKernel

__all__ = ["capabilities", "kernel"]

_EVERY: Final = tuple(DTYPES)


def _itself(kernel: Kernel) -> Kernel:
    return kernel


def _defined(op: str) -> tuple[str, ...]:
    rule = DTYPE_RULES[OPS[op].rule]
    return tuple(d.name for d in DTYPES.values() if (to := rule(d)) is not None and to[0] is d)


_PLAIN: Final[dict[str, Kernel]] = {
    "gather": gathers.gather,
    "index": gathers.index,
    "index_put": gathers.index_put,
    "scatter": gathers.scatter,
    "scatter_add": gathers.scatter_add,
    "scatter_reduce": gathers.scatter_reduce,
    "matmul": products.matmul,
    "sort": sorts.sort,
    "sorted_values": sorts.sorted_values,
    "var": var,
}
"""Kernels that serve every dtype that their op is defined for."""

_ENTRIES: Final[dict[str, tuple[Callable[[], Kernel], tuple[str, ...]]]] = {
    **{op: (partial(maps.MapKernel, op), maps.served(op)) for op in EXPRESSIONS},
    **{op: (partial(ReduceKernel, op), folds.served(op)) for op in folds.FOLDS},
    **{op: (partial(ScanKernel, op), folds.served(op)) for op in folds.SCANS},
    **{op: (partial(_itself, kernel), _defined(op)) for op, kernel in _PLAIN.items()},
    **{op: (partial(_itself, kernel), dtypes) for op, (kernel, dtypes) in fills.KERNELS.items()},
    **{op: (partial(_itself, kernel), dtypes) for op, (kernel, dtypes) in FUSED.items()},
    "linear": (lambda: products.linear, products.LIBRARY),
    "clip": (lambda: maps.clip, maps.served("clip")),
    "copy": (lambda: maps.copy, _EVERY),
    "fill": (lambda: maps.fill, _EVERY),
    "arange": (lambda: creation.arange, _EVERY),
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
    return PlannedKernel(op, _ENTRIES[op][0]())
