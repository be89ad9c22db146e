"""PyTorch's `torch.distributions`."""

from lamina_nn.distributions import *
from lamina_nn.distributions import constraints as constraints

from . import kl as kl
from . import transforms as transforms
