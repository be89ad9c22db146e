"""PyTorch's module path `torch.utils.data.distributed`, kept for programs that import it."""

from lamina_nn.data.distributed import *

from ...absent_names import explained as _explained

_explained(globals())
