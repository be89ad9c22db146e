"""The image data sets that PyTorch's programs name, under torchvision's names and arguments, from files that are there.

Nothing is downloaded: where files are missing, the error says which are wanted, and where.
"""

from ..readers.images import ImageFolder
from .cifar_sets import CIFAR10, CIFAR100
from .drawn_noise import FakeData
from .mnist_sets import KMNIST, MNIST, FashionMNIST

__all__ = ["CIFAR10", "CIFAR100", "FakeData", "FashionMNIST", "ImageFolder", "KMNIST", "MNIST"]
