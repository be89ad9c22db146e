"""PluginRegistry: the plug-ins of one kind in this process, by name: built in, registered here, or loaded when first wanted.

Nothing is locked, scanned or called through pluggy where a plug-in's object is there already.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from typing import Any, Generic, NamedTuple, TypeVar

from ..errors import BackendError, BackendFailedToLoad, BackendRefused, NoHardware, ProtocolMismatch, UnknownBackend
from ..fork_safety import fork_safe
from . import discovery
from .loading import DOCTOR, admit, load, told
from .offer import Offer
from .point import PluginPoint

__all__ = ["PluginRegistry", "PluginStatus"]

P = TypeVar("P")


class PluginStatus(NamedTuple):
    """What is known of one plug-in.

    Attributes:
        name: its own.
        state: "available", "not loaded", "failed", "refused", "no hardware", "duplicate" or "switched off".
        distribution, version: who brought it; "built in" or "registered here" and "" where no plug-in did.
        reason: why it is in this state, in one line; empty where that needs no reason.
        error: the exception, with its causes chained.

    >>> PluginStatus("single", "available", "built in").state
    'available'
    """

    name: str
    state: str
    distribution: str
    version: str = ""
    reason: str = ""
    error: BaseException | None = None


class PluginRegistry(Generic[P]):
    """The plug-ins of one kind.

    What it keeps is bounded by the number of plug-ins that are installed or registered.

    Args:
        point: the kind.
        built_in: makes what this package brings, by name.
        ours: distributions of this project by name, for advice on what to install.
    """

    def __init__(self, point: PluginPoint[P], built_in: Mapping[str, Callable[[], P]], ours: Mapping[str, str]) -> None:
        self._point, self._built_in, self._ours = point, built_in, ours
        self._lock = fork_safe(threading.RLock())  # guards the dictionaries; never held while a plug-in's code runs
        self._gates: dict[str, threading.RLock] = {}  # one per plug-in: a slow one delays only those who ask for it
        self._loaded: dict[str, P] = {}
        self._sources: dict[str, Offer] = {}  # the offers that loaded ones came of
        self._ready: dict[str, P] = {}  # loaded, and able to run here
        self._failures: dict[str, BackendError] = {}  # never tried again: a second import of half-loaded code may crash
        self._loading: set[tuple[str, int]] = set()  # name and thread
        self._registered: ContextVar[list[str] | None] = ContextVar(f"{point.group} registered while loading", default=None)

    # -- by name ------------------------------------------------------------------------------------

    def ready(self, name: str) -> P:
        """Return the plug-in's object of this name, loaded and able to run here.

        Raises:
            UnknownBackend: nobody offers it.
            BackendFailedToLoad: it is installed, but its code raised, or two distributions offer the name.
            ProtocolMismatch: it speaks another version of the contract.
            NoHardware: it loaded, but cannot run here.
        """
        result = self._ready.get(name)
        if result is None:
            result = self.loaded(name)
            why = _why_unavailable(result)
            if why is not None:
                reason, cause = why
                offer, noun = self._sources.get(name), self._point.noun
                raise NoHardware(
                    f"{noun} {name!r} ({offer.source if offer else self._origin(name)}) loaded, "
                    f"but cannot run here: {reason}; to see all {noun}s run: {DOCTOR}"
                ) from cause
            self._ready[name] = result
        return result

    def loaded(self, name: str) -> P:
        """Return the plug-in's object of this name, whether or not it can run here; no device is touched.

        Raises:
            BackendError: as `ready`, but for NoHardware.
        """
        result = self._loaded.get(name)
        if result is not None:
            return result
        if name in self._built_in:
            made = self._built_in[name]()
            with self._lock:
                return self._loaded.setdefault(name, made)
        offer = self._offer(name)
        with self._lock:
            gate = self._gates.setdefault(name, fork_safe(threading.RLock()))
        with gate:
            result = self._loaded.get(name)
            return self._load(offer) if result is None else result

    def _offer(self, name: str) -> Offer:
        same_name = discovery.offers(self._point).get(name, ())
        off = discovery.switched_off(self._point, name)
        if not same_name or off:
            raise UnknownBackend(self.unknown(name, off if same_name else None))
        if len(same_name) > 1:
            raise BackendFailedToLoad(self._duplicate(name, same_name))
        return same_name[0]

    def _load(self, offer: Offer) -> P:
        """Load a plug-in, keep the outcome, and take back what it registered if it fails. Its gate is held."""
        name = offer.name
        if name in self._failures:
            failure = self._failures[name]
            raise type(failure)(*failure.args) from failure.__cause__
        if (name, threading.get_ident()) in self._loading:
            noun = self._point.noun
            raise BackendFailedToLoad(f"{noun} {name!r} ({offer.source}): its own import asks for it; it wants to wait")
        self._loading.add((name, threading.get_ident()))
        journal = self._registered.set([])
        succeeded = False
        try:
            plugged = load(self._point, offer)
            succeeded = True
        except BackendError as failure:
            self._failures[name] = failure
            raise
        finally:
            self._loading.discard((name, threading.get_ident()))
            if not succeeded:
                for other in self._registered.get() or ():
                    self.remove(other)
            self._registered.reset(journal)
        with self._lock:
            self._loaded[name] = plugged
            self._sources[name] = offer
        return plugged

    def give_up(self, name: str, why: str) -> None:
        """Have a plug-in that is not loaded count as failed: whoever asks for it is told why, and nothing of it is imported."""
        offer = self._offer(name)
        with self._lock:
            if name not in self._loaded:
                self._failures[name] = BackendFailedToLoad(f"{self._point.noun} {name!r} is installed ({offer.source}), but {why}")

    def is_loading(self, name: str | None = None) -> bool:
        """Return whether this thread is loading the plug-in of a name; without one, whether any thread is loading any."""
        return bool(self._loading) if name is None else (name, threading.get_ident()) in self._loading

    # -- registering here ---------------------------------------------------------------------------

    def add(self, plugged: P) -> None:
        """Add an object of this process, without a plug-in.

        Raises:
            ProtocolMismatch, BackendRefused: it does not keep to the contract.
            BackendError: its name is taken.
        """
        name = admit(self._point, plugged).name  # type: ignore[attr-defined]  # what is admitted has one
        with self._lock:
            if name in self._loaded or name in self._built_in:
                raise BackendError(f"register: {name!r} is there already; it wants another name")
            self._loaded[name] = plugged
        journal = self._registered.get()
        if journal is not None:
            journal.append(name)

    def remove(self, name: str) -> None:
        """Take back what `add` added.

        Raises:
            UnknownBackend: no such object was added.
        """
        with self._lock:
            if name in self._built_in or self._loaded.pop(name, None) is None:
                raise UnknownBackend(f"unregister: no {self._point.noun} {name!r} was registered")
            self._ready.pop(name, None)
            self._sources.pop(name, None)

    # -- telling ------------------------------------------------------------------------------------

    def beside_built_in(self) -> dict[str, P]:
        """Return what is loaded or registered, but for what is built in."""
        with self._lock:
            return {name: plugged for name, plugged in self._loaded.items() if name not in self._built_in}

    def names(self) -> list[str]:
        """Return the names that can be asked for, built-in ones first; nothing is loaded for it."""
        registered = [name for name in self.beside_built_in() if name not in self._sources]
        offered = [name for name in discovery.offers(self._point) if not discovery.switched_off(self._point, name)]
        return list(dict.fromkeys([*self._built_in, *registered, *offered]))

    def known(self) -> Iterator[tuple[PluginStatus, P | Offer]]:
        """Yield what is known of each that is built in, registered or installed, and its object, or its offer before it is loaded.

        No plug-in is loaded, but those that are loaded are asked whether they can run.
        """
        for name in [*self._built_in, *self.beside_built_in()]:
            plugged = self.loaded(name)
            why = _why_unavailable(plugged)
            offer = self._sources.get(name)
            distribution = (offer.distribution, offer.version) if offer else (self._origin(name), "")
            state, (reason, error) = ("available", ("", None)) if why is None else ("no hardware", why)
            yield PluginStatus(name, state, *distribution, reason, error), plugged
        for name, offers in discovery.offers(self._point).items():
            if name not in self._loaded or name in self._built_in:
                for offer in offers:
                    yield self._offered(name, offer, offers), offer

    def _offered(self, name: str, offer: Offer, same: tuple[Offer, ...]) -> PluginStatus:
        off, failure = discovery.switched_off(self._point, name), self._failures.get(name)
        if off:
            state, reason = "switched off", off
        elif name in self._built_in:
            state, reason = "duplicate", f"{name!r} is built in, and stays so: pip uninstall {offer.distribution}"
        elif len(same) > 1:
            state, reason = "duplicate", self._duplicate(name, same)
        elif failure is not None:
            refused = isinstance(failure, (BackendRefused, ProtocolMismatch))
            state, reason = ("refused" if refused else "failed"), str(failure)
        else:
            state, reason = "not loaded", ""
        if offer.shadowed:
            stale = f"stale metadata of version {', '.join(offer.shadowed)} lies beside it"
            reason = f"{reason}; {stale}" if reason else stale
        return PluginStatus(name, state, offer.distribution, offer.version, reason, failure)

    def _origin(self, name: str) -> str:
        return "built in" if name in self._built_in else "registered here"

    def _duplicate(self, name: str, same: tuple[Offer, ...]) -> str:
        distributions = " and ".join(offer.source for offer in same)
        return f"{self._point.noun} {name!r} is offered by {distributions}; keep one: pip uninstall {same[-1].distribution}"

    def unknown(self, name: str, off: str | None) -> str:
        """Return the message about a name that nobody offers, or that is switched off for a reason."""
        point = self._point
        if off:
            return f"{point.noun} {name!r} is installed, but {off}; to see all {point.noun}s run: {DOCTOR}"
        from difflib import get_close_matches

        choices = self.names()
        near = get_close_matches(name, choices, 3)
        guess = f"; did you mean {' or '.join(map(repr, near))}?" if near else ";"
        command = f"pip install {self._ours[name]}" if name in self._ours else DOCTOR
        limit = os.environ.get(point.switch)
        listed = ", ".join(choices) + (f" ({point.switch}={limit})" if limit else "")
        return f"nobody offers a {point.sought} {name!r}{guess} there are {listed}. Run: {command}"


def _why_unavailable(plugged: Any) -> tuple[str, BaseException | None] | None:
    try:
        reason = plugged.unavailable()
    except (Exception, SystemExit) as cause:
        return told(cause), cause
    return None if reason is None else (reason, None)
