"""PyTorch's `torch.nn.functional`."""

from lamina_nn.functional import *
from lamina_tensor.dispatch.subclassing import overridable as _overridable

from ..absent_names import explained as _explained

_overridable(globals())

_explained(globals())
