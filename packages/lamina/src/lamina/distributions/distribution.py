"""PyTorch's `torch.distributions.distribution`."""

from typing import TYPE_CHECKING

from lamina_nn.distributions import Distribution

from ..absent_names import explained

__all__ = ["Distribution"]

if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
