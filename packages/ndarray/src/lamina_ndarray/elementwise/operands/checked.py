"""Map ops that check their operands before the dispatcher sees them: two arrays of one dtype, the order of a derivative."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lamina_flatarray import DTypeError, UsageError
from lamina_flatarray.dtype_rules import result_dtypes

from ...array_fields import ArrayFields, empty_of
from ...dispatch.namespace import no_array
from ...dispatch.operands import as_operand, cast, common_kernels, described
from ..dispatcher import MapOp, binary
from .general import run_broadcast

if TYPE_CHECKING:
    from ...array import NDArray

__all__ = ["of_one_dtype", "polygamma_of_order"]


def of_one_dtype(op: MapOp, a: Any, b: Any, out: NDArray | None = None) -> NDArray:
    """Run an op of two arrays that are not promoted.

    Raises:
        DTypeError: one of them is no array, or their dtypes differ.
        ShapeError: the shapes do not broadcast, or `out` has another shape.
    """
    for x in (a, b):
        if not isinstance(x, ArrayFields):
            raise no_array(op.name, x)
    if a.flat.dtype is not b.flat.dtype:
        raise DTypeError(f"{op.name}: not implemented for operands of different dtypes: {described((a, b))}")
    return binary(op, a, b, out)


def polygamma_of_order(op: MapOp, n: int, x: Any, out: NDArray | None = None) -> NDArray:
    """Run `polygamma`, whose order comes first.

    Raises:
        DTypeError: n is not a Python integer, or x is complex.
        UsageError: n is negative.
        ShapeError: `out` has another shape.
    """
    if not isinstance(n, int):
        raise DTypeError(f"polygamma: the order is {n!r}; it wants a Python integer")
    if n < 0:
        raise UsageError(f"polygamma: polygamma(n, x) does not support negative n; the order is {n}")
    if out is None and isinstance(x, ArrayFields):
        kernels = x.flat.kernels
        known = op.results.get(kernels) or op.result_of(kernels)
        if known is not None:
            target = empty_of(known, x.layout.result)
            kernels[op.name](target, x, n=n)
            return target
    operand = as_operand(op.name, x)
    kernels = common_kernels(op.name, [operand])
    compute, result = result_dtypes(op.name, kernels.dtype)
    table = kernels.sibling(compute)
    return run_broadcast(op.name, table, [cast(operand, table)], result, out, n=n)
