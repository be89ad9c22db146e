"""lamina_process_nccl: process groups for arrays on CUDA devices, over NCCL."""

from lamina_flatarray.process_groups import hookimpl

from .transport import NCCLTransport

__all__ = ["NCCLTransport", "lamina_process_group"]


@hookimpl
def lamina_process_group() -> NCCLTransport:
    """Make the transport; neither CuPy nor NCCL is loaded yet."""
    return NCCLTransport()
