"""PyTorch's `torch.cpu`."""

from ..absent_names import explained as _explained
from . import amp

_explained(globals())
