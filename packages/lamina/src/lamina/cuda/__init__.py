"""PyTorch's `torch.cuda`."""

from lamina_tensor.cuda_devices import *

from . import amp as amp
