"""PyTorch's `torch.nn.modules`."""

from lamina_nn.layers import *
from lamina_nn.module import Module

from . import module as module
