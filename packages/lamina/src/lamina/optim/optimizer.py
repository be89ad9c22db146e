"""PyTorch's `torch.optim.optimizer`."""

from typing import TYPE_CHECKING

from lamina_nn.optim.for_subclasses import ParamsT, params_t
from lamina_nn.optim.for_subclasses import (  # what published optimizers import, beside the public names
    _default_to_fused_or_foreach as _default_to_fused_or_foreach,
)  # fmt: skip
from lamina_nn.optim.for_subclasses import (
    _dispatch_sqrt as _dispatch_sqrt,
)
from lamina_nn.optim.for_subclasses import (
    _get_scalar_dtype as _get_scalar_dtype,
)
from lamina_nn.optim.for_subclasses import (
    _get_value as _get_value,
)
from lamina_nn.optim.for_subclasses import (
    _stack_if_compiling as _stack_if_compiling,
)
from lamina_nn.optim.for_subclasses import (
    _to_scalar as _to_scalar,
)
from lamina_nn.optim.for_subclasses import (
    _use_grad_for_differentiable as _use_grad_for_differentiable,
)
from lamina_nn.optim.for_subclasses import (
    _view_as_real as _view_as_real,
)
from lamina_nn.optim.hooks import register_optimizer_step_post_hook, register_optimizer_step_pre_hook
from lamina_nn.optim.optimizer import Optimizer, required

from ..absent_names import explained

__all__ = [
    "Optimizer", "ParamsT", "params_t", "register_optimizer_step_post_hook", "register_optimizer_step_pre_hook", "required",
]  # fmt: skip

if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
