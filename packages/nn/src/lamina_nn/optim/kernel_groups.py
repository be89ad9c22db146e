"""Parameters that one kernel call steps together: of one kernel table, and alike in what the call is told once for all."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from lamina_ndarray import NDArray
from lamina_tensor import Tensor

from .optimizer import real

__all__ = ["arrays_to_write", "real_arrays", "together"]


def together(params: list[Tensor], trait: Callable[[Tensor], Hashable]) -> dict[Any, list[Tensor]]:
    """(trait, kernel table) -> parameters."""
    found: dict[Any, list[Tensor]] = {}
    for p in params:
        found.setdefault((trait(p), p.array.flat.kernels), []).append(p)
    return found


def real_arrays(tensors: list[Any]) -> list[NDArray]:
    """The arrays of tensors, of complex ones their parts along a last axis."""
    return [real(t).array for t in tensors]


def arrays_to_write(params: list[Tensor]) -> list[NDArray]:
    """As `real_arrays`, each noted as written: what a recorded op saved of it is out of date."""
    for p in params:
        p.array.flat.version += 1
    return real_arrays(params)
