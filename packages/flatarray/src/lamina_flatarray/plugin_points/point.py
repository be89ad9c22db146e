"""PluginPoint: what makes one plug-in point different from another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from ..errors import BackendRefused

if TYPE_CHECKING:
    from .offer import Offer

__all__ = ["PluginPoint", "named_as_offered"]

P = TypeVar("P")


def named_as_offered(example: str) -> Callable[[str, Any, Offer | None], None]:
    """Return a check of an object's name: an identifier, and its entry point's if it has one.

    Args:
        example: such a name.

    Returns:
        A function for `PluginPoint.check`.

    >>> from types import SimpleNamespace
    >>> named_as_offered("mpi")("process group 'x'", SimpleNamespace(name="my group"), None)
    Traceback (most recent call last):
      ...
    lamina_flatarray.errors.BackendRefused: process group 'x': its name is 'my group'; it wants one such as 'mpi'
    """

    def check(subject: str, plugged: Any, offer: Offer | None) -> None:
        name = getattr(plugged, "name", None)
        if not isinstance(name, str) or not name.isidentifier():
            raise BackendRefused(f"{subject}: its name is {name!r}; it wants one such as {example!r}")
        if offer and name != offer.name:
            raise BackendRefused(f"{subject}: its object is called {name!r}; it wants its entry point's name")

    return check


@dataclass(frozen=True)
class PluginPoint(Generic[P]):
    """A kind of plug-in.

    Attributes:
        noun: what one is called in messages.
        sought: what a name that nobody offers may have meant.
        group: the entry point group that plug-ins are found by.
        protocol_group: the group whose entry point of the same name tells the contract, read before anything is imported.
        switch: the environment variable that limits which plug-ins are loaded.
        specification: the module with the hook specification.
        hook: the name of its hook.
        protocol: the version of the contract, (major, minor).
        wanted: what a plug-in's object is an instance of.
        check: called with how messages begin, the object and its offer; raises BackendRefused where it breaks the contract.
    """

    noun: str
    sought: str
    group: str
    protocol_group: str
    switch: str
    specification: str
    hook: str
    protocol: tuple[int, int]
    wanted: type[Any]  # not type[P]: it is abstract
    check: Callable[[str, Any, Offer | None], None]
