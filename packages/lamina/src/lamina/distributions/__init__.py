"""PyTorch's `torch.distributions`."""

from lamina_nn.distributions import *
from lamina_nn.distributions.domains import constraints

from ..absent_names import explained as _explained
from . import constraint_registry, kl, transforms

_explained(globals())
