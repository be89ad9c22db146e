"""PyTorch's `torch.cpu`."""

from ..absent_names import explained as _explained
from . import amp as amp

_explained(globals())
