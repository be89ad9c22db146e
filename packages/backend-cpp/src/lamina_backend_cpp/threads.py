"""How many threads native kernels use."""

from __future__ import annotations

from .native import module

__all__ = ["get_num_threads", "set_num_threads"]


def get_num_threads() -> int:
    """Return how many threads large kernels use: at first as many as this process may have cores (affinity, cgroup quota).

    Returns:
        A number of at least 1.

    >>> get_num_threads() >= 1
    True
    """
    return int(module.num_threads()) if module is not None else 1


def set_num_threads(n: int) -> None:
    """Use `n` threads from now on, also in other Python threads. Results do not depend on it.

    Args:
        n: the number of threads.

    Raises:
        ValueError: `n` is not in 1 to 1024.

    >>> before = get_num_threads()
    >>> set_num_threads(1)
    >>> get_num_threads()
    1
    >>> set_num_threads(before)
    """
    if module is not None:
        module.set_num_threads(n)
