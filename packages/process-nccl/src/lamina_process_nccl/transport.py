"""NCCLTransport: NCCL's communicators for what lies on CUDA's devices, over MPI's, which start processes and serve the host."""

from __future__ import annotations

from collections.abc import Sequence

from lamina_flatarray import BackendError, backends, process_groups
from lamina_flatarray.process_groups import Communicator, Place, Transport

from .interface import Port
from .port import CupyPort
from .readiness import problem

__all__ = ["NCCLTransport"]


class NCCLTransport(Transport):
    """Connects processes that MPI's launchers or `lamina launch` started, each with a CUDA device.

    Args:
        port: how NCCL is called; by CuPy for None.

    >>> NCCLTransport().name
    'nccl'
    """

    name = "nccl"

    def __init__(self, port: Port | None = None) -> None:
        self._port = CupyPort() if port is None else port

    def unavailable(self) -> str | None:
        """Return what is missing: MPI, CuPy, a driver, a device, or NCCL, each with the line that mends it."""
        try:
            process_groups.transport("mpi")
            backends.backend("cuda")
        except BackendError as failure:
            return str(failure)
        return problem(self._port.facts())

    def place(self) -> Place | None:
        """Tell what MPI tells."""
        return process_groups.transport("mpi").place()

    def world(self) -> Communicator:
        """Return a communicator of all processes; that of NCCL is made with the first array on a device."""
        from .communicator import NCCLCommunicator

        world = process_groups.transport("mpi").world()
        own = world.part(range(world.size))  # moves of others do not come between
        assert own is not None
        return NCCLCommunicator(self._port, own)

    def command(self, size: int, hosts: Sequence[str] = ()) -> list[str]:
        """Return MPI's command line."""
        return process_groups.transport("mpi").command(size, hosts)
