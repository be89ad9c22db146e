"""The backends of this process by name: built in, registered here, or plug-ins that are loaded when first wanted.

Nothing is locked, scanned or called through pluggy on the way to a kernel: kernel tables are dictionaries.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ..contract import Backend
from ..plugin_points import discovery
from ..plugin_points.registry import PluginRegistry
from . import replacements
from .loading import BACKENDS
from .status import BackendStatus

__all__ = ["BUILT_IN", "PLUGINS", "backend", "extended", "loaded", "names", "serving", "status"]

BUILT_IN: Final = {"numpy": "cpu", "meta": "meta"}
"""The backends that this package brings, by name, and the device type that each serves."""


def _numpy() -> Backend:
    from ..numpy_backend.backend import NumpyBackend  # whoever uses another backend alone needs neither

    return NumpyBackend()


def _meta() -> Backend:
    from ..meta_backend import MetaBackend

    return MetaBackend()


PLUGINS: Final[PluginRegistry[Backend]] = PluginRegistry(BACKENDS, {"numpy": _numpy, "meta": _meta}, {"cpp": "lamina-backend-cpp"})
"""The backends of this process."""


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
    return PLUGINS.ready(name)


def loaded(name: str) -> Backend:
    """Return the backend of this name, whether or not it can run here; the device is not touched.

    Raises:
        BackendError: as `backend`, but for NoHardware.
    """
    return PLUGINS.loaded(name)


def extended(first: Backend) -> Iterator[Backend]:
    """Yield a backend, the one that it extends, the one that that one extends, and so on."""
    yield first
    while first.extends:
        first = backend(first.extends)
        yield first


def serving(device_type: str) -> list[str]:
    """Return the names of all that may serve a device type, as far as metadata tells; nothing is loaded for it."""
    candidates = [name for name, serves in BUILT_IN.items() if device_type in (name, serves)]
    if device_type in BUILT_IN:
        return candidates
    there = PLUGINS.beside_built_in()
    candidates += [name for name, plugged in there.items() if device_type in (name, plugged.device_type)]
    for name, offers in discovery.offers(BACKENDS).items():
        if name in candidates or name in BUILT_IN or name in there or discovery.switched_off(BACKENDS, name):
            continue
        busy = PLUGINS.is_loading(name)  # its own import makes arrays
        if not busy and (name == device_type or any(offer.device_type == device_type for offer in offers)):
            candidates.append(name)
    return candidates


def names() -> list[str]:
    """Return the names that can be asked for: built in, registered and installed; nothing is loaded for it.

    Returns:
        A list without repetitions, built-in ones first.

    >>> "numpy" in names()
    True
    """
    return PLUGINS.names()


def status() -> list[BackendStatus]:
    """Return what is known of every backend: one status for each that is built in, registered or installed.

    No plug-in is loaded, but those that are loaded are asked whether they can run.

    Returns:
        A list of `BackendStatus`.

    >>> status()[0].name, status()[0].state
    ('numpy', 'available')
    """
    lines = []
    for line, source in PLUGINS.known():
        overridden = replacements.listed(line.name) if isinstance(source, Backend) else ()
        lines.append(BackendStatus(line.name, source.device_type, *line[1:], overridden))
    return lines
