"""PyTorch's `torch.nn.attention`."""

from lamina_nn.attention import *
