"""PyTorch's `torch.nn.parameter`."""

from typing import TYPE_CHECKING

from lamina_nn.lazy_parameter import UninitializedBuffer, UninitializedParameter, is_lazy
from lamina_nn.parameter import Buffer, Parameter

from ..absent_names import explained

__all__ = ["Buffer", "Parameter", "UninitializedBuffer", "UninitializedParameter", "is_lazy"]

if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
