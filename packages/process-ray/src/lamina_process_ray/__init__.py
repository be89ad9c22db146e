"""lamina_process_ray: processes on a Ray cluster, connected by MPI."""

from lamina_flatarray.process_groups import hookimpl

from .transport import RayTransport

__all__ = ["RayTransport", "lamina_process_group"]


@hookimpl
def lamina_process_group() -> RayTransport:
    """Make the transport; no cluster is asked yet."""
    return RayTransport()
