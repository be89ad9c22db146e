"""PluginPoint: what makes one plug-in point different from another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from .offer import Offer

__all__ = ["PluginPoint"]

P = TypeVar("P")


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
