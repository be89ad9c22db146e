"""Offer: what a distribution's metadata tells of a plug-in."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

__all__ = ["Offer"]

_DECLARATION: Final = re.compile(r"v(\d+)_(\d+)(?::(\w+))?")


class Offer(NamedTuple):
    """A plug-in that a distribution's metadata offers.

    Attributes:
        name: of the entry point, and so of the plug-in.
        value: what to import, `module` or `module:object`.
        distribution, version: who offers it.
        declared: the text of the entry point that tells its contract; empty without one.
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
        """The device type that the metadata of a compute backend declares; by default its name."""
        declaration = _DECLARATION.fullmatch(self.declared.replace(" ", ""))
        return (declaration[3] or self.name) if declaration else self.name

    @property
    def source(self) -> str:
        """Distribution and version."""
        return f"{self.distribution} {self.version}"
