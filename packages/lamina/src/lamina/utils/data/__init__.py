"""PyTorch's module path `torch.utils.data`, kept for programs that import it; lamina's `readers` and `transforms` beside it."""

from lamina_nn.data import *

from ...absent_names import explained as _explained
from . import dataloader, dataset, distributed, readers, sampler, transforms

_explained(globals())
