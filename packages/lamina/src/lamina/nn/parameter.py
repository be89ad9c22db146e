"""PyTorch's `torch.nn.parameter`."""

from lamina_nn.lazy_parameter import *
from lamina_nn.parameter import *

from ..absent_names import explained as _explained

_explained(globals())
