"""PyTorch's `torch.cuda.nvtx`."""

from typing import TYPE_CHECKING

from lamina_tensor.devices.cuda_marks import mark, range, range_pop, range_push

from ..absent_names import explained

__all__ = ["mark", "range", "range_pop", "range_push"]

if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
