"""Readers of local files, beside the data sets that they make."""

from typing import TYPE_CHECKING

from lamina_nn.data.readers import (
    ImageFolder,
    TextLines,
    cifar10,
    cifar100,
    mnist,
    read_cifar,
    read_csv,
    read_idx,
    read_image,
)  # fmt: skip

from ...absent_names import explained

__all__ = [
    "ImageFolder", "TextLines", "cifar10", "cifar100", "mnist", "read_cifar", "read_csv", "read_idx", "read_image",
]  # fmt: skip

if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
