"""What changes many tensors by one number in one kernel call: the kernels are those of clipped gradients and of optimizers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import lamina_ndarray as nd
from lamina_flatarray.modes import NO_GRAD, word

from ..dispatch.torch_function import overriding_classes

if TYPE_CHECKING:
    from lamina_flatarray.backends.kernel_table import KernelTable
    from lamina_ndarray import NDArray

__all__ = ["added", "held_above", "held_below", "multiplied", "subtracted"]

_DTYPES = (nd.float32, nd.float64)
"""Where a kernel for many rounds as the op for one: once."""


def multiplied(tensors: Sequence[Any], operands: Sequence[Any]) -> bool:
    """Multiply all by the operand, if one kernel can.

    Args:
        tensors: the tensors, which are changed.
        operands: what goes along with each.

    Returns:
        Whether it is done: they lie apart, in float32 or float64, need no record, and the operand is one number.
    """
    tables = _together(tensors, operands)
    for table, arrays in tables.items():
        table["foreach_multiply"](arrays, nd.full((), operands[0], dtype=table.dtype, device=arrays[0].device))
    return bool(tables)


def added(tensors: Sequence[Any], operands: Sequence[Any], alpha: Any) -> bool:
    """Add the operand to all, if one kernel can; see `multiplied`."""
    return alpha == 1 and _moved(tensors, operands, 1)


def subtracted(tensors: Sequence[Any], operands: Sequence[Any], alpha: Any) -> bool:
    """Subtract the operand from all, if one kernel can; see `multiplied`."""
    return alpha == 1 and _moved(tensors, operands, -1)


def held_below(tensors: Sequence[Any], operands: Sequence[Any]) -> bool:
    """Take the lesser of each item and the operand, if one kernel can; see `multiplied`."""
    return _held(tensors, operands, -math.inf, None)


def held_above(tensors: Sequence[Any], operands: Sequence[Any]) -> bool:
    """Take the greater of each item and the operand, if one kernel can; see `multiplied`."""
    return _held(tensors, operands, None, math.inf)


def _moved(tensors: Sequence[Any], operands: Sequence[Any], sign: int) -> bool:
    tables = _together(tensors, operands)
    for table, arrays in tables.items():
        table["foreach_add"](arrays, value=float(table.dtype.numpy.type(sign * operands[0])))
    return bool(tables)


def _held(tensors: Sequence[Any], operands: Sequence[Any], low: float | None, high: float | None) -> bool:
    tables = _together(tensors, operands)
    for table, arrays in tables.items():
        bound = float(operands[0])
        table["foreach_clip"](arrays, min=bound if low is None else low, max=bound if high is None else high)
    return bool(tables)


def _together(tensors: Sequence[Any], operands: Sequence[Any]) -> dict[KernelTable, list[NDArray]]:
    """Kernel table -> its arrays, each noted as written; nothing where tensors are to be changed one by one."""
    number = operands[0]
    if type(number) not in (int, float) or not abs(number) <= 2**53 or any(operand is not number for operand in operands):
        return {}
    flags = word.get()
    if flags & ~NO_GRAD:
        return {}
    arrays = []
    for x in tensors:
        if type(x) in overriding_classes or (not flags and (x.requires_grad or x.base is not None)):
            return {}
        array = x.array
        if array.dtype not in _DTYPES or array.layout.overlaps:
            return {}
        arrays.append(array)
    if len({id(array.flat.memory) for array in arrays}) < len(arrays):
        return {}
    tables: dict[KernelTable, list[NDArray]] = {}
    for array in arrays:
        array.flat.version += 1
        tables.setdefault(array.flat.kernels, []).append(array)
    return tables
