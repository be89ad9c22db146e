"""PyTorch's `torch.nn.parallel`."""

from typing import TYPE_CHECKING

from lamina_nn.layers.parallel.data_parallel import DataParallel, data_parallel
from lamina_nn.layers.parallel.distributed_data_parallel import DistributedDataParallel

from ...absent_names import explained

__all__ = ["DataParallel", "DistributedDataParallel", "data_parallel"]

if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
