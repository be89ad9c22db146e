"""lamina_process_mpi: process groups over MPI."""

from lamina_flatarray.process_groups import hookimpl

from .transport import MPITransport

__all__ = ["MPITransport", "lamina_process_group"]


@hookimpl
def lamina_process_group() -> MPITransport:
    """Make the transport; MPI is not started yet."""
    return MPITransport()
