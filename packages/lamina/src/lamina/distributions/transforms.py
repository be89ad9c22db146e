"""PyTorch's `torch.distributions.transforms`."""

from lamina_nn.distributions.transforms import *

from ..absent_names import explained as _explained

_explained(globals())
