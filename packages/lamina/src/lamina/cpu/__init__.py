"""PyTorch's `torch.cpu`."""

from typing import TYPE_CHECKING

from ..absent_names import explained

__all__ = ["amp"]

if TYPE_CHECKING:
    from . import amp
else:
    __getattr__, __dir__ = explained(__name__, __all__)
