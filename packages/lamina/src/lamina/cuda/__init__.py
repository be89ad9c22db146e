"""PyTorch's `torch.cuda`."""

from lamina_tensor.devices.cuda_devices import *
from lamina_tensor.devices.cuda_streams import *

from ..absent_names import explained as _explained
from . import amp

_explained(globals())
