"""Transforms of images, under torchvision's names and with its random draws.

An image is a tensor (..., height, width), or a NumPy array (height, width) or (height, width, channels).
"""

from .composing import Compose, Lambda
from .cropping import CenterCrop, Pad, RandomCrop
from .flipping import RandomHorizontalFlip, RandomVerticalFlip
from .resizing import Resize
from .scaling import Normalize, ToTensor

__all__ = [
    "CenterCrop", "Compose", "Lambda", "Normalize", "Pad", "RandomCrop", "RandomHorizontalFlip", "RandomVerticalFlip", "Resize",
    "ToTensor",
]  # fmt: skip
