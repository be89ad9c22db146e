"""LSTM, GRU and RNN, step by step.

The equations are those of https://onnx.ai/onnx/operators/onnx__LSTM.html and of the pages of the two others.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import lamina_nn.functional as F
import lamina_tensor as lt
from lamina_tensor import Tensor

from .node import Node, ints, reads

ACTIVATIONS: Final[dict[str, Callable[[Tensor], Tensor]]] = {
    "Sigmoid": lt.sigmoid, "Tanh": lt.tanh, "Relu": F.relu, "Softsign": F.softsign, "Softplus": F.softplus,
}  # fmt: skip
DEFAULTS: Final = {"LSTM": ("Sigmoid", "Tanh", "Tanh"), "GRU": ("Sigmoid", "Tanh"), "RNN": ("Tanh",)}
GATES: Final = {"LSTM": 4, "GRU": 3, "RNN": 1}


class Way:
    """One direction of a recurrent network.

    Args:
        node: the network.
        weights: W (gates, input), R (gates, hidden), B (2 * gates,) or None, P (peepholes,) or None.
        functions: the activations.
    """

    def __init__(self, node: Node, weights: tuple[Any, ...], functions: list[Callable[[Tensor], Tensor]]) -> None:
        self.node, self.functions = node, functions
        self.of_input, self.of_state, bias, self.peepholes = weights
        rows = self.of_input.shape[0]
        biases = lt.zeros(2 * rows) if bias is None else bias
        self.b_input, self.b_state = biases[:rows], biases[rows:]
        self.hidden = self.of_state.shape[1]

    def step(self, x: Tensor, h: Tensor, c: Any) -> tuple[Tensor, Any]:
        """The state after one step."""
        a = lt.add(lt.matmul(x, self.of_input.T), self.b_input)
        if self.node.op_type == "GRU":
            return self._gru(a, h), None
        gates = lt.add(lt.add(a, lt.matmul(h, self.of_state.T)), self.b_state)
        if self.node.op_type == "RNN":
            return self._activated(0, gates), None
        i, o, f, g = lt.split(gates, self.hidden, -1)
        p = None if self.peepholes is None else lt.split(self.peepholes, self.hidden, -1)
        if p is not None:
            i, f = lt.add(i, lt.mul(p[0], c)), lt.add(f, lt.mul(p[2], c))
        i = self._activated(0, i)
        f = lt.sub(1, i) if self.node.get("input_forget", 0) else self._activated(0, f)
        c = lt.add(lt.mul(f, c), lt.mul(i, self._activated(1, g)))
        o = self._activated(0, o if p is None else lt.add(o, lt.mul(p[1], c)))
        return lt.mul(o, self._activated(2, c)), c

    def _gru(self, a: Tensor, h: Tensor) -> Tensor:
        n = self.hidden
        az, ar, ah = lt.split(a, n, -1)
        (wz, wr, wh), (bz, br, bh) = lt.split(self.of_state, n, 0), lt.split(self.b_state, n, 0)
        z = self._activated(0, lt.add(lt.add(az, lt.matmul(h, wz.T)), bz))
        r = self._activated(0, lt.add(lt.add(ar, lt.matmul(h, wr.T)), br))
        if self.node.get("linear_before_reset", 0):
            candidate = lt.add(ah, lt.mul(r, lt.add(lt.matmul(h, wh.T), bh)))
        else:
            candidate = lt.add(lt.add(ah, lt.matmul(lt.mul(r, h), wh.T)), bh)
        return lt.add(lt.mul(lt.sub(1, z), self._activated(1, candidate)), lt.mul(z, h))

    def _activated(self, which: int, x: Tensor) -> Tensor:
        clip = self.node.get("clip")
        return self.functions[which](x if clip is None else lt.clamp(x, -clip, clip))

    def run(self, x: Tensor, h: Tensor, c: Any, lengths: Any) -> tuple[Tensor, Tensor, Any]:
        """All steps over (steps, batch, input); where lengths are given, a sequence's state stays as it was at its end."""
        outputs = []
        for step in range(x.shape[0]):
            new_h, new_c = self.step(x[step], h, c)
            if lengths is not None:
                runs = lt.unsqueeze(lt.gt(lengths, step), -1)
                outputs.append(lt.where(runs, new_h, lt.zeros_like(new_h)))
                new_h, new_c = lt.where(runs, new_h, h), None if c is None else lt.where(runs, new_c, c)
            else:
                outputs.append(new_h)
            h, c = new_h, new_c
        return lt.stack(outputs), h, c


@reads("LSTM", "GRU", "RNN")
def recurrent(
    node: Node,
    x: Tensor,
    w: Tensor,
    r: Tensor,
    b: Any = None,
    lengths: Any = None,
    h: Any = None,
    c: Any = None,
    p: Any = None,
) -> Any:
    """Run LSTM, GRU and RNN."""
    direction, ways = node.get("direction", "forward"), w.shape[0]
    per_batch = bool(node.get("layout", 0))
    if per_batch:
        x = lt.transpose(x, 0, 1)
        h, c = (None if s is None else lt.transpose(s, 0, 1) for s in (h, c))
    if lengths is not None and all(n == x.shape[0] for n in ints(lengths)):
        lengths = None
    if lengths is not None and direction != "forward":
        raise node.unsupported("backwards with sequence_lens")
    names = list(node.get("activations", DEFAULTS[node.op_type] * ways))
    if node.get("activation_alpha") or node.get("activation_beta") or set(names) - ACTIVATIONS.keys():
        raise node.unsupported(f"with the activations {names} or settings of them")
    each = len(DEFAULTS[node.op_type])
    outputs, last_h, last_c = [], [], []
    for d in range(ways):
        weights = (w[d], r[d], None if b is None else b[d], None if p is None else p[d])
        way = Way(node, weights, [ACTIVATIONS[n] for n in names[d * each : (d + 1) * each]])
        zeros = lt.zeros(x.shape[1], way.hidden, dtype=x.dtype)
        first_c = None if node.op_type != "LSTM" else zeros if c is None else c[d]
        backwards = direction == "reverse" or d == 1
        ys, end_h, end_c = way.run(lt.flip(x, (0,)) if backwards else x, zeros if h is None else h[d], first_c, lengths)
        outputs.append(lt.flip(ys, (0,)) if backwards else ys)
        last_h.append(end_h)
        last_c.append(end_c)
    result = [lt.stack(outputs, 1), lt.stack(last_h)] + ([lt.stack(last_c)] if node.op_type == "LSTM" else [])
    if per_batch:
        result = [lt.permute(result[0], (2, 0, 1, 3)), *(lt.transpose(s, 0, 1) for s in result[1:])]
    return tuple(result)
