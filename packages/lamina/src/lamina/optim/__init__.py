"""PyTorch's `torch.optim`."""

from lamina_nn.optim import *

from ..absent_names import explained as _explained
from . import lr_scheduler as lr_scheduler
from . import optimizer as optimizer
from . import swa_utils as swa_utils

_explained(globals())
