"""PyTorch's `torch.nn.grad`."""

from typing import TYPE_CHECKING

from lamina_nn.functional.convolutions.gradients import (
    conv1d_input,
    conv1d_weight,
    conv2d_input,
    conv2d_weight,
    conv3d_input,
    conv3d_weight,
)  # fmt: skip

from ..absent_names import explained

__all__ = ["conv1d_input", "conv1d_weight", "conv2d_input", "conv2d_weight", "conv3d_input", "conv3d_weight"]

if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
