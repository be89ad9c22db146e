"""PyTorch's `torch.nn.init`."""

from lamina_nn.init import *

from ..absent_names import explained as _explained

_explained(globals())
