"""PyTorch's module path `torch.utils.dlpack`, kept for programs that import it."""

from typing import TYPE_CHECKING

from lamina_tensor.devices.capsules import from_dlpack, to_dlpack

from ..absent_names import explained

__all__ = ["from_dlpack", "to_dlpack"]

if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
