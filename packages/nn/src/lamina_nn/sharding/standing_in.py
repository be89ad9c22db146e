"""Other tensors in the places of a module's parameters while its forward pass runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..module import Module

__all__ = ["Places"]

Place = tuple[Module, str]


class Places:
    """Where parameters stand: each in one place, or in several that share it.

    Args:
        places: for each parameter, its modules and names.
    """

    def __init__(self, places: Sequence[Sequence[Place]]) -> None:
        self._places = places
        self._before: list[list[Any]] = []

    def put(self, values: Sequence[Any]) -> None:
        """Put a value in the places of each parameter.

        Args:
            values: one for each parameter.
        """
        flat = [(module, name, value) for places, value in zip(self._places, values, strict=True) for module, name in places]
        self._before.append([module._parameters[name] for module, name, _ in flat])
        for module, name, value in flat:
            module._parameters[name] = value

    def restore(self) -> None:
        """Put back what was there before the latest `put`; without one, do nothing."""
        if self._before:
            flat = [place for places in self._places for place in places]
            for (module, name), value in zip(flat, self._before.pop(), strict=True):
                module._parameters[name] = value
