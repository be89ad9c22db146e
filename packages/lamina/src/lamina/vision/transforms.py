"""torchvision's `transforms`, of tensors and NumPy arrays."""

from typing import TYPE_CHECKING

from lamina_nn.data.transforms import (
    CenterCrop,
    Compose,
    Grayscale,
    InterpolationMode,
    Lambda,
    Normalize,
    Pad,
    RandomCrop,
    RandomHorizontalFlip,
    RandomResizedCrop,
    RandomVerticalFlip,
    Resize,
    ToTensor,
)  # fmt: skip

from ..absent_names import explained

__all__ = [
    "CenterCrop", "Compose", "Grayscale", "InterpolationMode", "Lambda", "Normalize", "Pad", "RandomCrop",
    "RandomHorizontalFlip", "RandomResizedCrop", "RandomVerticalFlip", "Resize", "ToTensor",
]  # fmt: skip

if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
