"""PyTorch's `torch.signal`: processing of signals."""

from typing import TYPE_CHECKING

from ..absent_names import explained
from . import windows

__all__ = ["windows"]

if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
