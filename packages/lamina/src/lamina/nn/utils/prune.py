"""PyTorch's module path `torch.nn.utils.prune`, kept for programs that import it."""

from lamina_nn.reparametrization.pruning import *

from ...absent_names import explained as _explained

_explained(globals())
