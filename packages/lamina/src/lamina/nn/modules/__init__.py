"""PyTorch's `torch.nn.modules`."""

from lamina_nn.layers import *
from lamina_nn.module import Module

from ...absent_names import explained as _explained
from . import module

_explained(globals())
