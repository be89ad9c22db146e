"""The search for NaN among a node's gradients, which a backward pass makes in anomaly mode."""

from __future__ import annotations

from typing import Any

import lamina_ndarray as nd
from lamina_flatarray import NotFinite

from ..hook_calls import plain
from ..node import Node
from .anomaly_switch import anomaly

__all__ = ["search_gradients"]


def search_gradients(node: Node) -> None:
    """Have a node's gradients searched once, when they are computed.

    Args:
        node: the node.

    Raises (in the backward pass):
        NotFinite: one has NaN.
    """
    if not anomaly.check_nan:
        return
    if node.hooks is None:
        node.hooks = {}
    hooks, key = node.hooks, ("after", -1)

    def search(gradients: tuple[Any, ...], _: Any) -> None:
        del hooks[key]
        for i, g in enumerate(gradients):
            if g is not None and g.dtype.is_inexact and bool(nd.any(nd.isnan(plain(g)))):
                raise NotFinite(f"Function '{node.name()}' returned nan values in its {i}th output.")

    hooks[key] = search
