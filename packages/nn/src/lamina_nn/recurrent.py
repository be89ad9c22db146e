"""Recurrent networks as functions: one step of each kind of cell, and its way along a sequence, layer by layer.

What the input adds to the gates is one product for a whole sequence; a step multiplies with the last state only. A mode that is
shown calls of functions is shown a cell, and a sequence's way along the layers, as one call each.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

import lamina_tensor as lt
from lamina_flatarray.modes import AUTOCAST, FUNCTION_MODES, word
from lamina_ndarray.layers.recurrences import GATES
from lamina_tensor import Tensor
from lamina_tensor.dispatch.function_modes import ask
from lamina_tensor.dispatch.tensor_functions import FUNCTIONS, af
from lamina_tensor.functions.layers import fused
from lamina_tensor.functions.spans import slices, spans

__all__ = ["CELLS", "GATES", "along_layers", "cell"]

_add, _multiply, _sigmoid, _tanh, _relu = (FUNCTIONS[n] for n in ("add", "multiply", "sigmoid", "tanh", "relu"))

State = tuple[Tensor, ...]
Step = Callable[[Tensor, State], State]


def _elman(activation: Callable[[Tensor], Tensor], projected: Tensor, state: State, weights: Sequence[Any]) -> State:
    return (activation(_add(projected, af.linear(state[0], weights[0]))),)


def _lstm(projected: Tensor, state: State, weights: Sequence[Any]) -> State:
    """Hochreiter & Schmidhuber 1997 with a forget gate; with a third weight, the output is projected (Sak et al. 2014)."""
    w_hh, _, w_hr = weights
    h, c = state
    gates = _add(projected, af.linear(h, w_hh))
    n = gates.shape[-1] // 4
    i, f, g, o = spans(gates, (n, n, n, n), 1)
    c = _add(_multiply(_sigmoid(f), c), _multiply(_sigmoid(i), _tanh(g)))
    h = _multiply(_sigmoid(o), _tanh(c))
    return (h if w_hr is None else af.linear(h, w_hr)), c


def _gru(projected: Tensor, state: State, weights: Sequence[Any]) -> State:
    """Cho et al. 2014, the reset gate applied after the product with the last state."""
    w_hh, b_hh, _ = weights
    (h,) = state
    n = projected.shape[-1] // 3
    of_input, of_state = spans(projected, (2 * n, n), 1), spans(af.linear(h, w_hh, b_hh), (2 * n, n), 1)
    r, z = spans(_sigmoid(_add(of_input[0], of_state[0])), (n, n), 1)
    candidate = _tanh(_add(of_input[1], _multiply(r, of_state[1])))
    return (_add(candidate, _multiply(z, h - candidate)),)


CELLS: Final[dict[str, Callable[[Tensor, State, Sequence[Any]], State]]] = {
    "RNN_TANH": partial(_elman, _tanh),
    "RNN_RELU": partial(_elman, _relu),
    "LSTM": _lstm,
    "GRU": _gru,
}
"""What a step makes of the input's share of the gates, the state and the weights (w_hh, b_hh, w_hr): the state behind it,
its first part the output. A GRU adds b_hh itself, as its reset gate multiplies a part of it."""


def _prepared(mode: str, input: Tensor, weights: Sequence[Any]) -> tuple[Tensor, Step]:
    """What the input adds to the gates, and the step from there. Weights are (w_ih, w_hh, b_ih, b_hh, w_hr)."""
    w_ih, w_hh, b_ih, b_hh, w_hr = weights
    bias = b_ih if mode == "GRU" or b_ih is None else b_ih + b_hh
    step = CELLS[mode]
    return af.linear(input, w_ih, bias), lambda projected, state: step(projected, state, (w_hh, b_hh, w_hr))


def cell(mode: str, input: Tensor, state: State, weights: Sequence[Any]) -> State:
    """Run one step of a recurrent network.

    Args:
        mode: a key of `CELLS`.
        input: (batch, input_size).
        state: one or two tensors (batch, hidden_size).
        weights: (w_ih, w_hh, b_ih, b_hh, w_hr), None for those that do not exist.

    Returns:
        The next state, of the same form.
    """
    if word.get() & FUNCTION_MODES:
        return ask(cell, (), (mode, input, state, weights), {})  # type: ignore[no-any-return]
    projected, step = _prepared(mode, input, weights)
    return step(projected, state)


def _along(step: Step, gates: Sequence[Tensor], state: State) -> tuple[list[Tensor], State]:
    """The outputs of all steps, and the last state."""
    outputs = []
    for projected in gates:
        state = step(projected, state)
        outputs.append(state[0])
    return outputs, state


def _along_shrinking(step: Step, gates: Sequence[Tensor], state: State) -> tuple[list[Tensor], State]:
    """The same for packed sequences: the state of one that has ended waits aside."""
    outputs, ended = [], []
    for projected in gates:
        running, before = projected.shape[0], state[0].shape[0]
        if running < before:
            parts = [spans(s, (running, before - running)) for s in state]
            ended.append([p[1] for p in parts])
            state = tuple([p[0] for p in parts])
        state = step(projected, state)
        outputs.append(state[0])
    if ended:
        state = tuple([lt.cat([s, *(e[k] for e in reversed(ended))]) for k, s in enumerate(state)])
    return outputs, state


def _along_growing(step: Step, gates: Sequence[Tensor], state: State) -> tuple[list[Tensor], State]:
    """The same backwards: shorter sequences join with their first state."""
    first, state = state, tuple([s[: gates[0].shape[0]] for s in state])
    outputs = []
    for projected in gates:
        before, running = state[0].shape[0], projected.shape[0]
        if running > before:
            state = tuple([lt.cat([s, f[before:running]]) for s, f in zip(state, first, strict=True)])
        state = step(projected, state)
        outputs.append(state[0])
    return outputs, state


def _one_way(
    mode: str, input: Tensor, batch_sizes: Sequence[int] | None, state: State, weights: Sequence[Any], backwards: bool
) -> tuple[Tensor, State]:
    """One layer in one direction: the outputs in the form of the input, and the last state."""
    if weights[4] is None and not word.get() & AUTOCAST and all(x.dtype is input.dtype for x in (*state, *weights[:2])):
        return _at_once(mode, input, batch_sizes, state, weights, backwards)
    projected, step = _prepared(mode, input, weights)
    gates = slices(projected) if batch_sizes is None else spans(projected, batch_sizes)
    walk = _along if batch_sizes is None else _along_growing if backwards else _along_shrinking
    outputs, state = walk(step, gates[::-1] if backwards else gates, state)
    if backwards:
        outputs.reverse()
    return (lt.stack(outputs) if batch_sizes is None else lt.cat(outputs)), state


def _at_once(
    mode: str, input: Tensor, batch_sizes: Sequence[int] | None, state: State, weights: Sequence[Any], backwards: bool
) -> tuple[Tensor, State]:
    """The same by one op for all steps."""
    w_ih, w_hh, b_ih, b_hh, _ = weights
    gru = mode == "GRU"
    projected = af.linear(input, w_ih, b_ih if gru or b_ih is None else b_ih + b_hh)
    sizes = (input.shape[1],) * input.shape[0] if batch_sizes is None else tuple(batch_sizes)
    cell_state = state[1] if mode == "LSTM" else None
    rows = projected.reshape(-1, projected.shape[-1])
    outputs, last, last_cell = fused.recurrence(rows, state[0], cell_state, w_hh, b_hh if gru else None, mode, sizes, backwards)
    shaped = outputs.reshape(*input.shape[:-1], outputs.shape[-1])
    return shaped, (last,) if cell_state is None else (last, last_cell)


def along_layers(
    mode: str, input: Tensor, batch_sizes: Sequence[int] | None, states: State, weights: Sequence[Sequence[Any]],
    directions: int, dropout: float = 0.0,
) -> tuple[Tensor, State]:  # fmt: skip
    """A sequence through all layers.

    Args:
        mode: a key of CELLS.
        input: (steps, batch, input size), or packed: (sum of lengths, input size).
        batch_sizes: of packed input, how many sequences have each step; else None.
        states: one or two tensors (layers * directions, batch, hidden size).
        weights: per layer and direction (w_ih, w_hh, b_ih, b_hh, w_hr), None where there is none.
        directions: 1, or 2 where each layer runs backwards, too.
        dropout: with what probability items between layers are zeroed.

    Returns:
        The outputs of the last layer in the input's form, those of both directions side by side, and the last states.
    """
    from .functional import dropout as dropped

    if word.get() & FUNCTION_MODES:
        call = (mode, input, batch_sizes, states, weights, directions, dropout)
        return ask(along_layers, (), call, {})  # type: ignore[no-any-return]
    starts = list(zip(*map(slices, states), strict=True))
    ends: list[State] = []
    for layer in range(0, len(weights), directions):
        if layer and dropout:
            input = dropped(input, dropout)
        outputs = []
        for way in range(directions):
            output, end = _one_way(mode, input, batch_sizes, starts[layer + way], weights[layer + way], way == 1)
            outputs.append(output)
            ends.append(end)
        input = outputs[0] if directions == 1 else lt.cat(outputs, -1)
    return input, tuple([lt.stack(list(parts)) for parts in zip(*ends, strict=True)])
