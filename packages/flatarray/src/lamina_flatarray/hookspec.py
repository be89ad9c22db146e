"""What a plug-in implements: one hook, which makes its backend.

A plug-in is a distribution with two entry points of the same name, the name of its backend::

    [project.entry-points."lamina.backends"]
    foo = "lamina_foo"                  # a module, or module:object, that holds the hook
    [project.entry-points."lamina.protocol"]
    foo = "v1_0"                        # the contract it speaks, read without importing anything

and in `lamina_foo`::

    from lamina_flatarray.hookspec import hookimpl

    @hookimpl
    def lamina_backend():
        return FooBackend()

The second entry point is `v<major>_<minor>`, followed by `:<device type>` where that is not the backend's
name: `cpp = "v1_0:cpu"`. Only backends that say so there are tried, when the first array is made, as servers
of the CPU.
"""

from __future__ import annotations

from typing import Final

import pluggy

from .contract import Backend

__all__ = ["hookimpl", "lamina_backend"]

hookimpl: Final = pluggy.HookimplMarker("lamina")
"""Marks a plug-in's `lamina_backend`."""

_hookspec: Final = pluggy.HookspecMarker("lamina")


@_hookspec(firstresult=True)
def lamina_backend() -> Backend:  # type: ignore[empty-body]
    """Make the plug-in's backend. Called once, when the backend is first wanted."""
