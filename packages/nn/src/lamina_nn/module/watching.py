"""Watching the calls of modules in a thread or task: while somebody does, calls run inside of their watchers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Final

from lamina_flatarray.modes import WATCHED_MODULES, switch

if TYPE_CHECKING:
    from .module import Module

__all__ = ["Around", "watched", "watched_calls"]

Around = Callable[["Module", Callable[[], Any]], Any]

_watchers: Final[ContextVar[tuple[Around, ...]]] = ContextVar("lamina_module_watchers", default=())


def watched(module: Module, call: Callable[[], Any]) -> Any:
    """Run a module's call inside of all watchers, the latest outermost.

    Args:
        module: the module.
        call: the call, without arguments.

    Returns:
        What the outermost watcher returns.
    """
    for around in _watchers.get():
        call = _within(around, module, call)
    return call()


def _within(around: Around, module: Module, call: Callable[[], Any]) -> Callable[[], Any]:
    return lambda: around(module, call)


@contextmanager
def watched_calls(around: Around) -> Iterator[None]:
    """Have a function run this thread's or task's calls of modules, in a `with` block.

    Args:
        around: is called with the module and its call, and returns what the call does.

    Returns:
        A context manager.
    """
    _watchers.set((*_watchers.get(), around))
    switch(WATCHED_MODULES, True)
    try:
        yield
    finally:  # others may have begun meanwhile and go on
        others = tuple(watcher for watcher in _watchers.get() if watcher != around)
        _watchers.set(others)
        switch(WATCHED_MODULES, bool(others))
