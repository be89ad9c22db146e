"""PyTorch's `torch.nn.attention`."""

from typing import TYPE_CHECKING

from lamina_nn.attention import SDPBackend, sdpa_kernel

from ...absent_names import explained

__all__ = ["SDPBackend", "flex_attention", "sdpa_kernel"]

if TYPE_CHECKING:
    from . import flex_attention
else:
    __getattr__, __dir__ = explained(__name__, __all__)
