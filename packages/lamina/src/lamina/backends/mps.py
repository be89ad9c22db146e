"""PyTorch's `torch.backends.mps`."""

from typing import TYPE_CHECKING

from ..absent_names import explained

__all__ = ["is_available", "is_built"]


def is_available() -> bool:
    """False: no backend serves Apple's GPUs."""
    return False


def is_built() -> bool:
    """False, likewise."""
    return False

if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
