"""PyTorch's `torch.utils.data.dataset`."""

from lamina_nn.data.dataset import *
