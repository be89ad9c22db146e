"""Watching the making of nodes: while somebody does, nodes are made by another function; while nobody does, it costs nothing."""

from __future__ import annotations

import threading
from collections.abc import Callable
from types import ModuleType
from typing import Any, Final

from lamina_ndarray import NDArray

from ..methods import in_place
from ..transforms import function
from . import recording
from .node import Node, made_node

__all__ = ["unwatched", "watched"]

Watcher = Callable[[Node], None]

_MAKERS: Final[tuple[ModuleType, ...]] = (recording, in_place, function)
_lock: Final = threading.Lock()
_users: Final[dict[Watcher, int]] = {}


def watched(watcher: Watcher) -> None:
    """Have `watcher` see every new node of the process, until `unwatched` has been called as often."""
    with _lock:
        _users[watcher] = _users.get(watcher, 0) + 1
        _switch()


def unwatched(watcher: Watcher) -> None:
    """Take back one `watched`."""
    with _lock:
        _users[watcher] -= 1
        if not _users[watcher]:
            del _users[watcher]
        _switch()


def _switch() -> None:
    for module in _MAKERS:
        module.made_node = _seen_node if _users else made_node  # type: ignore[attr-defined]


def _seen_node(plan: Any, inputs: Any, saved: tuple[Any, ...], result: NDArray) -> Node:
    node = made_node(plan, inputs, saved, result)
    for watcher in tuple(_users):
        watcher(node)
    return node
