"""PyTorch's `torch.distributed.optim`: optimizers whose state is shared among processes."""

from typing import TYPE_CHECKING

from lamina_nn.optim.zero_redundancy import ZeroRedundancyOptimizer

from ..absent_names import explained

__all__ = ["ZeroRedundancyOptimizer"]


if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
