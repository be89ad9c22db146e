"""PyTorch's module path `torch.utils.data.distributed`, kept for programs that import it."""

from typing import TYPE_CHECKING

from lamina_nn.data.distributed import DistributedSampler

from ...absent_names import explained

__all__ = ["DistributedSampler"]

if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
