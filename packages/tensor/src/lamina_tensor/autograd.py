"""PyTorch's `torch.autograd`: the backward pass and the modes, under one name."""

from .engine import backward, grad
from .modes import enable_grad, no_grad, set_grad_enabled

__all__ = ["backward", "enable_grad", "grad", "no_grad", "set_grad_enabled"]
