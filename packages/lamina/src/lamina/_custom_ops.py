"""PyTorch's private `torch._custom_ops`, which `torch.library` replaced; published packages import it without calling it."""

from typing import TYPE_CHECKING

from .absent_names import explained

__all__: list[str] = []

if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
