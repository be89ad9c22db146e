"""Transforms of images, which in PyTorch's world are torchvision's."""

from lamina_nn.data.transforms import *
