"""PyTorch's `torch.mtia`: Meta's accelerators, of which no backend makes use."""

from typing import TYPE_CHECKING

from .absent_names import explained
from .unserved_devices import device_count, is_available

__all__ = ["device_count", "is_available"]

if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
