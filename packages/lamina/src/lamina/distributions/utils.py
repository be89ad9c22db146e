"""PyTorch's `torch.distributions.utils`: what distributions of users' own are written with."""

from typing import TYPE_CHECKING

from lamina_nn.distributions.domains.parameters import (
    broadcast_all,
    clamp_probs,
    lazy_property,
    logits_to_probs,
    probs_to_logits,
)

from ..absent_names import explained

__all__ = ["broadcast_all", "clamp_probs", "lazy_property", "logits_to_probs", "probs_to_logits"]

if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
