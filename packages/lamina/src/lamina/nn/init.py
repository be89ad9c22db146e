"""PyTorch's `torch.nn.init`."""

from lamina_nn.init import *
