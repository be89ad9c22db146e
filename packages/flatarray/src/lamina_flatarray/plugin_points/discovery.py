"""Which plug-ins are installed: one reading of the distributions' metadata, which imports none of them.

A point's environment variable limits it: `none` reads nothing at all, `a,b` admits only these, `-c` all but that one.
"""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from ..fork_safety import fork_safe
from .offer import Offer
from .point import PluginPoint

__all__ = ["offers", "switched_off"]

_FAMILY: Final = "lamina."
_lock: Final = fork_safe(threading.RLock())
_read: list[_Distribution] | None = None
_found: Final[dict[str, Mapping[str, tuple[Offer, ...]]]] = {}  # by group: as many as there are plug-in points


class _Distribution(NamedTuple):
    """A distribution, and its entry points of groups of ours: group, name, value."""

    name: str
    version: str
    points: tuple[tuple[str, str, str], ...]


def offers(point: PluginPoint[Any]) -> Mapping[str, tuple[Offer, ...]]:
    """What is installed for a plug-in point, by name in order; several offers under one name are of different distributions.

    The first call reads the metadata, once per process for all points.
    """
    global _read
    if _switch(point).strip() == "none":
        return {}
    found = _found.get(point.group)
    if found is None:
        with _lock:
            if _read is None:
                _read = list(_everything())
            found = _found[point.group] = _offered(point, _read)
    return found


def switched_off(point: PluginPoint[Any], name: str) -> str | None:
    """Why the environment keeps a plug-in of this name from being loaded, or None when it may be."""
    setting = _switch(point)
    words = [word.strip() for word in setting.split(",") if word.strip()]
    allowed = [word for word in words if not word.startswith("-")]
    if f"-{name}" in words or (allowed and name not in allowed):
        return f"switched off by {point.switch}={setting}"
    return None


def _switch(point: PluginPoint[Any]) -> str:
    return os.environ.get(point.switch, "")


def _offered(point: PluginPoint[Any], read: list[_Distribution]) -> dict[str, tuple[Offer, ...]]:
    by_name: dict[str, dict[str, Offer]] = {}
    for distribution in read:
        declared = {name: value for group, name, value in distribution.points if group == point.protocol_group}
        key = re.sub(r"[-_.]+", "-", distribution.name).lower()
        for group, name, value in distribution.points:
            if group != point.group:
                continue
            offer = Offer(name, value, distribution.name, distribution.version, declared.get(name, ""))
            same_name = by_name.setdefault(name, {})
            first = same_name.get(key)
            if first is None:
                same_name[key] = offer
            elif first.version != offer.version:
                same_name[key] = first._replace(shadowed=(*first.shadowed, offer.version))
    return {name: tuple(offered[key] for key in sorted(offered)) for name, offered in sorted(by_name.items())}


def _everything() -> Iterator[_Distribution]:
    from importlib import metadata  # costs as much as half of numpy: only who looks for plug-ins pays

    for distribution in metadata.distributions():
        try:
            if _FAMILY not in (distribution.read_text("entry_points.txt") or ""):
                continue
            points = tuple((point.group, point.name, point.value) for point in distribution.entry_points if point.group.startswith(_FAMILY))
            description = distribution.metadata
            name, version = description["Name"] or "(a distribution without a name)", description["Version"] or "(no version)"
        except Exception:
            continue
        yield _Distribution(name, version, points)
