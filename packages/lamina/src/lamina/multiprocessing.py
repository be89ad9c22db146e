"""PyTorch's `torch.multiprocessing`: the standard library's."""

from multiprocessing import *
from multiprocessing import freeze_support, get_context, get_start_method, set_start_method

from .absent_names import explained as _explained

_explained(globals())
