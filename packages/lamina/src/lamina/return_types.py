"""PyTorch's `torch.return_types`."""

from lamina_tensor.dispatch.return_types import *
from lamina_tensor.dispatch.return_types import RETURN_TYPES as all_return_types

from .absent_names import explained as _explained

_explained(globals())
