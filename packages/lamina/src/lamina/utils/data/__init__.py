"""PyTorch's `torch.utils.data`, and what lamina has beside it: `readers` of files and `transforms` of images."""

from lamina_nn.data import *

from . import dataloader as dataloader
from . import dataset as dataset
from . import distributed as distributed
from . import readers as readers
from . import sampler as sampler
from . import transforms as transforms
