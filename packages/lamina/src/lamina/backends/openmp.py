"""PyTorch's `torch.backends.openmp`."""

from typing import TYPE_CHECKING

from ..absent_names import explained

__all__ = ["is_available"]


def is_available() -> bool:
    """Return False: backends bring threads of their own.

    Returns:
        False.

    >>> torch.backends.openmp.is_available()
    False
    """
    return False

if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
