"""PyTorch's `torch.distributions.kl`."""

from typing import TYPE_CHECKING

from lamina_nn.distributions.divergences.same_class import kl_divergence, register_kl

from ..absent_names import explained

__all__ = ["kl_divergence", "register_kl"]

if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
