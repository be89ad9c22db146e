"""PyTorch's `torch.version`, of lamina."""

from importlib.metadata import version as _version
from typing import TYPE_CHECKING

from .absent_names import explained

__all__ = ["__version__", "cuda", "git_version", "hip"]

__version__ = _version("lamina")
cuda = hip = git_version = None

if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
