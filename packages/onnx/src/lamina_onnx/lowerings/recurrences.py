"""Recurrent networks: each layer, with both of its directions, is one node."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..graph import Graph
from .registry import lowers

ORDER = {"LSTM": (0, 3, 1, 2), "GRU": (1, 0, 2), "RNN_TANH": (0,), "RNN_RELU": (0,)}
"""For each gate in ONNX's order, its place in PyTorch's."""


def in_order(g: Graph, weight: Any, mode: str) -> Any:
    """A weight or a bias with its gates in ONNX's order."""
    order = ORDER[mode]
    if order == tuple(range(len(order))):
        return weight
    hidden = int(weight.shape[0]) // len(order)
    return g.op("Gather", weight, np.concatenate([np.arange(i * hidden, (i + 1) * hidden) for i in order]), axis=0)


def layer(g: Graph, mode: str, x: Any, first: list[Any], ways: list[Any]) -> tuple[Any, ...]:
    """One layer over (steps, batch, features): the outputs (steps, directions, batch, hidden), and the last states."""
    if any(weights[4] is not None for weights in ways):
        raise g.unsupported("with projections")
    lead = np.array([0])

    def stacked(parts: list[Any]) -> Any:
        units = [g.op("Unsqueeze", p, lead) for p in parts]
        return units[0] if len(units) == 1 else g.op("Concat", *units, axis=0)

    of_input, of_state = (stacked([in_order(g, weights[i], mode) for weights in ways]) for i in (0, 1))
    bias = None
    if ways[0][2] is not None:
        bias = stacked([g.op("Concat", *(in_order(g, weights[i], mode) for i in (2, 3)), axis=0) for weights in ways])
    hidden = int(ways[0][1].shape[1])
    settings: dict[str, Any] = {"hidden_size": hidden, "direction": "forward" if len(ways) == 1 else "bidirectional"}
    if mode == "GRU":
        settings["linear_before_reset"] = 1  # the reset gate multiplies the product with the last state
    if mode == "RNN_RELU":
        settings["activations"] = ["Relu"] * len(ways)
    op_type = mode.partition("_")[0]
    return tuple(g.op(op_type, x, of_input, of_state, bias, None, *first, outputs=1 + len(first), **settings))


@lowers("along_layers")
def along_layers(
    g: Graph, mode: str, input: Any, batch_sizes: Any, states: Any, weights: Any, directions: int, dropout: float = 0.0
) -> Any:
    """Write a sequence through all layers, each as LSTM, GRU or RNN."""
    if batch_sizes is not None:
        raise g.unsupported("of packed sequences")
    if dropout:
        raise g.unsupported("with dropout")
    x: Any = input
    ends: list[list[Any]] = [[] for _ in states]
    for start in range(0, len(weights), directions):
        at = np.arange(start, start + directions)
        first = [g.op("Gather", s, at, axis=0) if len(weights) > directions else s for s in states]
        outputs, *last = layer(g, mode, x, first, weights[start : start + directions])
        x = g.op("Reshape", g.op("Transpose", outputs, perm=[0, 2, 1, 3]), np.array([0, 0, -1]))
        for kept, end in zip(ends, last, strict=True):
            kept.append(end)
    return x, tuple([parts[0] if len(parts) == 1 else g.op("Concat", *parts, axis=0) for parts in ends])


@lowers("cell")
def cell(g: Graph, mode: str, input: Any, state: Any, weights: Any) -> Any:
    """Write `cell` as Unsqueeze and Squeeze."""
    lead = np.array([0])
    first = [g.op("Unsqueeze", s, lead) for s in state]
    _, *last = layer(g, mode, g.op("Unsqueeze", input, lead), first, [weights])
    return tuple([g.op("Squeeze", end, lead) for end in last])
