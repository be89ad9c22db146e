"""What a plug-in for fusing engines implements: one hook, which makes its engine.

A plug-in is a distribution with two entry points of the same name, the name of its engine::

    [project.entry-points."lamina.fusing_engines"]
    foo = "lamina_foo"                  # a module, or module:object, that holds the hook
    [project.entry-points."lamina.fusing_engine_protocol"]
    foo = "v1_0"                        # the contract it speaks, read without importing anything

and in `lamina_foo`::

    from lamina_flatarray.fusing_engines import hookimpl

    @hookimpl
    def lamina_fusing_engine():
        return FooEngine()
"""

from __future__ import annotations

from typing import Final

import pluggy

from .contract import FusingEngine

__all__ = ["hookimpl", "lamina_fusing_engine"]

hookimpl: Final = pluggy.HookimplMarker("lamina")
"""Marks a plug-in's `lamina_fusing_engine`."""

_hookspec: Final = pluggy.HookspecMarker("lamina")


@_hookspec(firstresult=True)
def lamina_fusing_engine() -> FusingEngine:  # type: ignore[empty-body]
    """Make the plug-in's engine. Called once, when it is first wanted."""
