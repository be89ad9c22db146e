"""How many threads native kernels use."""

from __future__ import annotations

from .native import module

__all__ = ["get_num_threads", "set_num_threads"]


def get_num_threads() -> int:
    """How many threads large kernels use: at first as many as this process may have cores (affinity, cgroup quota)."""
    return int(module.num_threads()) if module is not None else 1


def set_num_threads(n: int) -> None:
    """Use `n` threads from now on, also in other Python threads. Results do not depend on it.

    Raises:
        ValueError: `n` is not in 1 to 1024.
    """
    if module is not None:
        module.set_num_threads(n)
