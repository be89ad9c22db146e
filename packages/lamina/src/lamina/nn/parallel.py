"""PyTorch's `torch.nn.parallel`."""

from lamina_nn.layers.parallel.data_parallel import *
from lamina_nn.layers.parallel.distributed_data_parallel import *

from ..absent_names import explained as _explained

_explained(globals())
