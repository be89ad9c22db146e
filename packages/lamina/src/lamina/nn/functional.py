"""PyTorch's `torch.nn.functional`."""

from lamina_nn.functional import *
from lamina_tensor.subclassing import overridable as _overridable

_overridable(globals())
