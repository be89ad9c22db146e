"""PyTorch's `torch.distributions.transforms`."""

from lamina_nn.distributions.elementwise_transforms import *
from lamina_nn.distributions.joined_transforms import *
from lamina_nn.distributions.transforms import *
from lamina_nn.distributions.vector_transforms import *

from ..absent_names import explained as _explained

_explained(globals())
