"""Leaves whose gradients are accumulated while the backward pass still runs, as hooks wait for them."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from typing import Any, Final

from .node import Edge, Node

__all__ = ["awaited_leaves", "edges_to_leaves", "expect"]

awaited_leaves: Final[dict[int, weakref.ref[Any]]] = {}
"""Leaves that were given such hooks, by identity."""


def expect(leaf: Any) -> dict[Any, Any]:
    """Have passes accumulate a leaf's gradient as soon as it is complete.

    Args:
        leaf: the leaf.

    Returns:
        The dict of its hooks, which the pass then calls.
    """
    key = id(leaf)
    awaited_leaves[key] = weakref.ref(leaf, lambda _: awaited_leaves.pop(key, None))
    hooks: dict[Any, Any] = leaf.__dict__.setdefault("post_accumulate_hooks", {})
    return hooks


def edges_to_leaves(starts: Sequence[Edge]) -> dict[Edge, int] | None:
    """Return how many edges lead to each leaf with hooks.

    Args:
        starts: the nodes where a pass begins.

    Returns:
        A dict from leaves to numbers; None where no leaf has such hooks.
    """
    if not awaited_leaves:
        return None
    for key, leaf in awaited_leaves.copy().items():  # at once: in a loop over the dict itself, garbage may go that is in it
        if not getattr(leaf(), "__dict__", {}).get("post_accumulate_hooks"):
            awaited_leaves.pop(key, None)
    counts: dict[Edge, int] = {}
    stack: list[Any] = [start for start in starts if isinstance(start, Node)]
    seen = set(stack)
    while stack and awaited_leaves:
        for edge in stack.pop().inputs:
            if isinstance(edge, Node):
                if edge not in seen:
                    seen.add(edge)
                    stack.append(edge)
            elif edge is not None and id(edge) in awaited_leaves:
                counts[edge] = counts.get(edge, 0) + 1
    return counts or None
