"""PyTorch's `torch.distributions.multivariate_normal`."""

from typing import TYPE_CHECKING

from lamina_nn.distributions import (
    Distribution,
    MultivariateNormal,
)  # fmt: skip

from ..absent_names import explained

__all__ = [
    "Distribution", "MultivariateNormal",
]  # fmt: skip

if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
