"""PyTorch's `torch.autograd`: the backward pass, the modes, and ops of one's own, under one name."""

from .engine import backward, grad
from .function import Function
from .modes import enable_grad, no_grad, set_grad_enabled

__all__ = ["Function", "backward", "enable_grad", "grad", "no_grad", "set_grad_enabled"]
