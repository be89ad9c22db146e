"""Turning one plug-in's entry point into a backend, or into one clear error; no state is kept here."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final

from ..contract import PROTOCOL, Backend
from ..errors import BackendFailedToLoad, BackendRefused, ProtocolMismatch
from .discovery import PROTOCOL_GROUP, Offer

__all__ = ["DOCTOR", "admit", "load", "told"]

DOCTOR: Final = "python -m lamina_flatarray"
"""The command that shows everything known of all backends."""


def load(offer: Offer) -> Backend:
    """Import a plug-in and call its hook.

    Its protocol is checked before anything of it is imported, as far as its metadata tells, and then on the
    object.

    Raises:
        ProtocolMismatch: it speaks another version of the contract.
        BackendRefused: it breaks the contract otherwise.
        BackendFailedToLoad: its code raised; the cause is chained.
    """
    if offer.declared and offer.protocol is None:
        raise BackendRefused(
            f"backend {offer.name!r} ({offer.source}): its {PROTOCOL_GROUP} entry point is "
            f"{offer.declared!r}; it wants e.g. 'v1_0' or 'v1_0:cpu'"
        )
    _check_protocol(offer.name, offer, offer.protocol or PROTOCOL)
    try:
        plugin = _imported(offer)
    except (Exception, SystemExit) as cause:
        raise _failed(offer, "its import failed", cause) from cause
    caller = _hook(offer, plugin)
    try:
        plugged = caller()
    except (Exception, SystemExit) as cause:
        raise _failed(offer, "its hook lamina_backend() failed", cause) from cause
    return admit(plugged, offer)


def admit(backend: Any, offer: Offer | None = None) -> Backend:
    """The backend itself, if it keeps to the contract.

    Args:
        backend: what a hook or a caller of `register` brought.
        offer: the metadata that it must agree with, if it came from a plug-in.

    Raises:
        ProtocolMismatch: it speaks another version of the contract.
        BackendRefused: it breaks the contract otherwise.
    """
    name = offer.name if offer else getattr(backend, "name", "?")
    subject = f"backend {name!r}" + (f" ({offer.source})" if offer else "")
    protocol = getattr(backend, "protocol", PROTOCOL)
    if not _is_version(protocol):
        raise BackendRefused(f"{subject}: its protocol is {protocol!r}; it wants two integers such as {PROTOCOL}")
    _check_protocol(name, offer, protocol)
    if not isinstance(backend, Backend):
        raise BackendRefused(f"{subject}: a {type(backend).__name__} came; it wants an instance of a Backend subclass")
    for attribute in ("name", "device_type"):
        text = getattr(backend, attribute, None)
        if not isinstance(text, str) or not text.isidentifier():
            raise BackendRefused(f"{subject}: its {attribute} is {text!r}; it wants a name such as 'cpu'")
    if backend.extends == backend.name:
        raise BackendRefused(f"{subject}: it extends itself; it wants the name of another backend, or None")
    _check_capabilities(subject, backend)
    if offer and backend.name != offer.name:
        raise BackendRefused(f"{subject}: its object is called {backend.name!r}; it wants its entry point's name")
    if offer and offer.declared and backend.device_type != offer.device_type:
        raise BackendRefused(
            f"{subject}: it serves {backend.device_type!r}, but its metadata says {offer.device_type!r}; "
            f"it wants {PROTOCOL_GROUP} to be 'v{protocol[0]}_{protocol[1]}:{backend.device_type}'"
        )
    return backend


def _check_capabilities(subject: str, backend: Backend) -> None:
    try:
        capabilities = backend.capabilities()
    except (Exception, SystemExit) as cause:
        raise BackendRefused(f"{subject}: its capabilities() failed: {told(cause)}") from cause
    if not isinstance(capabilities, Mapping):
        raise BackendRefused(f"{subject}: its capabilities() are a {type(capabilities).__name__}; they want to be a mapping")
    for op, dtypes in capabilities.items():
        if isinstance(dtypes, str) or not isinstance(dtypes, Collection) or not all(isinstance(name, str) for name in dtypes):
            raise BackendRefused(f"{subject}: its capabilities() say {dtypes!r} of {op!r}; they want names of dtypes, such as ('float32',)")


def _is_version(value: Any) -> bool:
    return isinstance(value, tuple) and len(value) == 2 and all(type(part) is int for part in value)


def _check_protocol(name: str, offer: Offer | None, protocol: tuple[int, int]) -> None:
    major, minor = protocol
    if major == PROTOCOL[0] and minor <= PROTOCOL[1]:
        return
    if offer is None:
        subject, advice = f"backend {name!r}", "its protocol attribute must be of the same major and no newer"
    elif protocol > PROTOCOL:
        subject, advice = (
            f"backend {name!r} ({offer.source})",
            f"pip install '{offer.distribution}<{offer.version}'",
        )
    else:
        subject, advice = f"backend {name!r} ({offer.source})", f"pip install --upgrade {offer.distribution}"
    raise ProtocolMismatch(
        f"{subject} speaks protocol {major}.{minor}; this lamina_flatarray speaks "
        f"{PROTOCOL[0]}.0 to {PROTOCOL[0]}.{PROTOCOL[1]}: {advice}"
    )


def _imported(offer: Offer) -> Any:
    from importlib.metadata import EntryPoint

    return EntryPoint(offer.name, offer.value, "lamina.backends").load()


def _failed(offer: Offer, problem: str, cause: BaseException) -> BackendFailedToLoad:
    module = offer.value.partition(":")[0].strip()
    missing = isinstance(cause, ModuleNotFoundError) and cause.name and f"{module}.".startswith(f"{cause.name}.")
    advice = (
        f"its metadata is stale: pip install --force-reinstall {offer.distribution}"
        if missing
        else f"for the whole traceback run: {DOCTOR}"
    )
    return BackendFailedToLoad(
        f"backend {offer.name!r} is installed ({offer.source}), but {problem}: {told(cause)}; {advice}"
    )


def told(error: BaseException) -> str:
    """An exception's class and text, though the text may be code of a plug-in that raises itself."""
    try:
        text = str(error)
    except Exception as another:
        text = f"(its text raises {type(another).__name__})"
    return f"{type(error).__name__}: {text}"


def _hook(offer: Offer, plugin: Any) -> Any:
    """The plug-in's hook, from a manager of its own: plug-ins can neither see nor hinder each other."""
    import pluggy  # whoever uses the built-in backend alone never needs it

    from .. import hookspec

    subject = f"backend {offer.name!r} ({offer.source})"
    plugins = pluggy.PluginManager("lamina")
    plugins.add_hookspecs(hookspec)
    try:
        plugins.register(plugin, offer.name)
        plugins.check_pending()
    except Exception as cause:
        why = str(cause).strip().replace("\n", "; ")
        raise BackendRefused(f"{subject}: it does not fit the hook specification `lamina_backend()`: {why}") from cause
    if not plugins.get_hookcallers(plugin):
        raise BackendRefused(f"{subject}: {offer.value} implements no hook; it wants `@hookimpl def lamina_backend()`")
    return plugins.hook.lamina_backend
