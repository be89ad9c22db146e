"""PyTorch's module path `torch.nn.utils.parametrize`, kept for programs that import it."""

from lamina_nn.reparametrization.parametrize import *

from ...absent_names import explained as _explained

_explained(globals())
