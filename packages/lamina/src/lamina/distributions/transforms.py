"""PyTorch's `torch.distributions.transforms`."""

from lamina_nn.distributions.maps.elementwise import *
from lamina_nn.distributions.maps.joined import *
from lamina_nn.distributions.maps.transforms import *
from lamina_nn.distributions.maps.vectors import *

from ..absent_names import explained as _explained

_explained(globals())
