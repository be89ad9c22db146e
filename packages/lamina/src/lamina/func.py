"""PyTorch's `torch.func`."""

from typing import TYPE_CHECKING

from lamina_nn.stateless import functional_call, stack_module_state
from lamina_tensor.transforms.func import (
    grad,
    grad_and_value,
    hessian,
    jacfwd,
    jacrev,
    jvp,
    linearize,
    value_and_grad,
    vjp,
)
from lamina_tensor.transforms.mapping.vmap import vmap

from .absent_names import explained

__all__ = [
    "functional_call", "grad", "grad_and_value", "hessian", "jacfwd", "jacrev", "jvp", "linearize",
    "stack_module_state", "value_and_grad", "vjp", "vmap",
]  # fmt: skip

if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
