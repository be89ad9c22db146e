"""PyTorch's module path `torch.utils.data`, kept for programs that import it; lamina's `readers` and `transforms` beside it."""

from lamina_nn.data import *

from ...absent_names import explained as _explained
from . import dataloader as dataloader
from . import dataset as dataset
from . import distributed as distributed
from . import readers as readers
from . import sampler as sampler
from . import transforms as transforms

_explained(globals())
