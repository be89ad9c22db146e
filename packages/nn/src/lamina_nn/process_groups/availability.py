"""What groups can be made of: PyTorch's backends, what serves them here, and whether this process was started with others."""

from __future__ import annotations

import os
from typing import Any, Final

from lamina_flatarray import ArgumentValueError, BackendError, process_groups
from lamina_flatarray.process_groups import Place

from .process_group import group

__all__ = [
    "TRANSPORTS", "get_default_backend_for_device", "is_available", "is_backend_available", "is_gloo_available", "is_initialized",
    "is_mpi_available", "is_nccl_available", "is_served", "is_torchelastic_launched", "is_ucc_available", "is_xccl_available",
    "launched_place",
]  # fmt: skip

TRANSPORTS: Final[dict[str, str | None]] = {"gloo": "mpi", "mpi": "mpi", "nccl": "nccl", "ucc": None, "xccl": None}
"""PyTorch's backends, and the transport that serves each for several processes."""
_BY_DEVICE: Final = {"cpu": "gloo", "cuda": "nccl"}


def is_served(backend: str) -> bool:
    """Whether a transport serves one of PyTorch's backends for several processes."""
    transport = TRANSPORTS[backend]
    try:
        return transport is not None and process_groups.transport(transport).unavailable() is None
    except BackendError:
        return False


def launched_place() -> Place | None:
    """Where this process stands, as those tell who started it for one of the transports that are installed."""
    for transport in dict.fromkeys(name for name in TRANSPORTS.values() if name is not None):
        if transport in process_groups.names():
            try:
                return process_groups.transport(transport).place()
            except BackendError:
                continue  # it is named where it is wanted
    return None


def is_available() -> bool:
    """Tell whether processes work together: whether this one was started with others, by what connects them.

    Programs that ask go on in one process elsewhere; those that make a group without asking get one of one process.

    Returns:
        A bool.

    >>> isinstance(torch.distributed.is_available(), bool)
    True
    """
    place = launched_place()
    return place is not None and place.size > 1


def is_initialized() -> bool:
    """Tell whether there is a process group.

    Returns:
        A bool.

    >>> torch.distributed.is_initialized()
    False
    """
    return group.WORLD is not None


def is_nccl_available() -> bool:
    """Tell whether NCCL serves groups: whether lamina-process-nccl is installed, with a CuPy that has NCCL, and a device.

    Returns:
        A bool.

    >>> isinstance(torch.distributed.is_nccl_available(), bool)
    True
    """
    return is_served("nccl")


def is_gloo_available() -> bool:
    """Tell whether the backend "gloo", which MPI serves here, is available for several processes.

    Returns:
        A bool.

    >>> torch.distributed.is_gloo_available() == torch.distributed.is_mpi_available()
    True
    """
    return is_served("gloo")


def is_mpi_available() -> bool:
    """Tell whether the backend "mpi" is available for several processes.

    Returns:
        A bool.

    >>> torch.distributed.is_gloo_available() == torch.distributed.is_mpi_available()
    True
    """
    return is_served("mpi")


def is_ucc_available() -> bool:
    """Tell whether the backend "ucc" is available for several processes: none serves it here.

    Returns:
        False.

    >>> torch.distributed.is_ucc_available()
    False
    """
    return is_served("ucc")


def is_xccl_available() -> bool:
    """Tell whether the backend "xccl", for Intel's devices, is available for several processes: none serves it here.

    Returns:
        False.

    >>> torch.distributed.is_xccl_available()
    False
    """
    return is_served("xccl")


def is_backend_available(backend: str) -> bool:
    """Tell whether one of PyTorch's backends is available for several processes.

    Args:
        backend: its name, in small or large letters.

    Returns:
        A bool; False for a name that PyTorch does not know.

    >>> torch.distributed.is_backend_available("GLOO") == torch.distributed.is_gloo_available()
    True
    """
    return backend.lower() in TRANSPORTS and is_served(backend.lower())


def get_default_backend_for_device(device: Any) -> str:
    """Return which of PyTorch's backends serves a type of device.

    Args:
        device: a device or its name.

    Returns:
        "gloo" for the CPU, "nccl" for CUDA's devices.

    Raises:
        ArgumentValueError: none serves such devices.

    >>> torch.distributed.get_default_backend_for_device("cpu")
    'gloo'
    """
    kind = str(device).partition(":")[0]
    if kind not in _BY_DEVICE:
        raise ArgumentValueError(f"get_default_backend_for_device: Default backend not registered for device : {device}")
    return _BY_DEVICE[kind]


def is_torchelastic_launched() -> bool:
    """Tell whether `torchrun` started this process.

    Returns:
        A bool.

    >>> import os
    >>> torch.distributed.is_torchelastic_launched() == ("TORCHELASTIC_RUN_ID" in os.environ)
    True
    """
    return "TORCHELASTIC_RUN_ID" in os.environ
