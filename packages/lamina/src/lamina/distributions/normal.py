"""PyTorch's `torch.distributions.normal`."""

from typing import TYPE_CHECKING

from lamina_nn.distributions import (
    ExponentialFamily,
    Normal,
)  # fmt: skip

from ..absent_names import explained

__all__ = [
    "ExponentialFamily", "Normal",
]  # fmt: skip

if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
