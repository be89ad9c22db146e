"""PyTorch's `torch.distributed.tensor.parallel`: layers computed in parts, one in each process."""

from typing import TYPE_CHECKING

from lamina_nn.sharding.tensor_parallel.parallelize import parallelize_module
from lamina_nn.sharding.tensor_parallel.sequence import (
    PrepareModuleInput,
    PrepareModuleInputOutput,
    PrepareModuleOutput,
    SequenceParallel,
)
from lamina_nn.sharding.tensor_parallel.styles import ColwiseParallel, ParallelStyle, RowwiseParallel

from ...absent_names import explained

__all__ = [
    "ColwiseParallel", "ParallelStyle", "PrepareModuleInput", "PrepareModuleInputOutput", "PrepareModuleOutput", "RowwiseParallel",
    "SequenceParallel", "parallelize_module",
]  # fmt: skip


if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
