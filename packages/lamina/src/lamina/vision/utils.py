"""torchvision's `utils`: many images as one."""

from lamina_nn.data.grids import *

from ..absent_names import explained as _explained

_explained(globals())
