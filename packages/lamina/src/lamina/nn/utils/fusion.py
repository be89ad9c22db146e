"""PyTorch's `torch.nn.utils.fusion`."""

from lamina_nn.fusion import *
