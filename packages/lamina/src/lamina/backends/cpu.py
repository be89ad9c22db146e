"""PyTorch's `torch.backends.cpu`."""

from typing import TYPE_CHECKING

from ..absent_names import explained

__all__ = ["get_cpu_capability"]


def get_cpu_capability() -> str:
    """Tell which of PyTorch's sets of vector kernels are in use: none; what lamina's own use, `lamina doctor` tells.

    Returns:
        "DEFAULT", PyTorch's name for none.

    >>> torch.backends.cpu.get_cpu_capability()
    'DEFAULT'
    """
    return "DEFAULT"


if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
