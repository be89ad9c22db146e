"""ReduceOp: the ways to combine the tensors of several processes, and the kernels that do it, in the order of ranks."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Any, Final

import lamina_ndarray as nd
from lamina_flatarray import DTypeError
from lamina_ndarray import NDArray

__all__ = ["ReduceOp", "averaged", "check_combining", "combined"]


class ReduceOp(Enum):
    """Name the ways to combine tensors of several processes.

    Args:
        value: the number of one of them.

    >>> torch.distributed.ReduceOp.SUM.name
    'SUM'
    """

    SUM, AVG, PRODUCT, MIN, MAX, BAND, BOR, BXOR = range(8)


_FUNCTIONS: Final[dict[ReduceOp, Any]] = {
    ReduceOp.SUM: nd.add, ReduceOp.AVG: nd.add, ReduceOp.PRODUCT: nd.multiply, ReduceOp.MIN: nd.minimum, ReduceOp.MAX: nd.maximum,
    ReduceOp.BAND: nd.bitwise_and, ReduceOp.BOR: nd.bitwise_or, ReduceOp.BXOR: nd.bitwise_xor,
}  # fmt: skip
_BITWISE: Final = (ReduceOp.BAND, ReduceOp.BOR, ReduceOp.BXOR)
_ORDERED: Final = (ReduceOp.MIN, ReduceOp.MAX)


def check_combining(name: str, op: Any, dtype: Any) -> None:
    """Refuse what has no meaning for a dtype.

    Args:
        name: the function that was called.
        op: how tensors are combined.
        dtype: of their items.

    Raises:
        DTypeError: a bitwise op of fractions, an average of integers, or the least of complex numbers.
        TypeError: `op` is no `ReduceOp`.
    """
    if not isinstance(op, ReduceOp):
        raise TypeError(f"{name}: op is a ReduceOp such as ReduceOp.SUM, not {op!r}")
    if op in _BITWISE and dtype.is_inexact:
        raise DTypeError(f"{name}: Cannot use ReduceOp.{op.name} with non-integral dtype {dtype.name}")
    if op is ReduceOp.AVG and not dtype.is_inexact:
        raise DTypeError(f"{name}: ReduceOp.AVG of {dtype.name} is no {dtype.name}; use ReduceOp.SUM and divide")
    if op in _ORDERED and dtype.is_complex:
        raise DTypeError(f"{name}: ReduceOp.{op.name}: complex numbers have no order")


def combined(op: ReduceOp, parts: Sequence[NDArray]) -> NDArray:
    """Combine arrays of the same shape and dtype: the first with the second, that with the third, and so on.

    Args:
        op: how.
        parts: the arrays in the order of ranks. The first is overwritten.

    Returns:
        The first, which has the result.
    """
    total = parts[0]
    for part in parts[1:]:
        _FUNCTIONS[op](total, part, out=total)
    return averaged(op, total, len(parts))


def averaged(op: ReduceOp, total: NDArray, count: int) -> NDArray:
    """Divide a sum in place if an average is wanted, and return it.

    Args:
        op: what is wanted.
        total: the sum.
        count: of how many arrays.
    """
    if op is ReduceOp.AVG and count > 1:
        nd.divide(total, count, out=total)
    return total
