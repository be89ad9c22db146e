"""PyTorch's `torch.autograd.profiler`."""

from lamina_nn.profiling import EventList, FunctionEvent, FunctionEventAvg, record_function
from lamina_nn.profiling import whole_profile as profile

from ..absent_names import explained as _explained

__getattr__ = _explained(globals())
