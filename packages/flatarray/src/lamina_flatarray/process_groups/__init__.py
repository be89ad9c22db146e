"""Groups of processes that work together: what a plug-in brings, which there are, and who of the others is alive."""

from ..plugin_points.registry import PluginStatus
from .contract import PROTOCOL, Communicator, Place, Request, Transport
from .hookspec import hookimpl, lamina_process_group
from .registry import names, register, status, transport, unregister

__all__ = [
    "PROTOCOL", "Communicator", "Place", "PluginStatus", "Request", "Transport", "hookimpl", "lamina_process_group", "names",
    "register", "status", "transport", "unregister",
]  # fmt: skip
