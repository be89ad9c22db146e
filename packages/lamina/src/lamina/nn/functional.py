"""PyTorch's `torch.nn.functional`."""

from lamina_nn.functional import *
