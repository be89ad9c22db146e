"""The transports of this process by name: built in, registered here, or plug-ins that are loaded when first wanted."""

from __future__ import annotations

import threading
from typing import Any, Final, NamedTuple

from ..errors import BackendError, BackendFailedToLoad, BackendRefused, NoHardware, ProtocolMismatch, UnknownBackend
from ..fork_safety import fork_safe
from ..plugin_points import discovery, loading
from ..plugin_points.offer import Offer
from ..plugin_points.point import PluginPoint
from .contract import PROTOCOL, Transport

__all__ = ["PROCESS_GROUPS", "ProcessGroupStatus", "names", "register", "status", "transport", "unregister"]

_BUILT_IN: Final = "single"
_OURS: Final = {"mpi": "lamina-process-mpi"}
"""Transports of distributions of this project, for advice on what to install."""

# Bounded by the number of transports that are installed or registered.
_lock: Final = fork_safe(threading.RLock())
_transports: Final[dict[str, Transport]] = {}
_sources: Final[dict[str, Offer]] = {}
_failures: Final[dict[str, BackendError]] = {}  # never tried again: a second import of half-loaded code may crash


def _check(subject: str, plugged: Any, offer: Offer | None) -> None:
    name = getattr(plugged, "name", None)
    if not isinstance(name, str) or not name.isidentifier():
        raise BackendRefused(f"{subject}: its name is {name!r}; it wants one such as 'mpi'")
    if offer and name != offer.name:
        raise BackendRefused(f"{subject}: its object is called {name!r}; it wants its entry point's name")


PROCESS_GROUPS: Final[PluginPoint[Transport]] = PluginPoint(
    "process group", "lamina.process_groups", "lamina.process_group_protocol", "LAMINA_PROCESS_GROUPS",
    "lamina_flatarray.process_groups.hookspec", "lamina_process_group", PROTOCOL, Transport, _check,
)  # fmt: skip
"""Process groups, as a kind of plug-in."""


class ProcessGroupStatus(NamedTuple):
    """A line of `lamina_flatarray.process_groups.status()`.

    Attributes:
        name: of the transport.
        state: "available", "not loaded", "failed", "refused", "no hardware", "duplicate" or "switched off", as for backends.
        distribution, version: who brought it; "built in" or "registered here" and "" where no plug-in did.
        reason: why it is in this state, in one line; empty where that needs no reason.
        error: the exception, with its causes chained.

    >>> ProcessGroupStatus("single", "available", "built in").state
    'available'
    """

    name: str
    state: str
    distribution: str
    version: str = ""
    reason: str = ""
    error: BaseException | None = None


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
    with _lock:
        found = _loaded(name)
        reason, error = _unavailable(found)
        if reason:
            raise NoHardware(f"process group {name!r} loaded, but cannot run here: {reason}") from error
        return found


def _loaded(name: str) -> Transport:
    found = _transports.get(name)
    if found is not None:
        return found
    if name == _BUILT_IN:
        from .single import SingleTransport

        found = _transports[name] = SingleTransport()
        return found
    offered = discovery.offers(PROCESS_GROUPS).get(name, ())
    off = discovery.switched_off(PROCESS_GROUPS, name)
    if not offered or off:
        advice = off or (f"run: pip install {_OURS[name]}" if name in _OURS else f"there are {', '.join(names())}")
        raise UnknownBackend(f"process group {name!r} is {'' if offered else 'not '}installed; {advice}")
    if len(offered) > 1:
        raise BackendFailedToLoad(_duplicate(name, offered))
    if name in _failures:
        failure = _failures[name]
        raise type(failure)(*failure.args) from failure.__cause__
    try:
        found = loading.load(PROCESS_GROUPS, offered[0])
    except BackendError as failure:
        _failures[name] = failure
        raise
    _transports[name], _sources[name] = found, offered[0]
    return found


def _unavailable(found: Transport) -> tuple[str, BaseException | None]:
    try:
        return found.unavailable() or "", None
    except (Exception, SystemExit) as cause:
        return loading.told(cause), cause


def _duplicate(name: str, same: tuple[Offer, ...]) -> str:
    distributions = " and ".join(offer.source for offer in same)
    return f"process group {name!r} is offered by {distributions}; keep one: pip uninstall {same[-1].distribution}"


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
    loading.admit(PROCESS_GROUPS, transport)
    with _lock:
        if transport.name in _transports or transport.name == _BUILT_IN:
            raise BackendError(f"register: {transport.name!r} is there already; it wants another name")
        _transports[transport.name] = transport
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
    with _lock:
        if name == _BUILT_IN or name in _sources or _transports.pop(name, None) is None:
            raise UnknownBackend(f"unregister: no process group {name!r} was registered")


def names() -> list[str]:
    """Return the names that can be asked for: built in, registered and installed; nothing is loaded for it.

    Returns:
        A list without repetitions, the built-in one first.

    >>> names()[0]
    'single'
    """
    registered = [name for name in list(_transports) if name not in _sources]
    offered = [name for name in discovery.offers(PROCESS_GROUPS) if not discovery.switched_off(PROCESS_GROUPS, name)]
    return list(dict.fromkeys([_BUILT_IN, *registered, *offered]))


def status() -> list[ProcessGroupStatus]:
    """Return what is known of every transport: one line for each that is built in, registered or installed. No plug-in is loaded.

    Returns:
        A list of `ProcessGroupStatus`.

    >>> status()[0].name, status()[0].state
    ('single', 'available')
    """
    with _lock:
        _loaded(_BUILT_IN)
        lines = []
        for name, found in sorted(_transports.items(), key=lambda item: item[0] != _BUILT_IN):
            reason, error = _unavailable(found)
            offer = _sources.get(name)
            origin = (offer.distribution, offer.version) if offer else ("built in" if name == _BUILT_IN else "registered here", "")
            lines.append(ProcessGroupStatus(name, "no hardware" if reason else "available", *origin, reason, error))
        for name, offers in discovery.offers(PROCESS_GROUPS).items():
            if name not in _transports:
                lines += [_offered(name, offer, offers) for offer in offers]
        return lines


def _offered(name: str, offer: Offer, same: tuple[Offer, ...]) -> ProcessGroupStatus:
    off, failure = discovery.switched_off(PROCESS_GROUPS, name), _failures.get(name)
    if off:
        state, reason = "switched off", off
    elif len(same) > 1:
        state, reason = "duplicate", _duplicate(name, same)
    elif failure is not None:
        refused = isinstance(failure, (BackendRefused, ProtocolMismatch))
        state, reason = ("refused" if refused else "failed"), str(failure)
    else:
        state, reason = "not loaded", ""
    return ProcessGroupStatus(name, state, offer.distribution, offer.version, reason, failure)
