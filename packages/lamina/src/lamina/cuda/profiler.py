"""PyTorch's `torch.cuda.profiler`."""

from typing import TYPE_CHECKING

from lamina_tensor.devices.cuda_marks import profile, start, stop

from ..absent_names import explained

__all__ = ["profile", "start", "stop"]

if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
