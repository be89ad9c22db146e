"""The class of compiled modules, under PyTorch's path."""

from typing import TYPE_CHECKING

from ..absent_names import explained
from ..compiled_modules import OptimizedModule

__all__ = ["OptimizedModule"]


if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
