"""The compute backends, as `lamina_flatarray.backends`; and the switches of PyTorch's `torch.backends`, beside them."""

from lamina_flatarray.backends import *

from ..absent_names import explained as _explained
from . import cuda as cuda
from . import cudnn as cudnn
from . import mkldnn as mkldnn
from . import mps as mps
from . import openmp as openmp

_explained(globals())
