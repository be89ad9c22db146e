"""The compute backends, as `lamina_flatarray.backends`; and the switches of PyTorch's `torch.backends`, beside them."""

from lamina_flatarray.backends import *

from ..absent_names import explained as _explained
from . import cuda, cudnn, mkldnn, mps, openmp

_explained(globals())
