"""Which classes and functions of its own a program lets files name: none, until it says so."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any, Final

__all__ = ["add_safe_globals", "allowed", "clear_safe_globals", "get_safe_globals", "safe_globals"]

Global = Callable[..., Any] | tuple[Callable[..., Any], str]

_allowed: Final[list[Global]] = []


def add_safe_globals(safe_globals: Sequence[Global]) -> None:
    """Let files name classes and functions: `load` makes objects of these classes, and calls these functions, as a file says.

    List only what may be called with any arguments whatever.

    Args:
        safe_globals: the classes and functions; a pair is of one, and of the full name that files have for it.

    >>> import datetime
    >>> torch.save({"day": datetime.date(2024, 2, 29)}, "day.pt")
    >>> with torch.serialization.safe_globals([datetime.date]):
    ...     torch.load("day.pt")
    {'day': datetime.date(2024, 2, 29)}
    """
    _allowed.extend(allowed for allowed in safe_globals if allowed not in _allowed)


def get_safe_globals() -> list[Global]:
    """Tell what files may name beside what they always may.

    Returns:
        A new list.

    >>> torch.serialization.get_safe_globals()
    []
    """
    return list(_allowed)


def clear_safe_globals() -> None:
    """Take back what files may name beside what they always may.

    >>> torch.serialization.clear_safe_globals()
    """
    _allowed.clear()


class safe_globals:
    """Let files name classes and functions within a `with` block: see `add_safe_globals`.

    Args:
        safe_globals: the classes and functions.

    >>> with torch.serialization.safe_globals([complex]):
    ...     len(torch.serialization.get_safe_globals())
    1
    """

    def __init__(self, safe_globals: Sequence[Global]) -> None:
        self._within = list(safe_globals)
        self._before: list[Global] = []

    def __enter__(self) -> None:
        self._before = get_safe_globals()
        add_safe_globals(self._within)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        _allowed[:] = self._before


def allowed(name: str) -> Callable[..., Any] | None:
    """The class or function that the program lets files name so, or None.

    Args:
        name: with its module.
    """
    for entry in _allowed:
        listed, known_as = entry if isinstance(entry, tuple) else (entry, f"{entry.__module__}.{entry.__qualname__}")
        if known_as == name:
            return listed
    return None
