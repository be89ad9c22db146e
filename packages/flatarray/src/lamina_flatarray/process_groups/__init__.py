"""Groups of processes that work together: what a plug-in brings, which there are, and who of the others is alive."""

from .contract import PROTOCOL, Communicator, Place, Request, Transport
from .hookspec import hookimpl, lamina_process_group
from .registry import ProcessGroupStatus, names, register, status, transport, unregister

__all__ = [
    "PROTOCOL", "Communicator", "Place", "ProcessGroupStatus", "Request", "Transport", "hookimpl", "lamina_process_group", "names",
    "register", "status", "transport", "unregister",
]  # fmt: skip
