"""PyTorch's `torch.distributions`."""

from lamina_nn.distributions import *
from lamina_nn.distributions import constraints as constraints

from ..absent_names import explained as _explained
from . import constraint_registry as constraint_registry
from . import kl as kl
from . import transforms as transforms

_explained(globals())
