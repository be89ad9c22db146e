"""PyTorch's `torch.mps`: Apple's GPUs, of which no backend makes use."""

from typing import TYPE_CHECKING

from .absent_names import explained

__all__ = ["device_count", "is_available"]


def is_available() -> bool:
    """Return False: no backend computes on Apple's GPUs.

    Returns:
        False.

    >>> torch.mps.is_available()
    False
    """
    return False


def device_count() -> int:
    """Return how many such devices can be used: none.

    Returns:
        0.

    >>> torch.mps.device_count()
    0
    """
    return 0


if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
