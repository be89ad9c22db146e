"""PyTorch's `torch.utils.hooks`."""

from typing import TYPE_CHECKING

from lamina_tensor.autograd.node import RemovableHandle

from ..absent_names import explained

__all__ = ["RemovableHandle"]

if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
