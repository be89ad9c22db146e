"""Layouts that nobody uses any more: they refer to themselves and to each other, and would stay where no garbage is collected."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from .layout import Layout

__all__ = ["let_go"]

_put: Final = object.__setattr__
_COUNTED: Final = getattr(sys, "_is_gil_enabled", lambda: True)()
"""Whether a count of references is exact: without Python's lock, other threads have counts of their own."""


def let_go(layouts: Sequence[Layout]) -> list[Layout]:
    """Take the layouts that nobody holds but each other apart.

    Args:
        layouts: all that were made, and are in no table now.

    Returns:
        Those that are in use.
    """
    if not _COUNTED:
        return []
    for layout in layouts:
        _put(layout, "met", None)
    inside = Counter([id(other) for layout in layouts for other in (layout.compact, layout.result)])
    (own_count,) = [sys.getrefcount(each) for each in [object()]]  # the list's, the loop's and the call's
    used = [layout for layout in layouts if sys.getrefcount(layout) - own_count > inside[id(layout)]]
    used_ids = set(map(id, used))
    for layout in used:  # which grows meanwhile
        for other in (layout.compact, layout.result):
            if id(other) not in used_ids:
                used_ids.add(id(other))
                used.append(other)
    for layout in layouts:
        if id(layout) not in used_ids:
            _put(layout, "compact", None)
            _put(layout, "result", None)
    return used
