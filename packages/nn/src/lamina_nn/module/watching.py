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
    """A module's call inside of all watchers, the latest outermost."""
    for around in _watchers.get():
        call = _within(around, module, call)
    return call()


def _within(around: Around, module: Module, call: Callable[[], Any]) -> Callable[[], Any]:
    return lambda: around(module, call)


@contextmanager
def watched_calls(around: Around) -> Iterator[None]:
    """In a `with` block, have `around(module, call)` do this thread's or task's calls of modules; it returns what `call()` does."""
    _watchers.set((*_watchers.get(), around))
    switch(WATCHED_MODULES, True)
    try:
        yield
    finally:  # others may have begun meanwhile and go on
        others = tuple(watcher for watcher in _watchers.get() if watcher != around)
        _watchers.set(others)
        switch(WATCHED_MODULES, bool(others))
