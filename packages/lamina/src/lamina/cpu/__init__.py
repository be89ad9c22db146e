"""PyTorch's `torch.cpu`."""

from . import amp as amp
