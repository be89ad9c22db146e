"""PyTorch's `torch.utils.data`."""

from lamina_nn.data import *
