"""The backends of this process by name: built in, registered here, or plug-ins that are loaded when first wanted.

Nothing is locked, scanned or called through pluggy on the way to a kernel: kernel tables are dictionaries.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextvars import ContextVar
from typing import Final

from ..contract import Backend
from ..errors import BackendError, BackendFailedToLoad, BackendRefused, NoHardware, ProtocolMismatch, UnknownBackend
from ..fork_safety import fork_safe
from ..plugin_points import discovery
from ..plugin_points.loading import DOCTOR, load, told
from ..plugin_points.offer import Offer
from . import replacements
from .loading import BACKENDS, admit
from .status import BackendStatus

__all__ = ["BUILT_IN", "add", "backend", "extended", "give_up", "is_loading", "loaded", "names", "remove", "serving", "status", "unknown"]

BUILT_IN: Final = {"numpy": "cpu", "meta": "meta"}
"""The backends that this package brings, by name, and the device type that each serves."""

_OURS: Final = {"cpp": "lamina-backend-cpp"}
"""Backends of distributions of this project, for advice on what to install."""

# All of these are bounded by the number of backends that are installed or registered.
_lock: Final = fork_safe(threading.RLock())  # guards the dictionaries; never held while a plug-in's code runs
_gates: Final[dict[str, threading.RLock]] = {}  # one per plug-in: a slow one delays only those who ask for it
_backends: Final[dict[str, Backend]] = {}  # loaded
_sources: Final[dict[str, Offer]] = {}  # the offers that loaded backends came of
_ready: Final[dict[str, Backend]] = {}  # loaded, and able to run here
_failures: Final[dict[str, BackendError]] = {}  # never tried again: a second import of half-loaded code may crash
_loading: Final[set[tuple[str, int]]] = set()  # name and thread
_registered: ContextVar[list[str] | None] = ContextVar("lamina_registered_while_loading", default=None)


# -- by name ---------------------------------------------------------------------------------------


def backend(name: str) -> Backend:
    """Return the backend of this name, loaded and able to run here.

    Args:
        name: the backend's own name, such as "numpy" or "cpp".

    Returns:
        The one backend object of this process.

    Raises:
        UnknownBackend: nobody offers it.
        BackendFailedToLoad: it is installed, but its code raised, or two distributions offer the name.
        ProtocolMismatch: it speaks another version of the contract.
        NoHardware: it loaded, but cannot run here.

    >>> backend("numpy")
    <backend numpy for cpu>
    """
    result = _ready.get(name)
    if result is None:
        result = loaded(name)
        why = _why_unavailable(result)
        if why is not None:
            reason, cause = why
            offer = _sources.get(name)
            raise NoHardware(
                f"backend {name!r} ({offer.source if offer else _origin(name)}) loaded, "
                f"but cannot run here: {reason}; "
                f"to see all backends run: {DOCTOR}"
            ) from cause
        _ready[name] = result
    return result


def loaded(name: str) -> Backend:
    """Return the backend of this name, whether or not it can run here; the device is not touched.

    Raises:
        BackendError: as `backend`, but for NoHardware.
    """
    result = _backends.get(name)
    if result is not None:
        return result
    if name in BUILT_IN:
        return _built_in(name)
    offer = _offer(name)
    with _lock:
        gate = _gates.setdefault(name, fork_safe(threading.RLock()))
    with gate:
        result = _backends.get(name)
        return _load(offer) if result is None else result


def extended(first: Backend) -> Iterator[Backend]:
    """Yield a backend, the one that it extends, the one that that one extends, and so on."""
    yield first
    while first.extends:
        first = backend(first.extends)
        yield first


def _built_in(name: str) -> Backend:
    # whoever uses another backend alone needs neither
    backend: Backend
    if name == "meta":
        from ..meta_backend import MetaBackend

        backend = MetaBackend()
    else:
        from ..numpy_backend.backend import NumpyBackend

        backend = NumpyBackend()
    with _lock:
        return _backends.setdefault(name, backend)


def _offer(name: str) -> Offer:
    same_name = discovery.offers(BACKENDS).get(name, ())
    off = discovery.switched_off(BACKENDS, name)
    if not same_name or off:
        raise UnknownBackend(unknown(name, off if same_name else None))
    if len(same_name) > 1:
        raise BackendFailedToLoad(_duplicate(name, same_name))
    return same_name[0]


def _load(offer: Offer) -> Backend:
    """Load a plug-in, keep the outcome, and take back what it registered if it fails. Its gate is held."""
    name = offer.name
    if name in _failures:
        failure = _failures[name]
        raise type(failure)(*failure.args) from failure.__cause__
    if (name, threading.get_ident()) in _loading:
        raise BackendFailedToLoad(f"backend {name!r} ({offer.source}): its own import asks for it; it wants to wait")
    _loading.add((name, threading.get_ident()))
    journal = _registered.set([])
    succeeded = False
    try:
        plugin = load(BACKENDS, offer)
        succeeded = True
    except BackendError as failure:
        _failures[name] = failure
        raise
    finally:
        _loading.discard((name, threading.get_ident()))
        if not succeeded:
            for other in _registered.get() or ():
                remove(other)
        _registered.reset(journal)
    with _lock:
        _backends[name] = plugin
        _sources[name] = offer
    return plugin


def give_up(name: str, why: str) -> None:
    """Have a plug-in that is not loaded count as failed: whoever asks for it is told why, and nothing of it is imported."""
    offer = _offer(name)
    with _lock:
        if name not in _backends:
            _failures[name] = BackendFailedToLoad(f"backend {name!r} is installed ({offer.source}), but {why}")


def _why_unavailable(plugin: Backend) -> tuple[str, BaseException | None] | None:
    try:
        reason = plugin.unavailable()
    except (Exception, SystemExit) as cause:
        return told(cause), cause
    return None if reason is None else (reason, None)


def serving(device_type: str) -> list[str]:
    """Return the names of all that may serve a device type, as far as metadata tells; nothing is loaded for it."""
    candidates = [name for name, serves in BUILT_IN.items() if device_type in (name, serves)]
    if device_type in BUILT_IN:
        return candidates
    with _lock:
        registered = [(name, plugin.device_type) for name, plugin in _backends.items() if name not in BUILT_IN]
    candidates += [name for name, serves in registered if device_type in (name, serves)]
    for name, offers in discovery.offers(BACKENDS).items():
        if name in candidates or name in BUILT_IN or name in _backends or discovery.switched_off(BACKENDS, name):
            continue
        busy = (name, threading.get_ident()) in _loading  # its own import makes arrays
        if not busy and (name == device_type or any(offer.device_type == device_type for offer in offers)):
            candidates.append(name)
    return candidates


def is_loading() -> bool:
    """Return whether some plug-in is being loaded, in any thread."""
    return bool(_loading)


# -- registering here ------------------------------------------------------------------------------


def add(backend: Backend) -> None:
    """Add a backend of this process, without a plug-in.

    Raises:
        ProtocolMismatch, BackendRefused: it does not keep to the contract.
        BackendError: its name is taken.
    """
    admit(backend)
    with _lock:
        if backend.name in _backends or backend.name in BUILT_IN:
            raise BackendError(f"register: {backend.name!r} is there already; it wants another name")
        _backends[backend.name] = backend
    journal = _registered.get()
    if journal is not None:
        journal.append(backend.name)


def remove(name: str) -> None:
    """Take back what `add` added.

    Raises:
        UnknownBackend: no such backend was added.
    """
    with _lock:
        if name in BUILT_IN or _backends.pop(name, None) is None:
            raise UnknownBackend(f"unregister: no backend {name!r} was registered")
        _ready.pop(name, None)
        _sources.pop(name, None)


# -- telling ---------------------------------------------------------------------------------------


def names() -> list[str]:
    """Return the names that can be asked for: built in, registered and installed; nothing is loaded for it.

    Returns:
        A list without repetitions, built-in ones first.

    >>> "numpy" in names()
    True
    """
    registered = [name for name in list(_backends) if name not in BUILT_IN and name not in _sources]
    offered = [name for name in discovery.offers(BACKENDS) if not discovery.switched_off(BACKENDS, name)]
    return list(dict.fromkeys([*BUILT_IN, *registered, *offered]))


def status() -> list[BackendStatus]:
    """Return what is known of every backend: one status for each that is built in, registered or installed.

    No plug-in is loaded, but those that are loaded are asked whether they can run.

    Returns:
        A list of `BackendStatus`.

    >>> status()[0].name, status()[0].state
    ('numpy', 'available')
    """
    lines = []
    for name in [*BUILT_IN, *(name for name in list(_backends) if name not in BUILT_IN)]:
        plugin = loaded(name)
        why = _why_unavailable(plugin)
        offer = _sources.get(name)
        distribution = (offer.distribution, offer.version) if offer else (_origin(name), "")
        state, (reason, error) = ("available", ("", None)) if why is None else ("no hardware", why)
        lines.append(BackendStatus(name, plugin.device_type, state, *distribution, reason, error, replacements.listed(name)))
    for name, offers in discovery.offers(BACKENDS).items():
        if name not in _backends or name in BUILT_IN:
            lines.extend(_offered(name, offer, offers) for offer in offers)
    return lines


def _offered(name: str, offer: Offer, same: tuple[Offer, ...]) -> BackendStatus:
    off, failure = discovery.switched_off(BACKENDS, name), _failures.get(name)
    if off:
        state, reason = "switched off", off
    elif name in BUILT_IN:
        state, reason = "duplicate", f"{name!r} is built in, and stays so: pip uninstall {offer.distribution}"
    elif len(same) > 1:
        state, reason = "duplicate", _duplicate(name, same)
    elif failure is not None:
        refused = isinstance(failure, (BackendRefused, ProtocolMismatch))
        state, reason = ("refused" if refused else "failed"), str(failure)
    else:
        state, reason = "not loaded", ""
    if offer.shadowed:
        stale = f"stale metadata of version {', '.join(offer.shadowed)} lies beside it"
        reason = f"{reason}; {stale}" if reason else stale
    return BackendStatus(name, offer.device_type, state, offer.distribution, offer.version, reason, failure)


def _origin(name: str) -> str:
    return "built in" if name in BUILT_IN else "registered here"


def _duplicate(name: str, same: tuple[Offer, ...]) -> str:
    distributions = " and ".join(offer.source for offer in same)
    return f"backend {name!r} is offered by {distributions}; keep one: pip uninstall {same[-1].distribution}"


def unknown(name: str, off: str | None) -> str:
    """Return the message about a name that nobody offers, or that is switched off for a reason."""
    if off:
        return f"backend {name!r} is installed, but {off}; to see all backends run: {DOCTOR}"
    from difflib import get_close_matches

    choices = names()
    near = get_close_matches(name, choices, 3)
    guess = f"; did you mean {' or '.join(map(repr, near))}?" if near else ";"
    command = f"pip install {_OURS[name]}" if name in _OURS else DOCTOR
    limit = os.environ.get("LAMINA_BACKENDS")
    listed = ", ".join(choices) + (f" (LAMINA_BACKENDS={limit})" if limit else "")
    return f"nobody offers a backend or device {name!r}{guess} there are {listed}. Run: {command}"
