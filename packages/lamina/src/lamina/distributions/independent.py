"""PyTorch's `torch.distributions.independent`."""

from typing import TYPE_CHECKING

from lamina_nn.distributions import (
    Distribution,
    Independent,
)  # fmt: skip

from ..absent_names import explained

__all__ = [
    "Distribution", "Independent",
]  # fmt: skip

if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
