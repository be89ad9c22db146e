"""torchvision's `transforms`, of tensors and NumPy arrays."""

from lamina_nn.data.transforms import *

from ..absent_names import explained as _explained

_explained(globals())
