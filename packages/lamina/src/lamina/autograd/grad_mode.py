"""PyTorch's `torch.autograd.grad_mode`."""

from typing import TYPE_CHECKING

from lamina_tensor.autograd.modes import enable_grad, inference_mode, no_grad, set_grad_enabled

from ..absent_names import explained

__all__ = ["enable_grad", "inference_mode", "no_grad", "set_grad_enabled"]

if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
