"""PyTorch's `torch.func`."""

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

from .absent_names import explained as _explained

_explained(globals())
