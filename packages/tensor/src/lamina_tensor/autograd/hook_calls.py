"""Hooks as a backward pass calls them: on the gradient of a result, before a node's own gradients are computed, and after."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from typing import Any, Final

from lamina_flatarray import AutogradError
from lamina_ndarray import NDArray

from ..tensor_fields import AnyTensor, tensor_of
from .node import RETAINED, Node

__all__ = ["Seen", "current_pass", "hooked", "hooked_after", "plain"]

Seen = dict[Callable[[list[Any]], None], list[Any]]
"""What is called at the end of a pass -> the gradients that it has seen, None for those that have not come."""

current_pass: Final[ContextVar[Seen]] = ContextVar("lamina_backward_pass")
"""What hooks of several tensors have seen in the backward pass that is under way in this thread or task."""


def plain(g: Any) -> NDArray:
    """A gradient as an array."""
    array: NDArray = g.array if isinstance(g, AnyTensor) else g
    return array


def hooked(hooks: dict[Any, Any], g: Any, create_graph: bool) -> Any:
    """A gradient after the hooks of its tensor, the one that retains it, and those before its node; each may give another."""
    stages = ("", RETAINED[0], "before")
    for when, hook in [(at, hook) for stage in stages for (at, _), hook in hooks.items() if at == stage]:
        if isinstance(g, list):
            g = _hooked_together(hook, g, create_graph)
            continue
        gradient = g if isinstance(g, AnyTensor) else tensor_of(g)
        answer = hook((gradient,)) if when == "before" else hook(gradient)
        if isinstance(answer, tuple):
            (answer,) = answer
        if answer is not None:
            if answer.shape != gradient.shape:
                raise AutogradError(f"hook has changed the size of the gradient: {gradient.shape} to {answer.shape}")
            g = answer if create_graph or answer.is_sparse else plain(answer)
    return g


def _hooked_together(hook: Any, gradients: list[Any], create_graph: bool) -> list[Any]:
    """The gradients of an op's several results, None for those that have none, after a hook that is called before its node."""
    shown = tuple(tensor_of(g) if isinstance(g, NDArray) else g for g in gradients)
    answer = hook(shown)
    if answer is None:
        return gradients
    for before, after in zip(shown, answer, strict=True):
        if before is not None and after is not None and after.shape != before.shape:
            raise AutogradError(f"hook has changed the size of the gradient: {before.shape} to {after.shape}")
    return [g if g is None or create_graph else plain(g) for g in answer]


def hooked_after(node: Node, given: Any, g: Any, values: Any, create_graph: bool) -> list[Any]:
    """A node's gradients, one per input, after the hooks that see them all; `given` is the gradient of its result."""
    gradients: list[Any] = [None] * len(node.inputs)
    for i, function, places in node.plan.steps:
        gradients[i] = function(g, *[values[p] for p in places])
    shown = tuple(tensor_of(x) if isinstance(x, NDArray) else x for x in gradients)
    outputs = tuple(tensor_of(x) if isinstance(x, NDArray) else x for x in (given if isinstance(given, list) else [given]))
    for (when, _), hook in list((node.hooks or {}).items()):
        if when == "after" and (answer := hook(shown, outputs)) is not None:
            shown = tuple(answer)
    return list(shown) if create_graph else [x if x is None else plain(x) for x in shown]
