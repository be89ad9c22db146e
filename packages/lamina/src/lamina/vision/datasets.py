"""torchvision's `datasets`, read from local files."""

from lamina_nn.data.image_sets import *

from ..absent_names import explained as _explained

_explained(globals())
