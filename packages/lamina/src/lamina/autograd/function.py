"""PyTorch's `torch.autograd.function`."""

from lamina_tensor.transforms.function import Function, FunctionCtx, once_differentiable

from ..absent_names import explained as _explained

_explained(globals())
