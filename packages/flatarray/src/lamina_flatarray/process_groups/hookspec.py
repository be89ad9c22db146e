"""What a plug-in for process groups implements: one hook, which makes its transport.

A plug-in is a distribution with two entry points of the same name, the name of its transport::

    [project.entry-points."lamina.process_groups"]
    foo = "lamina_foo"                  # a module, or module:object, that holds the hook
    [project.entry-points."lamina.process_group_protocol"]
    foo = "v1_0"                        # the contract it speaks, read without importing anything

and in `lamina_foo`::

    from lamina_flatarray.process_groups import hookimpl

    @hookimpl
    def lamina_process_group():
        return FooTransport()
"""

from __future__ import annotations

from typing import Final

import pluggy

from .contract import Transport

__all__ = ["hookimpl", "lamina_process_group"]

hookimpl: Final = pluggy.HookimplMarker("lamina")
"""Marks a plug-in's `lamina_process_group`."""

_hookspec: Final = pluggy.HookspecMarker("lamina")


@_hookspec(firstresult=True)
def lamina_process_group() -> Transport:  # type: ignore[empty-body]
    """Make the plug-in's transport. Called once, when it is first wanted; it connects to nobody yet."""
