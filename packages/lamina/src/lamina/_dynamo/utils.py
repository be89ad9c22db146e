"""PyTorch's private `torch._dynamo.utils`: whether `torch.compile` can be used."""

from typing import TYPE_CHECKING, Any

from ..absent_names import explained

__all__ = ["is_compile_supported"]


def is_compile_supported(device_type: Any) -> bool:
    """Tell whether `torch.compile` takes functions for a type of devices: it takes all, and they run eagerly.

    Args:
        device_type: the type.

    Returns:
        True.
    """
    return True


if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
