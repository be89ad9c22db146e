"""PyTorch's `torch.optim.lr_scheduler`."""

from lamina_nn.optim.lr_scheduler import *
from lamina_nn.optim.lr_scheduler import LRScheduler as _LRScheduler

from ..absent_names import explained as _explained

_explained(globals())
