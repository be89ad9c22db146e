"""PyTorch's `torch.autograd.functional`."""

from lamina_tensor.transforms.derivatives import hessian, hvp, jacobian, jvp, vhp, vjp

from ..absent_names import explained as _explained

_explained(globals())
