"""PyTorch's `torch.distributions.constraint_registry`."""

from lamina_nn.distributions.domains.constraint_registry import *

from ..absent_names import explained as _explained

_explained(globals())
