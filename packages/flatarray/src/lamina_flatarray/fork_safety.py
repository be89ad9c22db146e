"""A forked child finds every lock free, whoever held it in the parent, and no module half imported."""

from __future__ import annotations

import importlib
import os
import threading
import weakref
from time import monotonic, sleep
from typing import Any, Final, TypeVar

__all__ = ["fork_safe"]

L = TypeVar("L")

_PATIENCE: Final = 0.5
"""Seconds that a fork waits, all in all, for other threads to let go of what they hold."""

_known: Final[weakref.WeakValueDictionary[int, Any]] = weakref.WeakValueDictionary()
_forking: Final = threading.RLock()  # one fork at a time: `_forker` and `_held` are its own
_forker: int | None = None
_held: Final[list[Any]] = []


def fork_safe(lock: L) -> L:
    """Have a lock free in a child that is forked while another thread holds it, and return it.

    A fork waits for the lock, so that what it guards is whole in the child. It does not wait for ever: a lock that
    is held too long is made anew in the child.

    Args:
        lock: a `threading.Lock` or `threading.RLock`; with the latter the thread that holds it may fork itself.

    Returns:
        The lock itself.

    >>> import threading
    >>> with fork_safe(threading.RLock()):
    ...     pass
    """
    _known[id(lock)] = lock
    return lock


def _locks() -> list[Any]:
    return [lock for reference in _known.valuerefs() if (lock := reference()) is not None]


def _imported_elsewhere() -> bool:
    """Whether another thread is importing: Python leaves a module's lock held in the child, which waits for it for ever."""
    me = threading.get_ident()
    references = getattr(importlib._bootstrap, "_module_locks", {}).copy().values()
    return any(getattr(reference(), "owner", None) not in (None, me) for reference in references)


def _before() -> None:
    global _forker
    _forking.acquire()
    _forker = threading.get_ident()
    until = monotonic() + _PATIENCE
    for lock in _locks():
        if lock.acquire(timeout=max(0.0, until - monotonic())):
            _held.append(lock)
    while _imported_elsewhere() and monotonic() < until:
        sleep(0.001)


def _release() -> None:
    global _forker
    if _forker != threading.get_ident():
        return  # Ctrl-C while another thread forked
    while _held:
        _held.pop().release()
    _forker = None
    _forking.release()


def _in_child() -> None:
    held = set(map(id, _held))
    for lock in _locks():
        if id(lock) not in held:
            lock._at_fork_reinit()
    if _forker != threading.get_ident():
        _forking._at_fork_reinit()  # type: ignore[attr-defined]
    _release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before, after_in_parent=_release, after_in_child=_in_child)
