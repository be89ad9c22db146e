"""The plug-in point of compute backends: what a backend must be to be admitted."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final

from ..contract import PROTOCOL, Backend
from ..errors import BackendRefused
from ..plugin_points.loading import told
from ..plugin_points.offer import Offer
from ..plugin_points.point import PluginPoint

__all__ = ["BACKENDS"]


def _check(subject: str, backend: Any, offer: Offer | None) -> None:
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
        protocol = backend.protocol
        raise BackendRefused(
            f"{subject}: it serves {backend.device_type!r}, but its metadata says {offer.device_type!r}; "
            f"it wants {BACKENDS.protocol_group} to be 'v{protocol[0]}_{protocol[1]}:{backend.device_type}'"
        )


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


BACKENDS: Final[PluginPoint[Backend]] = PluginPoint(
    "backend", "backend or device", "lamina.backends", "lamina.protocol", "LAMINA_BACKENDS", "lamina_flatarray.hookspec",
    "lamina_backend", PROTOCOL, Backend, _check,
)  # fmt: skip
"""Compute backends, as a kind of plug-in."""
