"""PyTorch's `torch.distributions.constraint_registry`."""

from typing import TYPE_CHECKING

from lamina_nn.distributions.domains.constraint_registry import ConstraintRegistry, biject_to, transform_to

from ..absent_names import explained

__all__ = ["ConstraintRegistry", "biject_to", "transform_to"]

if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
