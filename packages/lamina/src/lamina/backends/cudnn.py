"""PyTorch's `torch.backends.cudnn`: its switches may be set, and change nothing."""

from typing import TYPE_CHECKING

from ..absent_names import explained

__all__ = ["allow_tf32", "benchmark", "deterministic", "enabled", "is_available", "version"]

differs = "there is no cuDNN here: its switches may be set and change nothing"
allow_tf32 = benchmark = deterministic = enabled = False


def is_available() -> bool:
    """Return False: no backend uses cuDNN.

    Returns:
        False.

    >>> torch.backends.cudnn.is_available()
    False
    """
    return False


def version() -> None:
    """Return None, as there is no cuDNN here.

    >>> torch.backends.cudnn.version() is None
    True
    """


if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
