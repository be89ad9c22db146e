"""PyTorch's `torch.nn.attention`."""

from lamina_nn.attention import *

from ..absent_names import explained as _explained

_explained(globals())
