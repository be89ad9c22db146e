"""The gradient of dropout: the same items of it are kept, so that it is its own gradient."""

from __future__ import annotations

from typing import Any

from lamina_ndarray.layers.dropout import dropout_gradient

from ...autograd.recording import array_of, recorded
from ...autograd.rules import RULES, rule
from ...tensor_fields import AnyTensor


def _kept(g: Any, kept: Any, p: float, layout: Any) -> Any:
    if not isinstance(g, AnyTensor):
        return dropout_gradient(g, kept, p, layout)
    bits = array_of(kept)
    return recorded(RULES["dropout_gradient"], dropout_gradient(g.array, bits, p, layout), (g, bits), p=p, layout=layout)


rule("dropout", inputs="x kept", x=_kept, node_name="MulBackward0")
rule("dropout_gradient", gradient=_kept, node_name="MulBackward0")
