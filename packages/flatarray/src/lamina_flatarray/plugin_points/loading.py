"""Turning one plug-in's entry point into its object, or into one clear error; no state is kept here."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final, TypeVar

from ..errors import BackendFailedToLoad, BackendRefused, ProtocolMismatch
from .offer import Offer
from .point import PluginPoint

__all__ = ["DOCTOR", "admit", "load", "told"]

DOCTOR: Final = "python -m lamina_flatarray"
"""The command that shows everything known of all plug-ins."""

P = TypeVar("P")


def load(point: PluginPoint[P], offer: Offer) -> P:
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
            f"{point.noun} {offer.name!r} ({offer.source}): its {point.protocol_group} entry point is "
            f"{offer.declared!r}; it wants e.g. 'v1_0' or 'v1_0:cpu'"
        )
    _check_protocol(point, offer.name, offer, offer.protocol or point.protocol)
    try:
        plugin = _imported(point, offer)
    except (Exception, SystemExit) as cause:
        raise _failed(point, offer, "its import failed", cause) from cause
    caller = _hook(point, offer, plugin)
    try:
        plugged = caller()
    except (Exception, SystemExit) as cause:
        raise _failed(point, offer, f"its hook {point.hook}() failed", cause) from cause
    return admit(point, plugged, offer)


def admit(point: PluginPoint[P], plugged: Any, offer: Offer | None = None) -> P:
    """The plug-in's object itself, if it keeps to the contract.

    Args:
        point: the kind of plug-in.
        plugged: what a hook or a caller of `register` brought.
        offer: the metadata that it must agree with, if it came from a plug-in.

    Raises:
        ProtocolMismatch: it speaks another version of the contract.
        BackendRefused: it breaks the contract otherwise.
    """
    name = offer.name if offer else getattr(plugged, "name", "?")
    subject = f"{point.noun} {name!r}" + (f" ({offer.source})" if offer else "")
    protocol = getattr(plugged, "protocol", point.protocol)
    if not _is_version(protocol):
        raise BackendRefused(f"{subject}: its protocol is {protocol!r}; it wants two integers such as {point.protocol}")
    _check_protocol(point, name, offer, protocol)
    if not isinstance(plugged, point.wanted):
        raise BackendRefused(f"{subject}: a {type(plugged).__name__} came; it wants an instance of a {point.wanted.__name__} subclass")
    point.check(subject, plugged, offer)
    admitted: P = plugged
    return admitted


def _is_version(value: Any) -> bool:
    return isinstance(value, tuple) and len(value) == 2 and all(type(part) is int for part in value)


def _check_protocol(point: PluginPoint[Any], name: str, offer: Offer | None, protocol: tuple[int, int]) -> None:
    major, minor = protocol
    spoken = point.protocol
    if major == spoken[0] and minor <= spoken[1]:
        return
    if offer is None:
        subject, advice = f"{point.noun} {name!r}", "its protocol attribute must be of the same major and no newer"
    elif protocol > spoken:
        subject, advice = (
            f"{point.noun} {name!r} ({offer.source})",
            f"pip install '{offer.distribution}<{offer.version}'",
        )
    else:
        subject, advice = f"{point.noun} {name!r} ({offer.source})", f"pip install --upgrade {offer.distribution}"
    raise ProtocolMismatch(
        f"{subject} speaks protocol {major}.{minor}; this lamina_flatarray speaks "
        f"{spoken[0]}.0 to {spoken[0]}.{spoken[1]}: {advice}"
    )


def _imported(point: PluginPoint[Any], offer: Offer) -> Any:
    from importlib.metadata import EntryPoint

    return EntryPoint(offer.name, offer.value, point.group).load()


def _failed(point: PluginPoint[Any], offer: Offer, problem: str, cause: BaseException) -> BackendFailedToLoad:
    module = offer.value.partition(":")[0].strip()
    missing = isinstance(cause, ModuleNotFoundError) and cause.name and f"{module}.".startswith(f"{cause.name}.")
    advice = (
        f"its metadata is stale: pip install --force-reinstall {offer.distribution}"
        if missing
        else f"for the whole traceback run: {DOCTOR}"
    )
    return BackendFailedToLoad(
        f"{point.noun} {offer.name!r} is installed ({offer.source}), but {problem}: {told(cause)}; {advice}"
    )


def told(error: BaseException) -> str:
    """An exception's class and text, though the text may be code of a plug-in that raises itself."""
    try:
        text = str(error)
    except Exception as another:
        text = f"(its text raises {type(another).__name__})"
    return f"{type(error).__name__}: {text}"


def _hook(point: PluginPoint[Any], offer: Offer, plugin: Any) -> Any:
    """The plug-in's hook, from a manager of its own: plug-ins can neither see nor hinder each other."""
    import pluggy  # whoever uses what is built in alone never needs it

    subject = f"{point.noun} {offer.name!r} ({offer.source})"
    plugins = pluggy.PluginManager("lamina")
    plugins.add_hookspecs(import_module(point.specification))
    try:
        plugins.register(plugin, offer.name)
        plugins.check_pending()
    except Exception as cause:
        why = str(cause).strip().replace("\n", "; ")
        raise BackendRefused(f"{subject}: it does not fit the hook specification `{point.hook}()`: {why}") from cause
    if not plugins.get_hookcallers(plugin):
        raise BackendRefused(f"{subject}: {offer.value} implements no hook; it wants `@hookimpl def {point.hook}()`")
    return getattr(plugins.hook, point.hook)
