"""Groups of processes that work together: what a plug-in brings, which there are, and who of the others is alive."""

from ..plugin_points.registry import PluginStatus
from .contract import PROTOCOL, Communicator, DeviceBytes, Place, Request, Together, Transport
from .hookspec import hookimpl, lamina_process_group
from .registry import names, register, status, transport, unregister

__all__ = [
    "PROTOCOL", "Communicator", "DeviceBytes", "Place", "PluginStatus", "Request", "Together", "Transport", "hookimpl",
    "lamina_process_group", "names", "register", "status", "transport", "unregister",
]  # fmt: skip
