"""PyTorch's module path `torch.nn.utils.parametrizations`, kept for programs that import it."""

from lamina_nn.reparametrization.parametrizations import *

from ...absent_names import explained as _explained

_explained(globals())
