"""The search for NaN among a node's gradients, which a backward pass makes in anomaly mode."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any, Final

import lamina_ndarray as nd
from lamina_flatarray import NotFinite

from ..hook_calls import plain
from ..node import Node

__all__ = ["check_nan", "search_gradients"]

check_nan: Final[ContextVar[bool]] = ContextVar("lamina_anomaly_check_nan", default=True)
"""Whether anomaly mode searches gradients for NaN."""


def search_gradients(node: Node) -> None:
    """Have a node's gradients searched once, when they are computed.

    Args:
        node: the node.

    Raises (in the backward pass):
        NotFinite: one has NaN.
    """
    if not check_nan.get():
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
