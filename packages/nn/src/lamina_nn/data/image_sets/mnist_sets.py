"""MNIST and the sets in its files' format, from torchvision's folders: `root/MNIST/raw/train-images-idx3-ubyte` and so on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from lamina_tensor import Tensor

from ..readers.idx import mnist
from .image_set import ImageSet

__all__ = ["KMNIST", "MNIST", "FashionMNIST"]


class MNIST(ImageSet):
    """Handwritten digits: `data` is a tensor, uint8 (n, 28, 28), and `targets` one, int64 (n,). See `ImageSet`."""

    data: Tensor
    targets: Tensor
    classes = [
        "0 - zero", "1 - one", "2 - two", "3 - three", "4 - four", "5 - five", "6 - six", "7 - seven", "8 - eight", "9 - nine",
    ]  # fmt: skip

    def _below(self) -> Path:
        return Path(type(self).__name__) / "raw"

    def _files(self) -> list[str]:
        parts = [f"{part}-{kind}-ubyte" for part in ("train", "t10k") for kind in ("images-idx3", "labels-idx1")]
        return [*parts[:-1], f"{parts[-1]} (plain or .gz)"]

    def _read(self, folder: Path) -> None:
        self.data, self.targets = mnist(folder, self.train).tensors

    def _image(self, index: Any) -> np.ndarray[Any, Any]:
        return self.data[index].numpy()


class FashionMNIST(MNIST):
    """Articles of clothing in MNIST's format, below `root/FashionMNIST/raw`."""

    classes = ["T-shirt/top", "Trouser", "Pullover", "Dress", "Coat", "Sandal", "Shirt", "Sneaker", "Bag", "Ankle boot"]


class KMNIST(MNIST):
    """Cursive Japanese characters in MNIST's format, below `root/KMNIST/raw`."""

    classes = ["o", "ki", "su", "tsu", "na", "ha", "ma", "ya", "re", "wo"]
