"""Recurrent cells along a whole sequence, and their gradient: one kernel call each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from lamina_flatarray import ShapeError

from ..array_fields import empty_of
from ..dispatch.operands import cast, fused_kernels
from ..layouts.layout import Layout
from ..shapes.views import contiguous

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = ["GATES", "recurrence", "recurrence_gradient"]

GATES: Final = {"RNN_TANH": 1, "RNN_RELU": 1, "LSTM": 4, "GRU": 3}
"""How many vectors of the hidden size a cell computes from its input."""

Sizes = tuple[int, ...]


def _dense(x: NDArray | None, kernels: Any) -> Any:
    return None if x is None else contiguous(cast(x, kernels))


def _rows(x: NDArray | None, kernels: Any) -> Any:
    """The same with rows as they lie, each of adjacent items."""
    if x is None or x.layout.contiguous or x.layout.strides[-1] != 1:
        return _dense(x, kernels)
    return cast(x, kernels)


def _check(op: str, mode: str, sizes: Sizes, weight: NDArray, given: NDArray, state: NDArray, cell_state: NDArray | None) -> int:
    gates, hidden = GATES[mode], weight.layout.shape[-1]
    expected = (gates * hidden, hidden), (sum(sizes), gates * hidden), (sizes[0] if sizes else 0, hidden)
    for x, shape in zip((weight, given, state, cell_state), (*expected, expected[2]), strict=True):
        if x is not None and x.layout.shape != shape:
            raise ShapeError(f"{op}: {list(x.layout.shape)} given where {list(shape)} is wanted")
    return hidden


def recurrence(
    given: NDArray, state: NDArray, cell_state: NDArray | None, weight: NDArray, bias: NDArray | None, mode: str, sizes: Sizes,
    backwards: bool,
) -> tuple[NDArray, ...]:  # fmt: skip
    """A sequence through one layer of cells, in one direction.

    Args:
        given: what the input adds to the gates, (rows of all steps, gates * hidden), in the order of time.
        state: before the first step, (batch, hidden).
        cell_state: of an LSTM, (batch, hidden); else None.
        weight: (gates * hidden, hidden), of the state.
        bias: (gates * hidden,) of its share, or None.
        mode: a key of GATES.
        sizes: how many rows, the first ones of the batch, each step has; they do not grow.
        backwards: whether the last step comes first.

    Returns:
        The outputs of all steps (rows, hidden), the last states and cell states of all examples (batch, hidden), the cell
        states of all steps, and what the gradient wants of the gates; of size 0 where the cells have none.

    Raises:
        ShapeError: the shapes do not fit.
        DTypeError: the weight is not floating.
    """
    kernels = fused_kernels("recurrence", weight, given, state, cell_state, bias)
    hidden = _check("recurrence", mode, sizes, weight, given, state, cell_state)
    rows, lstm = sum(sizes), mode == "LSTM"
    shapes: Any = (
        (rows, hidden), (sizes[0], hidden), (sizes[0], hidden) if lstm else (0,), (rows, hidden) if lstm else (0,),
        (rows, 4 * hidden) if lstm or mode == "GRU" else (0,),
    )  # fmt: skip
    outs = tuple([empty_of(kernels, Layout.dense(shape)) for shape in shapes])
    operands = *[_rows(x, kernels) for x in (given, state, cell_state)], _dense(weight, kernels), _dense(bias, kernels)
    kernels["recurrence"](outs, *operands, mode=mode, sizes=sizes, backwards=backwards)
    return outs


def recurrence_gradient(
    gradient: NDArray | None, last: NDArray | None, last_cell: NDArray | None, state: NDArray, cell_state: NDArray | None,
    weight: NDArray, output: NDArray, cells: NDArray, kept: NDArray, mode: str, sizes: Sizes, backwards: bool,
) -> tuple[NDArray, ...]:  # fmt: skip
    """The gradients of `recurrence`, but those of its weight and bias, which are sums over all steps.

    Args:
        gradient, last, last_cell: of the outputs, the last states and the last cell states, or None.
        output, cells, kept: what `recurrence` gave.
        state, cell_state, weight, mode, sizes, backwards: as for `recurrence`.

    Returns:
        The gradients of the gates' share of the input, and of a GRU that of the state (else of size 0), both
        (rows, gates * hidden), of the state, and of an LSTM the cell state (else of size 0).

    Raises:
        ShapeError: the shapes do not fit.
    """
    kernels = fused_kernels("recurrence_gradient", weight, output, gradient, last, last_cell)
    rows, hidden = output.layout.shape
    wide, batch = (rows, GATES[mode] * hidden), state.layout.shape
    shapes: Any = wide, wide if mode == "GRU" else (0,), batch, batch if mode == "LSTM" else (0,)
    outs = tuple([empty_of(kernels, Layout.dense(shape)) for shape in shapes])
    operands = [_rows(x, kernels) for x in (gradient, last, last_cell, state, cell_state)]
    operands += [_dense(x, kernels) for x in (weight, output, cells, kept)]
    kernels["recurrence_gradient"](outs, *operands, mode=mode, sizes=sizes, backwards=backwards)
    return outs
