"""Registrations: a dict that modules fill as they are imported, and that imports them when it is first asked."""

from __future__ import annotations

from importlib import import_module
from typing import TypeVar

__all__ = ["Registrations"]

Entry = TypeVar("Entry")


class Registrations(dict[str, Entry]):
    """Entries by name; whoever knows modules that register some lists them here, and they are imported at the first look-up.

    Attributes:
        modules: those not imported yet.

    >>> kernels = Registrations()
    >>> kernels.modules.append("colorsys")  # which registers nothing
    >>> "tanh" in kernels, kernels.modules
    (False, [])
    """

    __slots__ = ("modules",)

    def __init__(self) -> None:
        super().__init__()
        self.modules: list[str] = []

    def load(self) -> None:
        """Import the modules that are listed.

        >>> kernels = Registrations()
        >>> kernels.load()
        """
        while self.modules:
            name = self.modules[-1]
            import_module(name)  # first: another thread that finds the list empty must find the dict full
            if name in self.modules:
                self.modules.remove(name)

    def __missing__(self, name: str) -> Entry:
        if not self.modules:
            raise KeyError(name)
        self.load()
        return self[name]

    def __contains__(self, name: object) -> bool:
        self.load()
        return super().__contains__(name)

    def get(self, name: str, default: Entry | None = None, /) -> Entry | None:  # type: ignore[override]
        """Return an entry, or the default where there is none.

        Args:
            name: which entry.
            default: what comes back where there is none.

        Returns:
            The entry, or the default.

        >>> Registrations().get("tanh") is None
        True
        """
        self.load()
        return super().get(name, default)
