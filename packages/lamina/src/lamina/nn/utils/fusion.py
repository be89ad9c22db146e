"""PyTorch's module path `torch.nn.utils.fusion`, kept for programs that import it."""

from lamina_nn.fusion import *

from ...absent_names import explained as _explained

_explained(globals())
