"""PyTorch's `torch.utils.data.distributed`."""

from lamina_nn.data.distributed import *
