"""Transforms of images, under torchvision's names and with its random draws.

An image is a tensor (..., height, width), or a NumPy array (height, width) or (height, width, channels).
"""

from .composing import Compose, Lambda
from .cropping import CenterCrop, Pad, RandomCrop, RandomResizedCrop
from .flipping import RandomHorizontalFlip, RandomVerticalFlip
from .greying import Grayscale
from .resizing import InterpolationMode, Resize
from .scaling import Normalize, ToTensor

__all__ = [
    "CenterCrop", "Compose", "Grayscale", "InterpolationMode", "Lambda", "Normalize", "Pad", "RandomCrop", "RandomHorizontalFlip",
    "RandomResizedCrop", "RandomVerticalFlip", "Resize", "ToTensor",
]  # fmt: skip
