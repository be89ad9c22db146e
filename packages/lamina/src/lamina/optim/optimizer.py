"""PyTorch's `torch.optim.optimizer`."""

from typing import TYPE_CHECKING

from lamina_nn.optim.hooks import register_optimizer_step_post_hook, register_optimizer_step_pre_hook
from lamina_nn.optim.optimizer import Optimizer, required

from ..absent_names import explained

__all__ = ["Optimizer", "register_optimizer_step_post_hook", "register_optimizer_step_pre_hook", "required"]

if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
