"""PyTorch's `torch.distributions.kl`."""

from lamina_nn.distributions.divergences.same_class import *

from ..absent_names import explained as _explained

_explained(globals())
