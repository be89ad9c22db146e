"""Transforms of images, which in PyTorch's world are torchvision's."""

from lamina_nn.data.transforms import *

from ...absent_names import explained as _explained

_explained(globals())
