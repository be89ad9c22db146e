"""PyTorch's `torch.distributed`: a group of one process is all there is."""

from lamina_nn.process_group import *

from .absent_names import explained as _explained

differs = "in a group of one process"

_explained(globals())
