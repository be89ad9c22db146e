"""PyTorch's module path `torch.utils.data.dataset`, kept for programs that import it."""

from lamina_nn.data.dataset import *

from ...absent_names import explained as _explained

_explained(globals())
