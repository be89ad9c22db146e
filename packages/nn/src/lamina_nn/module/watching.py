"""Watching the calls of modules: while somebody does, modules are called through it; while nobody does, it costs nothing."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from .module import Module

__all__ = ["call_through", "watched_calls"]

Around = Callable[[Module, Callable[[], Any]], Any]

_lock: Final = threading.Lock()
_watchers: Final[list[Around]] = []
_plain: Any = None


def _watched(module: Module, *args: Any, **params: Any) -> Any:
    """In the place of `Module.__call__`: the same call, inside of all watchers."""

    def call() -> Any:
        return _plain(module, *args, **params)

    for around in tuple(_watchers):
        call = _within(around, module, call)
    return call()


def _within(around: Around, module: Module, call: Callable[[], Any]) -> Callable[[], Any]:
    return lambda: around(module, call)


@contextmanager
def watched_calls(around: Around) -> Iterator[None]:
    """In a `with` block, have `around(module, call)` do every call of a module, of all threads; it returns what `call()` does."""
    global _plain
    with _lock:
        _watchers.append(around)
        if Module.__call__ is not _watched:
            _plain, Module.__call__ = Module.__call__, _watched  # type: ignore[method-assign, assignment]
    try:
        yield
    finally:
        with _lock:
            _watchers.remove(around)
            if not _watchers:
                Module.__call__ = _plain  # type: ignore[method-assign]


def call_through(call: Any) -> None:
    """Have modules called by this function from now on, inside of those who watch."""
    global _plain
    with _lock:
        if Module.__call__ is _watched:
            _plain = call
        else:
            Module.__call__ = call  # type: ignore[method-assign]
