"""Tables of functions by name, which are filled where the functions stand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

__all__ = ["F", "enters"]

F = TypeVar("F", bound=Callable[..., Any])


def enters(table: dict[str, Callable[..., Any]], names: tuple[str, ...]) -> Callable[[F], F]:
    """Decorate what a table has under these names.

    Raises:
        ValueError: it has one already.
    """

    def entered(function: F) -> F:
        for name in names:
            if name in table:
                raise ValueError(f"there are two functions for {name!r}")
            table[name] = function
        return function

    return entered
