"""How many threads native kernels use."""

from __future__ import annotations

import os

from .native import module

__all__ = ["get_num_threads", "set_num_threads"]


def get_num_threads() -> int:
    """Return how many threads large kernels use: at first as many as OMP_NUM_THREADS says or, without it, as this process may have
    cores (affinity, cgroup quota).

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


def _asked_for(number: str) -> int | None:
    """The threads that OMP_NUM_THREADS asks for; of a list, which OpenMP reads as one number per level, the first. None where it is
    no number from 1 on, as OpenMP has it."""
    first = number.partition(",")[0].strip()
    return min(int(first), 1024) if first.isdecimal() and int(first) else None


_asked = _asked_for(os.environ.get("OMP_NUM_THREADS", ""))
if _asked is not None:
    set_num_threads(_asked)
