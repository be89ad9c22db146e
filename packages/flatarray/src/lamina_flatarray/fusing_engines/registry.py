"""The fusing engines of this process by name: registered here, or plug-ins that are loaded when first wanted."""

from __future__ import annotations

from typing import Final

from ..errors import BackendError
from ..plugin_points.point import PluginPoint, named_as_offered
from ..plugin_points.registry import PluginRegistry, PluginStatus
from .contract import PROTOCOL, FusingEngine

__all__ = ["FUSING_ENGINES", "engine", "first", "names", "register", "status", "unregister"]

FUSING_ENGINES: Final[PluginPoint[FusingEngine]] = PluginPoint(
    "fusing engine", "fusing engine", "lamina.fusing_engines", "lamina.fusing_engine_protocol", "LAMINA_FUSING_ENGINES",
    "lamina_flatarray.fusing_engines.hookspec", "lamina_fusing_engine", PROTOCOL, FusingEngine, named_as_offered("llvm"),
)  # fmt: skip
"""Fusing engines, as a kind of plug-in."""

_engines: Final[PluginRegistry[FusingEngine]] = PluginRegistry(FUSING_ENGINES, {}, {"llvm": "lamina-fusing-llvm"})


def engine(name: str) -> FusingEngine:
    """Return the engine of this name, loaded and able to run here.

    Args:
        name: such as "llvm".

    Returns:
        The one engine of this name in this process.

    Raises:
        UnknownBackend: nobody offers it.
        BackendFailedToLoad: it is installed, but its code raised, or two distributions offer the name.
        ProtocolMismatch: it speaks another version of the contract.
        NoHardware: it loaded, but cannot run here.

    >>> all(engine(line.name).name == line.name for line in status() if line.state == "available")
    True
    """
    return _engines.ready(name)


def first() -> FusingEngine | None:
    """Return the engine that backends use: the first that can run here; None where there is none, and steps are taken one by one.

    Returns:
        A `FusingEngine`, or None. Why an engine that is installed was not taken, `status` tells.

    >>> first() is first()
    True
    """
    for name in names():
        try:
            return _engines.ready(name)
        except BackendError:  # its state tells
            continue
    return None


def register(engine: FusingEngine) -> FusingEngine:
    """Add an engine to this process, without a plug-in, and return it.

    Args:
        engine: an object that keeps to the contract; its `name` must be free.

    Returns:
        The same object.

    Raises:
        ProtocolMismatch, BackendRefused: it does not keep to the contract.
        BackendError: its name is taken.

    >>> register(object())
    Traceback (most recent call last):
      ...
    lamina_flatarray.errors.BackendRefused: fusing engine '?': a object came; it wants an instance of a FusingEngine subclass
    """
    _engines.add(engine)
    return engine


def unregister(name: str) -> None:
    """Take back what `register` added; loops that exist keep working.

    Args:
        name: the name of an engine that was registered.

    Raises:
        UnknownBackend: no such engine was registered.

    >>> unregister("nothing")
    Traceback (most recent call last):
      ...
    lamina_flatarray.errors.UnknownBackend: unregister: no fusing engine 'nothing' was registered
    """
    _engines.remove(name)


def names() -> list[str]:
    """Return the names that can be asked for, registered and installed; nothing is loaded for it.

    Returns:
        A list without repetitions.

    >>> isinstance(names(), list)
    True
    """
    return _engines.names()


def status() -> list[PluginStatus]:
    """Return what is known of every engine: one line for each that is registered or installed. No plug-in is loaded.

    Returns:
        A list of `PluginStatus`.

    >>> [line.name for line in status()] == names()
    True
    """
    return [line for line, _ in _engines.known()]
