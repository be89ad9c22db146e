"""NumpyBackend: host memory, and kernels that say in NumPy what each op means."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any

import numpy as np

from .. import contract, dtypes
from ..dtype_rules import DTYPE_RULES
from ..ops import OPS
from . import copy, gather, map, matmul, random, reduce, softmax, sort, update

__all__ = ["NumpyBackend"]

_FAMILIES = (copy, map, reduce, matmul, gather, sort, random, softmax, update)
_KERNELS = {op: kernel for family in _FAMILIES for op, kernel in family.KERNELS.items()}


class NumpyBackend(contract.Backend):
    """The reference: all ops, all dtypes that an op is defined for, any layout, obvious code."""

    name = "numpy"
    device_type = "cpu"
    host = True

    def capabilities(self) -> Mapping[str, tuple[str, ...]]:
        return _capabilities()

    def kernel(self, op: str) -> contract.Kernel:
        kernel: contract.Kernel = _KERNELS[op]
        return kernel

    def allocate(self, nbytes: int, index: int) -> Any:
        return np.empty(nbytes, np.uint8)

    def allocator(self, index: int) -> Callable[[int], Any]:
        return partial(np.empty, dtype=np.uint8)


@cache
def _capabilities() -> Mapping[str, tuple[str, ...]]:
    """Every op, for every dtype that its rule computes in."""
    found = {}
    for name in _KERNELS:
        rule = DTYPE_RULES[OPS[name].rule]
        served = [d for d in dtypes.DTYPES.values() if (to := rule(d)) is not None and to[0] is d]
        found[name] = tuple(d.name for d in served)
    return found
