"""PyTorch's `torch.utils.data`, and what lamina has beside it: `readers` of files and `transforms` of images."""

from lamina_nn.data import *
from lamina_nn.data import readers as readers
from lamina_nn.data import transforms as transforms

from . import dataloader as dataloader
from . import dataset as dataset
from . import distributed as distributed
from . import sampler as sampler
