"""PyTorch's module path `torch.utils.checkpoint`, kept for programs that import it."""

from typing import TYPE_CHECKING

from lamina_tensor.transforms.checkpoint import checkpoint, checkpoint_sequential

from ..absent_names import explained

__all__ = ["checkpoint", "checkpoint_sequential"]

if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
