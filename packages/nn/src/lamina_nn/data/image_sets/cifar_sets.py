"""CIFAR-10 and CIFAR-100 in their binary version, from `root/cifar-10-batches-bin` and `root/cifar-100-binary`.

The version for Python, which torchvision reads, is made of pickles: files that can run anything when they are read.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from lamina_flatarray import CheckpointError

from ..readers.cifar import cifar10, cifar100
from .image_set import ImageSet

__all__ = ["CIFAR10", "CIFAR100"]


class CIFAR10(ImageSet):
    """Small photographs: `data` is an array, uint8 (n, 32, 32, 3), and `targets` a list. See `ImageSet`."""

    differs = "reads CIFAR's binary version; images are NumPy arrays, not Pillow's; nothing is downloaded"
    data: np.ndarray[tuple[int, int, int, int], np.dtype[np.uint8]]
    targets: list[int]
    _folder, _names = "cifar-10-batches-bin", "batches.meta.txt"
    _reader = staticmethod(cifar10)

    def _below(self) -> Path:
        return Path(self._folder)

    def _files(self) -> list[str]:
        return [*(f"data_batch_{i}.bin" for i in range(1, 6)), "test_batch.bin", f"{self._names} (of the binary version)"]

    def _read(self, folder: Path) -> None:
        images, labels = self._reader(folder, self.train).tensors
        self.data = np.ascontiguousarray(images.numpy().transpose(0, 2, 3, 1))
        self.targets = labels.tolist()
        try:
            self.classes = (folder / self._names).read_text("utf-8").split()
        except UnicodeDecodeError as error:
            raise CheckpointError(f"{folder / self._names}: the names of classes: {error}") from None


class CIFAR100(CIFAR10):
    """As CIFAR10, with 100 classes."""

    _folder, _names = "cifar-100-binary", "fine_label_names.txt"
    _reader = staticmethod(cifar100)

    def _files(self) -> list[str]:
        return ["train.bin", "test.bin", f"{self._names} (of the binary version)"]
