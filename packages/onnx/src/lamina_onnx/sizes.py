"""Integers that differ from run to run: what each was, and arithmetic on them."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass

from .errors import OnnxExporterError

__all__ = ["Size", "settled"]


def settled(values: tuple[int, ...]) -> int | Size:
    """An integer that was the same in all runs, or a size."""
    return values[0] if all(v == values[0] for v in values) else Size(values)


@dataclass(frozen=True)
class Size:
    """An integer that depends on the sizes of dynamic axes.

    Args:
        values: what it was in each run; never all the same.
    """

    values: tuple[int, ...]

    def __index__(self) -> int:
        raise OnnxExporterError(
            f"export: a size that was {list(self.values)} in different runs is given where a constant is needed"
        )

    __int__ = __index__

    def _with(self, other: int | Size, op: Callable[[int, int], int]) -> int | Size:
        others = other.values if isinstance(other, Size) else (other,) * len(self.values)
        return settled(tuple(map(op, self.values, others)))

    def __add__(self, other: int | Size) -> int | Size:
        return self._with(other, operator.add)

    __radd__ = __add__

    def __sub__(self, other: int | Size) -> int | Size:
        return self._with(other, operator.sub)

    def __rsub__(self, other: int) -> int | Size:
        return self._with(other, lambda a, b: b - a)

    def __mul__(self, other: int | Size) -> int | Size:
        return self._with(other, operator.mul)

    __rmul__ = __mul__

    def __floordiv__(self, other: int | Size) -> int | Size:
        return self._with(other, operator.floordiv)

    def __neg__(self) -> int | Size:
        return self._with(-1, operator.mul)
