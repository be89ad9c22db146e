"""PyTorch's `torch.autograd.functional`."""

from typing import TYPE_CHECKING

from lamina_tensor.transforms.derivatives import hessian, hvp, jacobian, jvp, vhp, vjp

from ..absent_names import explained

__all__ = ["hessian", "hvp", "jacobian", "jvp", "vhp", "vjp"]

if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
