"""Hooks of several tensors at once: called once in each backward pass, with the gradients of those that it reached.

While there is one, passes are run by another function; while there is none, it costs nothing.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from . import engine
from .modes import set_grad_enabled
from .node import RemovableHandle

if TYPE_CHECKING:
    from ..tensor import Tensor

__all__ = ["MultiHandle", "register_multi_grad_hook"]


class _Passes(threading.local):
    def __init__(self) -> None:
        self.stack: list[dict[MultiHandle, list[Tensor | None]]] = []  # per pass under way, what each hook has seen


_passes: Final = _Passes()
_lock: Final = threading.Lock()
_plain_run: Final = engine._run
_users = 0


class MultiHandle:
    """Takes a hook of several tensors away again; `with handle: ...` does so at the end."""

    def __init__(self, handles: tuple[RemovableHandle, ...], hook: Callable[..., Any] | None) -> None:
        self.handles = handles
        self.hook = hook

    def remove(self) -> None:
        """Take the hook away; a second time does nothing."""
        if self.handles:
            for handle in self.handles:
                handle.remove()
            self.handles = ()
            _switch(-1)

    def __enter__(self) -> MultiHandle:
        return self

    def __exit__(self, *_: object) -> None:
        self.remove()


def register_multi_grad_hook(tensors: Sequence[Tensor], fn: Callable[..., Any], *, mode: str = "all") -> MultiHandle:
    """Call a hook in every backward pass that computes a gradient of one of `tensors`.

    Args:
        tensors: at least one; all require gradients, or, with "any", those that do not are left out.
        fn: called with the list of gradients, None for tensors that the pass does not reach; with "any", with the gradient
            that comes first. What it returns is not used.
        mode: "all": once the gradients of all tensors that the pass reaches are there; here, that is the end of the pass,
            before any `grad` is added to. "any": at the first.

    Raises:
        ValueError: `mode` is something else.
        AutogradError: with "all", a tensor does not require gradients.
    """
    if mode not in ("all", "any"):
        raise ValueError(f"Expects mode to be one of ('all', 'any') but got {mode}")
    made = MultiHandle((), fn if mode == "all" else None)

    def seen(i: int) -> Callable[[Tensor], None]:
        def hook(g: Tensor) -> None:
            first = made not in _passes.stack[-1]
            _passes.stack[-1].setdefault(made, [None] * len(tensors))[i] = g
            if first and mode == "any":
                fn(g)

        return hook

    made.handles = tuple([t.register_hook(seen(i)) for i, t in enumerate(tensors) if mode == "all" or t.requires_grad])
    if made.handles:
        _switch(1)
    return made


def _run(roots: Any, seeds: Any, keep: bool, create_graph: bool, wanted: Any) -> Any:
    """A backward pass, and then the hooks that wait for its end."""
    _passes.stack.append({})
    try:
        found = _plain_run(roots, seeds, keep, create_graph, wanted)
        for handle, gradients in list(_passes.stack[-1].items()):
            if handle.hook is not None:
                with set_grad_enabled(create_graph):
                    handle.hook(gradients)
        return found
    finally:
        _passes.stack.pop()


def _switch(users: int) -> None:
    global _users
    with _lock:
        _users += users
        engine._run = _run if _users else _plain_run
