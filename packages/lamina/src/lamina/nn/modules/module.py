"""PyTorch's `torch.nn.modules.module`: modules, and hooks of all of them."""

from lamina_nn.module import *

from ...absent_names import explained as _explained

_explained(globals())
