"""Which plug-ins are installed: one reading of the distributions' metadata, which imports none of them.

`LAMINA_BACKENDS` limits it: `none` reads nothing at all, `a,b` admits only these, `-c` all but that one.
"""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from ..fork_safety import fork_safe

__all__ = ["GROUP", "PROTOCOL_GROUP", "Offer", "offers", "switched_off"]

GROUP: Final = "lamina.backends"
PROTOCOL_GROUP: Final = "lamina.protocol"

_DECLARATION: Final = re.compile(r"v(\d+)_(\d+)(?::(\w+))?")
_lock: Final = fork_safe(threading.RLock())
_found: Mapping[str, tuple[Offer, ...]] | None = None


class Offer(NamedTuple):
    """A backend that a distribution's metadata offers.

    Attributes:
        name: of the entry point, and so of the backend.
        value: what to import, `module` or `module:object`.
        distribution, version: who offers it.
        declared: the text of its `lamina.protocol` entry point; empty without one.
        shadowed: other versions whose stale metadata lies behind this one, as a broken upgrade leaves it.
    """

    name: str
    value: str
    distribution: str
    version: str
    declared: str = ""
    shadowed: tuple[str, ...] = ()

    @property
    def protocol(self) -> tuple[int, int] | None:
        """The protocol that the metadata declares, if it does so legibly."""
        declaration = _DECLARATION.fullmatch(self.declared.replace(" ", ""))
        return (int(declaration[1]), int(declaration[2])) if declaration else None

    @property
    def device_type(self) -> str:
        """The device type that the metadata declares; by default the backend's name."""
        declaration = _DECLARATION.fullmatch(self.declared.replace(" ", ""))
        return (declaration[3] or self.name) if declaration else self.name

    @property
    def source(self) -> str:
        """Distribution and version."""
        return f"{self.distribution} {self.version}"


def offers() -> Mapping[str, tuple[Offer, ...]]:
    """What is installed, by name in order; several offers under one name are of different distributions.

    The first call reads the metadata, once per process.
    """
    global _found
    if _switch().strip() == "none":
        return {}
    if _found is None:
        with _lock:
            if _found is None:
                _found = _scan()
    return _found


def switched_off(name: str) -> str | None:
    """Why the environment keeps a plug-in of this name from being loaded, or None when it may be."""
    setting = _switch()
    words = [word.strip() for word in setting.split(",") if word.strip()]
    allowed = [word for word in words if not word.startswith("-")]
    if f"-{name}" in words or (allowed and name not in allowed):
        return f"switched off by LAMINA_BACKENDS={setting}"
    return None


def _switch() -> str:
    return os.environ.get("LAMINA_BACKENDS", "")


def _scan() -> dict[str, tuple[Offer, ...]]:
    by_name: dict[str, dict[str, Offer]] = {}
    for offer in _everything():
        same_name = by_name.setdefault(offer.name, {})
        key = re.sub(r"[-_.]+", "-", offer.distribution).lower()
        first = same_name.get(key)
        if first is None:
            same_name[key] = offer
        elif first.version != offer.version:
            shadowed = (*first.shadowed, offer.version)
            same_name[key] = Offer(first.name, first.value, first.distribution, first.version, first.declared, shadowed)
    return {name: tuple(offered[key] for key in sorted(offered)) for name, offered in sorted(by_name.items())}


def _everything() -> Iterator[Offer]:
    from importlib import metadata  # costs as much as half of numpy: only who looks for plug-ins pays

    for distribution in metadata.distributions():
        try:
            yield from _of(distribution)
        except Exception:
            continue


def _of(distribution: Any) -> list[Offer]:
    text = distribution.read_text("entry_points.txt") or ""
    if GROUP not in text:
        return []
    points = distribution.entry_points
    declared = {point.name: point.value for point in points if point.group == PROTOCOL_GROUP}
    description = distribution.metadata
    name, version = description["Name"] or "(a distribution without a name)", description["Version"] or "(no version)"
    return [
        Offer(point.name, point.value, name, version, declared.get(point.name, ""))
        for point in points
        if point.group == GROUP
    ]
