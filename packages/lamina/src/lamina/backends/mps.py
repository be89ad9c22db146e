"""PyTorch's `torch.backends.mps`."""

from typing import TYPE_CHECKING

from ..absent_names import explained

__all__ = ["is_available", "is_built"]


def is_available() -> bool:
    """Return False: no backend serves Apple's GPUs.

    Returns:
        False.

    >>> torch.backends.mps.is_available()
    False
    """
    return False


def is_built() -> bool:
    """Return False, as nothing for Apple's GPUs is part of lamina.

    Returns:
        False.

    >>> torch.backends.mps.is_built()
    False
    """
    return False

if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
