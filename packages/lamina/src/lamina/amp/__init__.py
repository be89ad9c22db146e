"""PyTorch's `torch.amp`."""

from typing import TYPE_CHECKING

from lamina_tensor.precision.autocasting import autocast, is_autocast_available
from lamina_tensor.precision.functions_under_autocast import custom_bwd, custom_fwd
from lamina_tensor.precision.gradient_scaling import GradScaler

from ..absent_names import explained

__all__ = ["GradScaler", "autocast", "custom_bwd", "custom_fwd", "is_autocast_available"]

if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
