"""PyTorch's private `torch._higher_order_ops.associative_scan`."""

from typing import TYPE_CHECKING

from lamina_tensor.transforms.associative_scan import associative_scan

from ..absent_names import explained

__all__ = ["associative_scan"]

if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
