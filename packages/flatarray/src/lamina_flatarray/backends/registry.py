"""The backends of this process: built in, registered here, or plug-ins that are loaded when first wanted.

Nothing is locked, scanned or called through pluggy on the way to a kernel: `kernels` is a dictionary look-up.
"""

from __future__ import annotations

import os
import threading
import warnings
from contextvars import ContextVar
from typing import Any, Final

from ..devices import Device
from ..dtypes import DType, dtype_of
from ..errors import (
    BackendError,
    BackendFailedToLoad,
    DeviceError,
    NoHardware,
    ProtocolMismatch,
    UnknownBackend,
)
from . import choice, discovery
from . import kernel_table as table
from .contract import Backend
from .discovery import Offer
from .kernel_table import KernelTable
from .loading import DOCTOR, BackendRefused, admit, load
from .status import BackendStatus

__all__ = [
    "backend",
    "backend_for",
    "forget_tables",
    "from_environment",
    "kernels",
    "loaded",
    "names",
    "register",
    "serving_cpu",
    "status",
    "unregister",
]

_BUILT_IN: Final = ("numpy",)
_OURS: Final = {"cpp": "lamina-backend-cpp", "cuda": "lamina-backend-cuda"}

_lock: Final = threading.RLock()  # guards the dictionaries; never held while a plug-in's code runs
_gates: Final[dict[str, threading.RLock]] = {}  # one per plug-in: a slow one delays only those who ask for it
_backends: Final[dict[str, Backend]] = {}  # loaded
_sources: Final[dict[str, Offer]] = {}  # the offers that loaded backends came of
_ready: Final[dict[str, Backend]] = {}  # loaded, and able to run here
_failures: Final[dict[str, BackendError]] = {}  # never tried again: a second import of half-loaded code may crash
_loading: Final[set[tuple[str, int]]] = set()  # name and thread
_registered: ContextVar[list[str] | None] = ContextVar("lamina_registered_while_loading", default=None)
_tables: dict[Any, KernelTable] = {}


# -- by name ---------------------------------------------------------------------------------------


def backend(name: str) -> Backend:
    """The backend of this name, loaded and able to run here.

    Raises:
        UnknownBackend: nobody offers it.
        BackendFailedToLoad: it is installed, but its code raised, or two distributions offer the name.
        ProtocolMismatch: it speaks another version of the contract.
        NoHardware: it loaded, but cannot run here.
    """
    found = _ready.get(name)
    if found is None:
        found = loaded(name)
        why = _why_unavailable(found)
        if why is not None:
            reason, cause = why
            offer = _sources.get(name)
            raise NoHardware(
                f"backend {name!r} ({offer.source if offer else _origin(name)}) loaded, "
                f"but cannot run here: {reason}; "
                f"to see all backends run: {DOCTOR}"
            ) from cause
        _ready[name] = found
    return found


def loaded(name: str) -> Backend:
    """The backend of this name, whether or not it can run here; the device is not touched.

    Raises:
        BackendError: as `backend`, but for NoHardware.
    """
    found = _backends.get(name)
    if found is not None:
        return found
    if name in _BUILT_IN:
        return _built_in(name)
    offer = _offer(name)
    with _lock:
        gate = _gates.setdefault(name, threading.RLock())
    with gate:
        found = _backends.get(name)
        return _load(offer) if found is None else found


def _built_in(name: str) -> Backend:
    from ..numpy_backend.backend import NumpyBackend

    with _lock:
        return _backends.setdefault(name, _backends.get(name) or NumpyBackend())


def _offer(name: str) -> Offer:
    found = discovery.offers().get(name, ())
    off = discovery.switched_off(name)
    if not found or off:
        raise UnknownBackend(_unknown(name, off if found else None))
    if len(found) > 1:
        raise BackendFailedToLoad(_duplicate(name, found))
    return found[0]


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
    done = False
    try:
        made = load(offer)
        done = True
    except BackendError as failure:
        _failures[name] = failure
        raise
    finally:
        _loading.discard((name, threading.get_ident()))
        if not done:
            for other in _registered.get() or ():
                unregister(other)
        _registered.reset(journal)
    with _lock:
        _backends[name] = made
        _sources[name] = offer
    return made


def _why_unavailable(found: Backend) -> tuple[str, BaseException | None] | None:
    try:
        reason = found.unavailable()
    except (Exception, SystemExit) as cause:
        return f"{type(cause).__name__}: {cause}", cause
    return None if reason is None else (reason, None)


# -- by device -------------------------------------------------------------------------------------


def backend_for(device_type: str) -> Backend:
    """Who serves a device type now. A backend's own name is understood, too.

    For "cpu": the choice of the context, of the process, of LAMINA_BACKEND, and then, as for all device
    types, the one of highest priority that can run.

    Raises:
        BackendError: as `backend`; nobody serves the device type, or nobody who does can be used.
    """
    if device_type == "cpu":
        for name in (choice.chosen.get().backend, choice.process_wide().backend):
            if name is not None:
                return backend(name)
        name = from_environment()
        if name is not None:
            return serving_cpu(name, "LAMINA_BACKEND")
    usable: list[Backend] = []
    failures: list[BackendError] = []
    for name in _serving(device_type):
        try:
            usable.append(backend(name))
        except BackendError as cause:
            failures.append(cause)
    if not usable:
        raise failures[0] if failures else UnknownBackend(_unknown(device_type, None))
    for failure in failures:
        if not isinstance(failure, NoHardware):
            warnings.warn(f"{device_type} is served by another backend, as {failure}", RuntimeWarning, stacklevel=4)
    return max(usable, key=lambda found: found.priority)  # the first of equals: built in, registered, by name


def from_environment() -> str | None:
    """The backend that LAMINA_BACKEND chooses for the CPU, if it is set."""
    return os.environ.get("LAMINA_BACKEND") or None


def serving_cpu(name: str, op: str) -> Backend:
    """The backend of this name, which must serve the CPU; `op` is who wants that.

    Raises:
        BackendError: as `backend`; or it serves another device type.
    """
    found = backend(name)
    if found.device_type != "cpu":
        raise BackendError(
            f"{op}: backend {name!r} serves {found.device_type!r}; it wants one for 'cpu'. "
            f"To compute there, use device={found.device_type!r} or set_default_device({found.device_type!r})"
        )
    return found


def _serving(device_type: str) -> list[str]:
    """Names of all that may serve a device type, as far as metadata tells; nothing is loaded for it."""
    found = [name for name in _BUILT_IN if device_type in ("cpu", name)]
    if device_type in _BUILT_IN:
        return found
    with _lock:
        here = [(name, known.device_type) for name, known in _backends.items() if name not in _BUILT_IN]
    found += [name for name, serves in here if device_type in (name, serves)]
    for name, same in discovery.offers().items():
        if name in found or name in _BUILT_IN or name in _backends or discovery.switched_off(name):
            continue
        busy = (name, threading.get_ident()) in _loading  # its own import makes arrays
        if not busy and (name == device_type or any(offer.device_type == device_type for offer in same)):
            found.append(name)
    return found


def kernels(device: Any, dtype: DType) -> KernelTable:
    """The kernel table for a device and dtype.

    Args:
        device: a Device, its text ("cpu", "cuda:1"), or None for the default device.
        dtype: of the first input of the ops that will be looked up.

    Raises:
        BackendError: nobody serves the device.
        DeviceError: there is no such device.
    """
    try:
        return _tables[device, dtype, choice.chosen.get()]
    except (KeyError, TypeError):
        return _make_table(device, dtype)


def _make_table(device: Any, dtype: DType) -> KernelTable:
    known = _tables  # if someone forgets the tables meanwhile, this one is forgotten with them
    where = choice.get_default_device() if device is None else Device(device)
    found = backend_for(where.type)
    index = where.index or 0
    if index and index >= found.device_count():
        raise DeviceError(f"device: {str(where)!r} given; {found.name} finds {found.device_count()} device(s)")
    made = KernelTable.of(found, index, dtype_of(dtype))
    if not _loading:  # a plug-in that makes arrays while it is loaded is given what is there so far
        known[device, dtype, choice.chosen.get()] = made
    return made


def forget_tables() -> None:
    """Ask again who serves which device, as choices or backends have changed."""
    global _tables
    _tables = {}


# -- registering here ------------------------------------------------------------------------------


def register(backend: Backend) -> Backend:
    """Add a backend of this process, without a plug-in; it comes back.

    Raises:
        ProtocolMismatch, BackendRefused: it does not keep to the contract.
        BackendError: its name is taken.
    """
    admit(backend)
    with _lock:
        if backend.name in _backends or backend.name in _BUILT_IN:
            raise BackendError(f"register: {backend.name!r} is there already; it wants another name")
        _backends[backend.name] = backend
    journal = _registered.get()
    if journal is not None:
        journal.append(backend.name)
    forget_tables()
    return backend


def unregister(name: str) -> None:
    """Take back what `register` added; arrays that exist keep working.

    Raises:
        UnknownBackend: no such backend was registered.
    """
    with _lock:
        if name in _BUILT_IN or _backends.pop(name, None) is None:
            raise UnknownBackend(f"unregister: no backend {name!r} was registered")
        _ready.pop(name, None)
        _sources.pop(name, None)
        for key in [key for key in list(table.tables) if key[0] == name]:
            del table.tables[key]
    forget_tables()


# -- telling ---------------------------------------------------------------------------------------


def names() -> list[str]:
    """The names that can be asked for: built in, registered, and installed; nothing is loaded for it."""
    here = [name for name in list(_backends) if name not in _BUILT_IN and name not in _sources]
    offered = [name for name in discovery.offers() if not discovery.switched_off(name)]
    return list(dict.fromkeys([*_BUILT_IN, *here, *offered]))


def status() -> list[BackendStatus]:
    """What is known of every backend. Loads no plug-in, but asks loaded ones whether they can run."""
    lines = []
    for name in [*_BUILT_IN, *(name for name in list(_backends) if name not in _BUILT_IN)]:
        found = loaded(name)
        why = _why_unavailable(found)
        offer = _sources.get(name)
        who = (offer.distribution, offer.version) if offer else (_origin(name), "")
        state, (reason, error) = ("available", ("", None)) if why is None else ("no hardware", why)
        lines.append(BackendStatus(name, found.device_type, state, *who, reason, error))
    for name, same in discovery.offers().items():
        if name not in _backends or name in _BUILT_IN:
            lines.extend(_offered(name, offer, same) for offer in same)
    return lines


def _offered(name: str, offer: Offer, same: tuple[Offer, ...]) -> BackendStatus:
    off, failure = discovery.switched_off(name), _failures.get(name)
    if off:
        state, reason = "switched off", off
    elif name in _BUILT_IN:
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
    return "built in" if name in _BUILT_IN else "registered here"


def _duplicate(name: str, same: tuple[Offer, ...]) -> str:
    who = " and ".join(offer.source for offer in same)
    return f"backend {name!r} is offered by {who}; keep one: pip uninstall {same[-1].distribution}"


def _unknown(name: str, off: str | None) -> str:
    if off:
        return f"backend {name!r} is installed, but {off}; to see all backends run: {DOCTOR}"
    from difflib import get_close_matches

    known = names()
    near = get_close_matches(name, known, 3)
    guess = f"; did you mean {' or '.join(map(repr, near))}?" if near else ";"
    command = f"pip install {_OURS[name]}" if name in _OURS else DOCTOR
    limit = os.environ.get("LAMINA_BACKENDS")
    there = ", ".join(known) + (f" (LAMINA_BACKENDS={limit})" if limit else "")
    return f"nobody offers a backend or device {name!r}{guess} there are {there}. Run: {command}"
