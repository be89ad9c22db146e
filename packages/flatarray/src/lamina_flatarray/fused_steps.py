"""What a fused kernel is told to do: map ops one after the other, on numbered slots."""

from __future__ import annotations

from typing import Final, NamedTuple

from .dtypes import DType

__all__ = ["MOST_FUSED_OPERANDS", "FusedStep"]

MOST_FUSED_OPERANDS: Final = 12
"""How many operands a fused kernel has at most."""


class FusedStep(NamedTuple):
    """One op of a fused kernel.

    Attributes:
        op: its name.
        dtype: what it computes in.
        result: the slot of its result.
        inputs: a slot, as a tuple of its number, or a Python number for each input.
    """

    op: str
    dtype: DType
    result: int
    inputs: tuple[tuple[int] | complex, ...]
