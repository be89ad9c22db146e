"""PyTorch's `torch.autograd`."""

from lamina_tensor import Tensor
from lamina_tensor.engine import backward, grad
from lamina_tensor.function import Function
from lamina_tensor.gradcheck import gradcheck, gradgradcheck
from lamina_tensor.modes import enable_grad, inference_mode, no_grad, set_grad_enabled

from . import forward_ad, functional, graph
from . import function as function

Variable = Tensor
