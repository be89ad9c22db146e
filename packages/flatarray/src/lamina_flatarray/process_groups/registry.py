"""The transports of this process by name: built in, registered here, or plug-ins that are loaded when first wanted."""

from __future__ import annotations

from typing import Final

from ..plugin_points.point import PluginPoint, named_as_offered
from ..plugin_points.registry import PluginRegistry, PluginStatus
from .contract import PROTOCOL, Transport

__all__ = ["PROCESS_GROUPS", "names", "register", "status", "transport", "unregister"]

PROCESS_GROUPS: Final[PluginPoint[Transport]] = PluginPoint(
    "process group", "process group", "lamina.process_groups", "lamina.process_group_protocol", "LAMINA_PROCESS_GROUPS",
    "lamina_flatarray.process_groups.hookspec", "lamina_process_group", PROTOCOL, Transport, named_as_offered("mpi"),
)  # fmt: skip
"""Process groups, as a kind of plug-in."""


def _single() -> Transport:
    from .single import SingleTransport

    return SingleTransport()


_transports: Final[PluginRegistry[Transport]] = PluginRegistry(
    PROCESS_GROUPS, {"single": _single}, {"mpi": "lamina-process-mpi", "nccl": "lamina-process-nccl", "ray": "lamina-process-ray"}
)  # fmt: skip


def transport(name: str) -> Transport:
    """Return the transport of this name, loaded and able to run here.

    Args:
        name: such as "mpi" or "single".

    Returns:
        The one transport object of this name in this process.

    Raises:
        UnknownBackend: nobody offers it.
        BackendFailedToLoad: it is installed, but its code raised, or two distributions offer the name.
        ProtocolMismatch: it speaks another version of the contract.
        NoHardware: it loaded, but cannot run here.

    >>> transport("single")
    <process groups of single>
    """
    return _transports.ready(name)


def register(transport: Transport) -> Transport:
    """Add a transport to this process, without a plug-in, and return it.

    Args:
        transport: an object that keeps to the contract; its `name` must be free.

    Returns:
        The same object.

    Raises:
        ProtocolMismatch, BackendRefused: it does not keep to the contract.
        BackendError: its name is taken.

    >>> from lamina_flatarray.process_groups.single import SingleTransport
    >>> class Mine(SingleTransport):
    ...     name = "mine"
    >>> register(Mine())
    <process groups of mine>
    >>> unregister("mine")
    """
    _transports.add(transport)
    return transport


def unregister(name: str) -> None:
    """Take back what `register` added; groups that exist keep working.

    Args:
        name: the name of a transport that was registered.

    Raises:
        UnknownBackend: no such transport was registered.

    >>> unregister("nothing")
    Traceback (most recent call last):
      ...
    lamina_flatarray.errors.UnknownBackend: unregister: no process group 'nothing' was registered
    """
    _transports.remove(name)


def names() -> list[str]:
    """Return the names that can be asked for: built in, registered and installed; nothing is loaded for it.

    Returns:
        A list without repetitions, the built-in one first.

    >>> names()[0]
    'single'
    """
    return _transports.names()


def status() -> list[PluginStatus]:
    """Return what is known of every transport: one line for each that is built in, registered or installed. No plug-in is loaded.

    Returns:
        A list of `PluginStatus`.

    >>> status()[0].name, status()[0].state
    ('single', 'available')
    """
    return [line for line, _ in _transports.known()]
