"""The kernels that a program has put before a backend's own: what tables ask for when they make an entry, and what is told."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Final

from ..contract import Kernel
from ..fork_safety import fork_safe
from ..twins import forget_plans

__all__ = ["changes", "listed", "lock", "put", "replacement", "take_all_back", "take_back"]

lock: Final = fork_safe(threading.RLock())
"""Held while replacements change, and while a table keeps an entry that was made without a change in between."""

_kernels: dict[tuple[str, str, str], tuple[tuple[object, Kernel], ...]] = {}
"""By backend, op and dtype: who put it there, and the kernel; the last one is in force."""
_changes: int = 0


def changes() -> int:
    """Return how often replacements have changed."""
    return _changes


def replacement(backend: str, op: str, dtype: str) -> Kernel | None:
    """Return the kernel that is in force in the place of a backend's own, or None."""
    kernels = _kernels.get((backend, op, dtype))
    return kernels[-1][1] if kernels else None


def put(owner: object, backend: str, op: str, dtypes: tuple[str, ...], kernel: Kernel) -> None:
    """Put a kernel before a backend's own, and before those that were put there earlier. `lock` is held."""
    global _changes
    _changes += 1
    forget_plans()
    for dtype in dtypes:
        key = backend, op, dtype
        _kernels[key] = (*_kernels.get(key, ()), (owner, kernel))


def take_back(owner: object) -> None:
    """Take back what an owner put there, wherever it stands among others. `lock` is held."""
    _keep(lambda backend, other: other is not owner)


def take_all_back(backend: str) -> None:
    """Take back all kernels that were put before those of a backend, which is going."""
    with lock:
        _keep(lambda other, owner: other != backend)


def _keep(stays: Callable[[str, object], bool]) -> None:
    global _changes
    _changes += 1
    forget_plans()
    for key, kernels in list(_kernels.items()):
        remaining = tuple((owner, kernel) for owner, kernel in kernels if stays(key[0], owner))
        if remaining:
            _kernels[key] = remaining
        else:
            del _kernels[key]


def listed(backend: str) -> tuple[str, ...]:
    """Return the ops of a backend that are overridden, each with its dtypes, such as "relu (float32, float64)"."""
    with lock:
        keys = list(_kernels)
    ops = dict.fromkeys(op for name, op, _ in keys if name == backend)
    return tuple(f"{op} ({', '.join(d for name, o, d in keys if (name, o) == (backend, op))})" for op in ops)
