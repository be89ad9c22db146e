"""Other tensors in the places of a module's parameters while its forward pass runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lamina_flatarray import UsageError

from ..module import Module
from .distributed_tensor import DTensor

__all__ = ["Place", "Places"]

Place = tuple[Module, str]


class Places:
    """Where parameters stand: each in one place, or in several that share it.

    Args:
        name: the function that put them there.
        parameters: the parameters.
        places: for each, its modules and names.
    """

    def __init__(self, name: str, parameters: Sequence[DTensor], places: Sequence[Sequence[Place]]) -> None:
        self._name = name
        self._all = [(module, key, p, i) for i, (p, each) in enumerate(zip(parameters, places, strict=True)) for module, key in each]
        self._before: list[list[Any]] = []

    def put(self, values: Sequence[Any]) -> None:
        """Put a value in the places of each parameter.

        Args:
            values: one for each parameter.

        Raises:
            UsageError: something else stands in the place of a parameter.
        """
        before: list[Any] = [module._parameters[key] for module, key, _, _ in self._all]
        if not self._before:
            for (_, key, p, _), there in zip(self._all, before, strict=True):
                if there is not p:
                    raise UsageError(
                        f"{self._name}: the parameter {key!r} was replaced since; copy into it, as load_state_dict does without assign=True"
                    )
        self._before.append(before)
        for module, key, _, i in self._all:
            module._parameters[key] = values[i]

    def restore(self) -> None:
        """Put back what was there before the latest `put`; without one, do nothing."""
        if self._before:
            for (module, key, _, _), value in zip(self._all, self._before.pop(), strict=True):
                module._parameters[key] = value
