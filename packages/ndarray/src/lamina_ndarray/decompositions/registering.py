"""How a decomposition becomes a kernel: it takes the kernel's inputs and parameters, and its results are copied to `out`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from lamina_flatarray import float32
from lamina_flatarray.backends.kernel_table import decompositions

from ..array_fields import ArrayFields, array_of
from ..dispatch.namespace import namespace
from ..dispatch.operands import cast, copy_to

__all__ = ["FORMULAS", "as_array", "composed", "widened"]

FORMULAS: Final[dict[str, Callable[..., Any]]] = {}
"""Op name to its decomposition. That of an op called `..._gradient` is written for the arrays of any storey (see `namespace`): on
tensors it is recorded itself."""


def composed(op: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register a function from inputs to results: its kernel copies these to where they belong."""

    def register(decomposition: Callable[..., Any]) -> Callable[..., Any]:
        def kernel(out: Any, *inputs: Any, **params: Any) -> None:
            results = decomposition(*map(as_array, inputs), **params)
            pairs = zip(out, results, strict=True) if isinstance(out, tuple) else ((out, results),)
            for target, result in pairs:
                copy_to(target, result)

        kernel.__name__ = op
        decompositions[op] = kernel
        FORMULAS[op] = decomposition
        return decomposition

    return register


def as_array(x: Any) -> Any:
    """Kernels may be given any operand; decompositions are written for NDArrays."""
    return array_of(x.flat, x.layout) if hasattr(x, "layout") and not isinstance(x, ArrayFields) else x


def widened(x: Any) -> Any:
    """Arrays of 16 bits in float32, so that a sum of them is rounded once: when it is copied to `out`; numbers as they are."""
    if isinstance(x, (int, float)) or not x.dtype.is_floating_point or x.dtype.itemsize >= 4:
        return x
    return cast(x, x.flat.kernels.sibling(float32)) if isinstance(x, ArrayFields) else namespace(x).astype(x, float32)
