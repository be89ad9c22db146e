"""`record_function`: a named region of a program, which profilers that are on see from its beginning to its end."""

from __future__ import annotations

from functools import wraps
from typing import Any, Final, Protocol, Self

__all__ = ["Watcher", "record_function", "watchers"]


class Watcher(Protocol):
    """Who is told of regions."""

    def begin(self, name: str, *, annotation: bool = False) -> Any:
        """A region begins; what is given back is handed to `end`."""

    def end(self, begun: Any) -> None:
        """It ends."""


watchers: Final[list[Watcher]] = []
"""Those that are on."""


class record_function:
    """Name a region of a program in profiles: `with record_function("data"): ...`, or as a decorator.

    Args:
        name: what profiles call it.
        args: accepted; of PyTorch's traces.

    >>> with torch.profiler.profile() as prof:
    ...     with torch.profiler.record_function("double"):
    ...         _ = torch.ones(2) * 2
    >>> [event.name for event in prof.events() if event.is_user_annotation]
    ['double']
    """

    def __init__(self, name: str, args: str | None = None) -> None:
        self.name, self.args = name, args
        self._begun: list[list[tuple[Watcher, Any]]] = []

    def __enter__(self) -> Self:
        self._begun.append([(w, w.begin(self.name, annotation=True)) for w in tuple(watchers)])
        return self

    def __exit__(self, *_: object) -> None:
        for watcher, begun in reversed(self._begun.pop()):
            watcher.end(begun)

    def __call__(self, function: Any) -> Any:
        @wraps(function)
        def within(*args: Any, **params: Any) -> Any:
            with record_function(self.name, self.args):
                return function(*args, **params)

        return within
