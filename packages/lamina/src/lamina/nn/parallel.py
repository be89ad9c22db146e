"""PyTorch's `torch.nn.parallel`."""

from lamina_nn.layers.data_parallel import *
