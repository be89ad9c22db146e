"""Gradients of recurrent cells along a sequence; that of the weight is one product over all steps."""

from __future__ import annotations

from typing import Any

from lamina_ndarray import NDArray
from lamina_ndarray.layers.recurrences import recurrence_gradient

from ...autograd.rules import joint_rule, not_differentiable
from ...dispatch.dispatched import dispatched, dispatched_of_list, formula_of

concat = dispatched_of_list("concat")
total, matmul, transpose = dispatched("sum"), dispatched("matmul"), dispatched("transpose")


def _gradients(
    g: Any, y: Any, output: Any, state: Any, cell_state: Any, weight: Any, bias: Any, mode: str, sizes: tuple[int, ...],
    backwards: bool,
) -> Any:  # fmt: skip
    """`output` is y's first part once more: so a change of it in place is noticed."""
    outputs, _, _, cells, kept = y
    used = [part is not None for part in g]
    operands = (g[0], g[1], g[2], state, cell_state, weight, outputs, cells, kept)
    if all(isinstance(x, NDArray) for x in operands if x is not None) and not used[3] and not used[4]:
        results = recurrence_gradient(*operands, mode=mode, sizes=sizes, backwards=backwards)
    else:  # recorded; or beside its results, what they were made of was differentiated
        results = formula_of("recurrence_gradient")(*operands, mode, sizes, backwards, of_cells=g[3], of_kept=g[4])
    of_input, hidden, of_state, of_cell = results
    hidden = hidden if mode == "GRU" else of_input
    of_weight = _product(hidden, outputs, state, sizes, backwards)
    return of_input, of_state, of_cell if mode == "LSTM" else None, of_weight, None if bias is None else total(hidden, (0,))


def _product(hidden: Any, outputs: Any, state: Any, sizes: tuple[int, ...], backwards: bool) -> Any:
    """The gates' gradients times the states before their steps."""
    batch = sizes[0]
    if sizes[-1] == batch:  # all steps are as long: the states before are the outputs, shifted
        begin, rest = (slice(-batch, None), slice(None, -batch)) if backwards else (slice(batch), slice(batch, None))
        result = matmul(transpose(hidden[begin]), state)
        if len(sizes) > 1:
            result = result + matmul(transpose(hidden[rest]), outputs[batch:] if backwards else outputs[:-batch])
        return result
    parts, start = [], 0
    starts = [sum(sizes[:t]) for t in range(len(sizes))]
    for t, n in enumerate(sizes):
        other = t + 1 if backwards else t - 1
        have = min(n, sizes[other]) if 0 <= other < len(sizes) else 0
        start = starts[other] if have else 0
        parts += [outputs[start : start + have], state[have:n]]
    return matmul(transpose(hidden), concat([p for p in parts if p.shape[0]], 0))


joint_rule("recurrence", "given state cell_state weight bias", _gradients, node_name="MkldnnRnnLayerBackward0")
not_differentiable("recurrence_gradient")  # recorded as what it is composed of
