"""PyTorch's `torch.onnx`: programs import it and export at their user's wish only; there is no export here."""

from typing import TYPE_CHECKING

from .absent_names import explained

__all__ = []

if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
