"""Row: what the reductions of one fused kernel reduce, and the operands of calls as that kernel is given them."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from ..layouts.layout import Layout
from .recorder import Call, Operand, mapped, operands_in

__all__ = ["Row"]


class Row(NamedTuple):
    """The last axes of a shape.

    Attributes:
        shape: the whole shape.
        axes: how many of its last axes are a row.
    """

    shape: tuple[int, ...]
    axes: int

    def __str__(self) -> str:
        return f"the last {self.axes} axes of {list(self.shape)}" if self.axes > 1 else f"the last axis of {list(self.shape)}"

    def fitted(self, call: Call) -> Call | None:
        """Return a call on operands that have the whole shape, or one item for each row; None where it has others."""
        fitted = Call(call.op, call.kernels, self._fitted(call.out), mapped(call.inputs, self._fitted), call.params)
        operands = [*operands_in(fitted.out, fitted.inputs)]
        if len(operands) < len([*operands_in(call.out, call.inputs)]) or fitted.out is None:
            return None
        whole = [x.layout.shape == self.shape for x in operands_in(fitted.inputs)]
        if fitted.out.layout.shape == self.shape and not any(whole):
            return None  # what rows come to is repeated, which no step does
        return fitted

    def _fitted(self, value: object) -> object:
        if not isinstance(value, Operand):
            return value
        shape, strides, kept = value.layout.shape, value.layout.strides, len(self.shape) - self.axes
        if shape == self.shape and any(strides[kept:]):
            return value if self._is_even(strides) else None
        if shape not in (self.shape, self.shape[:kept], (*self.shape[:kept], *[1] * self.axes)):
            return None
        steps = [step if n > 1 else 0 for n, step in zip(shape[:kept], strides[:kept], strict=True)]
        layout = Layout.of((*shape[:kept], *[1] * self.axes), (*steps, *[0] * self.axes), value.layout.offset)
        return value._replace(layout=layout)

    def _is_even(self, strides: tuple[int, ...]) -> bool:
        """Whether one step leads from each item of a row to the next."""
        row = [(n, step) for n, step in zip(self.shape, strides, strict=True)][-self.axes :]
        row = [(n, step) for n, step in row if n > 1]
        return all(step == inner * n for (_, step), (n, inner) in pairwise(row))
