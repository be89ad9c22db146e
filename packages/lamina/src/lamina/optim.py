"""PyTorch's `torch.optim`."""

from lamina_nn.optim import *
