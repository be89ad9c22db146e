"""PyTorch's `torch.optim`."""

from lamina_nn.optim import *

from ..absent_names import explained as _explained
from . import lr_scheduler, optimizer, swa_utils

_explained(globals())
