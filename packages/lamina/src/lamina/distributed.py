"""PyTorch's `torch.distributed`: one process is all there is."""

from __future__ import annotations

from typing import Any

from lamina_flatarray import OpNotImplemented

from .absent_names import explained as _explained

differs = "one process only: is_available() is False"


def is_available() -> bool:
    """False: programs that ask run as one process."""
    return False


def is_initialized() -> bool:
    """False."""
    return False


def get_rank(group: Any = None) -> int:
    """0: the only process."""
    return 0


def get_world_size(group: Any = None) -> int:
    """1: the only process."""
    return 1


def init_process_group(*args: Any, **options: Any) -> None:
    """Refused.

    Raises:
        OpNotImplemented: always.
    """
    raise OpNotImplemented(
        "distributed.init_process_group: several processes are not supported; run the program as one"
    )


def destroy_process_group(group: Any = None) -> None:
    """Nothing: there is no group."""


_explained(globals())
