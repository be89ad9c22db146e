"""PyTorch's `torch.return_types`."""

from lamina_tensor.return_types import *
from lamina_tensor.return_types import RETURN_TYPES as all_return_types
