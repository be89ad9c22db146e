"""PyTorch's `torch.optim.optimizer`."""

from lamina_nn.optim.hooks import register_optimizer_step_post_hook, register_optimizer_step_pre_hook
from lamina_nn.optim.optimizer import Optimizer, required

from ..absent_names import explained as _explained

_explained(globals())
