"""Readers of local files: MNIST's and CIFAR's formats, folders of images, CSV and lines of text.

What a file claims is checked before memory is asked for; one that is damaged or cut short is a CheckpointError.
"""

from .cifar import cifar10, cifar100, read_cifar
from .comma_separated import read_csv
from .idx import mnist, read_idx
from .images import ImageFolder, read_image
from .lines import TextLines

__all__ = ["ImageFolder", "TextLines", "cifar10", "cifar100", "mnist", "read_cifar", "read_csv", "read_idx", "read_image"]
