"""NumpyBackend: host memory, and kernels that say in NumPy what each op means."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any, Final

import numpy as np

from .. import contract, dtypes
from ..dtype_rules import computed_dtypes
from . import copy, fft, gather, linspace, matmul, random, reduce, scan, softmax, sort, update
from .elementwise import activation_gradients, map
from .linalg import factorizations, ldl, lu, reflections

__all__ = ["NumpyBackend"]

_FAMILIES: Final = (
    copy, linspace, map, activation_gradients, softmax, reduce, scan, matmul, fft, factorizations, lu, ldl, reflections,
    gather, sort, random, update,
)  # fmt: skip
_KERNELS: Final[dict[str, contract.Kernel]] = {
    op: kernel for family in _FAMILIES for op, kernel in family.KERNELS.items()
}

_EXCEPTIONS: Final[dict[str, Callable[[dtypes.DType], bool]]] = {
    # What a rule admits, but has no meaning: PyTorch refuses it, too.
    "random_uniform": lambda d: d.is_floating_point,
    "random_normal": lambda d: d.is_floating_point,
    "random_integers": lambda d: not d.is_complex,
    "random_permutation": lambda d: not d.is_complex and d.kind != "b",
    "random_bernoulli": lambda d: not d.is_complex,
    "random_log_normal": lambda d: d.is_floating_point,
    "random_gamma": lambda d: d.is_floating_point,
    "random_poisson": lambda d: d.is_floating_point,
    "random_binomial": lambda d: d.is_floating_point,
}


class NumpyBackend(contract.Backend):
    """The reference: all ops, all dtypes that an op is defined for, any layout, obvious code."""

    name = "numpy"
    device_type = "cpu"
    host = True
    checks_positions = True

    def capabilities(self) -> Mapping[str, tuple[str, ...]]:
        """Every op that it has a kernel for, for every dtype that the op's rule computes in, but for a few random
        fills. What is left is derived, here as on every backend: functions that NumPy lacks, too."""
        return _capabilities()

    def kernel(self, op: str) -> contract.Kernel:
        """The kernel of an op.

        Raises:
            KeyError: there is no such op.
        """
        return _KERNELS[op]

    def allocate(self, nbytes: int, index: int) -> Any:
        """Bytes as a NumPy array, aligned to 16 bytes or more.

        Raises:
            ValueError: `nbytes` is negative.
            MemoryError: there is not enough.
        """
        return np.empty(nbytes, np.uint8)

    def allocator(self, index: int) -> Callable[[int], Any]:
        """The allocation itself, for tables to call without a frame in between."""
        return partial(np.empty, dtype=np.uint8)


@cache  # once
def _capabilities() -> Mapping[str, tuple[str, ...]]:
    capabilities = {}
    for name in _KERNELS:
        admitted = _EXCEPTIONS.get(name)
        capabilities[name] = tuple(d.name for d in computed_dtypes(name) if admitted is None or admitted(d))
    capabilities["copy"] += tuple(dtypes.STORED)
    return capabilities
