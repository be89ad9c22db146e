"""What a fused kernel is told to do: elementwise ops, casts, and reductions of rows, one after the other, on numbered slots; at the end,
totals."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from .dtypes import DType

__all__ = ["FUSED_COLUMNS", "LONGEST_FUSED_ROW", "MOST_FUSED_OPERANDS", "MOST_TOTALED_ITEMS", "FusedStep"]

MOST_FUSED_OPERANDS: Final = 12
"""How many operands a fused kernel has at most."""

LONGEST_FUSED_ROW: Final = 8192
"""How many items a row has at most that a fused kernel reduces."""


FUSED_COLUMNS: Final = range(17, 2049)
"""How many items totals of the first axes have."""

MOST_TOTALED_ITEMS: Final = 1 << 24
"""How many items a total of all axes is of at most."""


class FusedStep(NamedTuple):
    """One op of a fused kernel: an elementwise one, a cast, a reduction of the last axes, or a total, which reduces the first axes or all.

    Attributes:
        op: its name; `copy` is a cast, from the dtype of its input's slot.
        dtype: what it computes in; of a cast, that of its result.
        result: the slot of its result.
        inputs: a slot, as a tuple of its number, or a Python number for each input; then for each parameter of an elementwise op, a number.
        params: what a reduction is given by name, such as its axes.
        is_total: whether it is a total.
    """

    op: str
    dtype: DType
    result: int
    inputs: tuple[tuple[int] | complex, ...]
    params: Mapping[str, Any] = MappingProxyType({})
    is_total: bool = False
