"""How many threads the kernels of the CPU's backend use."""

from __future__ import annotations

from .backends import registry
from .errors import UsageError

__all__ = ["get_num_threads", "set_num_threads"]


def get_num_threads() -> int:
    """Return how many threads kernels on the CPU may use.

    Returns:
        A number of at least 1; 1 if the backend uses no threads of its own.

    >>> get_num_threads() >= 1
    True
    """
    return registry.backend_for("cpu").get_num_threads()


def set_num_threads(num: int) -> None:
    """Let kernels on the CPU use so many threads, from all Python threads.

    Args:
        num: the number of threads, at least 1.

    Raises:
        UsageError: `num` is not a positive integer.

    >>> before = get_num_threads()
    >>> set_num_threads(1)
    >>> get_num_threads()
    1
    >>> set_num_threads(before)
    """
    if isinstance(num, bool) or not isinstance(num, int) or num < 1:
        raise UsageError(f"set_num_threads expects a positive integer, but got {num!r}")
    registry.backend_for("cpu").set_num_threads(num)
