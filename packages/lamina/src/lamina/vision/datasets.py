"""torchvision's `datasets`, read from local files."""

from typing import TYPE_CHECKING

from lamina_nn.data.image_sets import CIFAR10, CIFAR100, KMNIST, MNIST, FakeData, FashionMNIST, ImageFolder

from ..absent_names import explained

__all__ = ["CIFAR10", "CIFAR100", "FakeData", "FashionMNIST", "ImageFolder", "KMNIST", "MNIST"]

if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
