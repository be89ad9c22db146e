"""PyTorch's `torch.cuda`."""

from lamina_tensor.cuda_devices import *
from lamina_tensor.cuda_streams import *

from ..absent_names import explained as _explained
from . import amp as amp

_explained(globals())
