"""PyTorch's `torch.cuda.memory`."""

from typing import TYPE_CHECKING

from lamina_tensor.devices.cuda_memory import (
    empty_cache,
    max_memory_allocated,
    max_memory_reserved,
    memory_allocated,
    memory_reserved,
    memory_stats,
    reset_peak_memory_stats,
)  # fmt: skip

from ..absent_names import explained

__all__ = [
    "empty_cache", "max_memory_allocated", "max_memory_reserved", "memory_allocated", "memory_reserved", "memory_stats",
    "reset_peak_memory_stats",
]  # fmt: skip

if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
