"""PyTorch's `torch.distributed.rpc`: calls from process to process, of which there is one; so none of its names is here."""

from typing import TYPE_CHECKING

from ..absent_names import explained

__all__: list[str] = ["is_available"]


def is_available() -> bool:
    """Tell whether functions can be called in other processes of a group: a group has one process.

    Returns:
        False.

    >>> torch.distributed.rpc.is_available()
    False
    """
    return False


if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
