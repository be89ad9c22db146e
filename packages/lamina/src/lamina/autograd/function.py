"""PyTorch's `torch.autograd.function`."""

from typing import TYPE_CHECKING

from lamina_tensor.transforms.function import Function, once_differentiable
from lamina_tensor.transforms.function_context import FunctionCtx

from ..absent_names import explained

__all__ = ["Function", "FunctionCtx", "once_differentiable"]

if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
