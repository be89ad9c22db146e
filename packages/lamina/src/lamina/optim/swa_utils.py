"""PyTorch's `torch.optim.swa_utils`."""

from lamina_nn.optim.averaging import *

from ..absent_names import explained as _explained

_explained(globals())
