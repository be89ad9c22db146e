"""PyTorch's `torch.distributions.transformed_distribution`."""

from typing import TYPE_CHECKING

from lamina_nn.distributions import (
    ComposeTransform,
    Distribution,
    Independent,
    Transform,
    TransformedDistribution,
)  # fmt: skip

from ..absent_names import explained

__all__ = [
    "ComposeTransform", "Distribution", "Independent", "Transform", "TransformedDistribution",
]  # fmt: skip

if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
