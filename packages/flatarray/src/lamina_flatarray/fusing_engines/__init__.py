"""Engines that make machine code of fused steps: what a plug-in brings, and which there are."""

from ..plugin_points.registry import PluginStatus
from .contract import PROTOCOL, FusingEngine, MachineLoop
from .hookspec import hookimpl, lamina_fusing_engine
from .registry import engine, first, names, register, status, unregister

__all__ = [
    "PROTOCOL", "FusingEngine", "MachineLoop", "PluginStatus", "engine", "first", "hookimpl", "lamina_fusing_engine", "names", "register",
    "status", "unregister",
]  # fmt: skip
