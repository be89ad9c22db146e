"""Recurrent cells along a sequence, step by step, and the way back."""

from __future__ import annotations

from itertools import accumulate
from typing import Any

from ...dispatch.namespace import namespace
from ..registering import composed, widened

__all__: list[str] = []


def _starts(sizes: tuple[int, ...]) -> list[int]:
    return [0, *accumulate(sizes)]


def _split(x: Any, n: int) -> list[Any]:
    """Parts of n units of the last axis."""
    return [x[..., at : at + n] for at in range(0, x.shape[-1], n)]


def _beginning(x: Any, first: Any, n: int) -> Any:
    """n rows: those of x, and where it has fewer, those that `first` has behind them."""
    count = x.shape[0]
    return x[:n] if count >= n else namespace(x).concat([x, first[count:n]])


def _cell(mode: str, given: Any, h: Any, c: Any, weight: Any, bias: Any) -> tuple[Any, Any, Any]:
    """One step: the state, the cell state and what the gradient keeps, None where there is none."""
    xp, n = namespace(given), h.shape[-1]
    share = h @ xp.transpose(weight)
    if bias is not None:
        share = share + bias
    if mode == "LSTM":
        i, f, g, o = _split(given + share, n)
        i, f, g, o = xp.sigmoid(i), xp.sigmoid(f), xp.tanh(g), xp.sigmoid(o)
        c = f * c + i * g
        return o * xp.tanh(c), c, xp.concat([i, f, g, o], -1)
    if mode == "GRU":
        (r_in, z_in, n_in), (r_own, z_own, n_own) = _split(given, n), _split(share, n)
        r, z = xp.sigmoid(r_in + r_own), xp.sigmoid(z_in + z_own)
        new = xp.tanh(n_in + r * n_own)
        return new + z * (h - new), None, xp.concat([r, z, new, n_own], -1)
    return (xp.tanh if mode == "RNN_TANH" else xp.relu)(given + share), None, None


def _ordered(parts: list[Any], backwards: bool, otherwise: Any) -> Any:
    """The parts of all steps in the order of time."""
    if parts[0] is None:
        return otherwise
    return namespace(parts[0]).concat(parts[::-1] if backwards else parts)


@composed("recurrence")
def recurrence(
    given: Any, state: Any, cell_state: Any, weight: Any, bias: Any, mode: str, sizes: tuple[int, ...], backwards: bool
) -> tuple[Any, ...]:
    """Run an RNN, GRU or LSTM cell step by step over sequences of which the shorter ones end (or begin, backwards) earlier."""
    xp = namespace(given)
    given, state, weight = widened(given), widened(state), widened(weight)
    bias = None if bias is None else widened(bias)
    none = xp.new_zeros(given, (0,))
    firsts = [state] if cell_state is None else [state, widened(cell_state)]
    starts, now, ended, history = _starts(sizes), firsts, [], []  # type: ignore[var-annotated]
    for t in reversed(range(len(sizes))) if backwards else range(len(sizes)):
        n = sizes[t]
        if not backwards and n < now[0].shape[0]:
            ended.append([x[n:] for x in now])
        now = [_beginning(x if history or not backwards else x[:n], first, n) for x, first in zip(now, firsts, strict=True)]
        h, c, kept = _cell(mode, given[starts[t] : starts[t + 1]], now[0], now[-1], weight, bias)
        now = [h] if cell_state is None else [h, c]
        history.append((h, c, kept))
    outputs, cells, kept = (_ordered([m[i] for m in history], backwards, none) for i in range(3))
    lasts = [xp.concat([x, *(e[i] for e in reversed(ended))]) if ended else x for i, x in enumerate(now)]
    return outputs, lasts[0], (none if cell_state is None else lasts[1]), cells, kept


def _before(t: int, source: Any, first: Any, sizes: tuple[int, ...], starts: list[int], backwards: bool) -> Any:
    """The rows of a step's state before: those of the step that came before it, else of the initial state."""
    other = t + 1 if backwards else t - 1
    if not 0 <= other < len(sizes):
        return first[: sizes[t]]
    count = min(sizes[t], sizes[other])
    return _beginning(source[starts[other] : starts[other] + count], first, sizes[t])


def _cell_gradient(
    mode: str, h: Any, c: Any, before: Any, cell_before: Any, output: Any, cell: Any, kept: Any, of_kept: Any
) -> tuple[Any, Any, Any, Any]:
    """From the gradients of a step's states: those of both shares of the gates, of the state but through the weight, and of the
    cell state before."""
    xp, n = namespace(h), h.shape[-1]
    if mode == "LSTM":
        i, f, g, o = _split(kept, n)
        top = xp.tanh(cell)
        c = c + h * o * (1 - top * top)
        slopes = [c * g, c * cell_before, c * i, h * top]
        if of_kept is not None:
            slopes = [s + more for s, more in zip(slopes, _split(of_kept, n), strict=True)]
        ends = [i * (1 - i), f * (1 - f), 1 - g * g, o * (1 - o)]
        gates = xp.concat([s * e for s, e in zip(slopes, ends, strict=True)], -1)
        return gates, gates, None, c * f
    if mode == "GRU":
        r, z, new, share = _split(kept, n)
        more: Any = [0, 0, 0, 0] if of_kept is None else _split(of_kept, n)
        of_new = (h * (1 - z) + more[2]) * (1 - new * new)
        of_r = (of_new * share + more[0]) * r * (1 - r)
        of_z = (h * (before - new) + more[1]) * z * (1 - z)
        return xp.concat([of_r, of_z, of_new], -1), xp.concat([of_r, of_z, of_new * r + more[3]], -1), h * z, None
    gates = h * (1 - output * output) if mode == "RNN_TANH" else xp.where(output > 0, h, 0.0)
    return gates, gates, None, None


@composed("recurrence_gradient")
def recurrence_gradient(
    gradient: Any, last: Any, last_cell: Any, state: Any, cell_state: Any, weight: Any, output: Any, cells: Any, kept: Any,
    mode: str, sizes: tuple[int, ...], backwards: bool, of_cells: Any = None, of_kept: Any = None,
) -> tuple[Any, ...]:  # fmt: skip
    """`of_cells` and `of_kept` are gradients of what the op gave beside its results, where it was used."""
    xp = namespace(output)
    none = xp.new_zeros(output, (0,))
    weight, state, output = widened(weight), widened(state), widened(output)
    lstm, starts = mode == "LSTM", _starts(sizes)
    behind = xp.zeros_like(state) if last is None else widened(last)
    cell_behind = None if not lstm else xp.zeros_like(state) if last_cell is None else widened(last_cell)
    gradients = []
    for t in range(len(sizes)) if backwards else reversed(range(len(sizes))):
        rows, n = slice(starts[t], starts[t + 1]), sizes[t]
        h = behind[:n] if gradient is None else behind[:n] + widened(gradient)[rows]
        c = None
        if cell_behind is not None:
            c = cell_behind[:n] if of_cells is None else cell_behind[:n] + of_cells[rows]
        of_given, of_hidden, direct, of_cell = _cell_gradient(
            mode, h, c, _before(t, output, state, sizes, starts, backwards),
            _before(t, widened(cells), widened(cell_state), sizes, starts, backwards) if lstm else None, output[rows],
            widened(cells)[rows] if lstm else None, widened(kept)[rows] if kept.ndim > 1 else None,
            None if of_kept is None else of_kept[rows],
        )  # fmt: skip
        of_state = of_hidden @ weight
        behind = _beginning(of_state if direct is None else of_state + direct, behind, behind.shape[0])
        if cell_behind is not None:
            cell_behind = _beginning(of_cell, cell_behind, cell_behind.shape[0])
        gradients.append((of_given, of_hidden))
    forwards = gradients if backwards else gradients[::-1]
    return (
        xp.concat([m[0] for m in forwards]),
        xp.concat([m[1] for m in forwards]) if mode == "GRU" else none,
        behind,
        cell_behind if lstm else none,
    )
