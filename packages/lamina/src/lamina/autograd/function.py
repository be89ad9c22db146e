"""PyTorch's `torch.autograd.function`."""

from lamina_tensor.function import Function, FunctionCtx, once_differentiable
