"""PyTorch's `torch.nn.attention`."""

from typing import TYPE_CHECKING

from lamina_nn.attention import SDPBackend, sdpa_kernel

from ..absent_names import explained

__all__ = ["SDPBackend", "sdpa_kernel"]

if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
