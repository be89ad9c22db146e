"""CIFAR-10 and CIFAR-100 in their binary version: records of label bytes and 3 x 32 x 32 pixels (Krizhevsky's page)."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import numpy as np

import lamina_tensor as lt
from lamina_tensor import Tensor

from ..dataset import TensorDataset
from .bytes_read import Counted

__all__ = ["cifar10", "cifar100", "read_cifar"]

_PIXELS: Final = 3 * 32 * 32


def read_cifar(path: str | os.PathLike[str], classes: tuple[int, ...] = (10,)) -> tuple[Tensor, ...]:
    """Images and labels of one binary file.

    Args:
        path: the file.
        classes: how many classes each label byte of a record tells apart: (10,), or (20, 100) for CIFAR-100's two.

    Returns:
        images, uint8 (n, 3, 32, 32), and for each label byte labels, int64 (n,).

    Raises:
        CheckpointError: the file is not made of whole records, or a label is out of range.
    """
    record = len(classes) + _PIXELS
    with Counted(path) as file:
        size = os.path.getsize(path)
        if not size or size % record:
            raise file.damaged(f"{size} bytes are not a whole number of records of {record}: cut short, or another format")
        records = file.read(size, "the records").reshape(-1, record)
        for i, count in enumerate(classes):
            worst = int(records[:, i].max())
            if worst >= count:
                raise file.damaged(f"label {worst} in a record, where labels are below {count}: damaged, or another format")
    images = np.ascontiguousarray(records[:, len(classes) :]).reshape(-1, 3, 32, 32)
    labels = [records[:, i].astype(np.int64) for i in range(len(classes))]
    return lt.from_numpy(images), *map(lt.from_numpy, labels)


def cifar10(folder: str | os.PathLike[str], train: bool = True) -> TensorDataset:
    """CIFAR-10 from the folder `cifar-10-batches-bin`.

    Returns:
        images, uint8 (n, 3, 32, 32), and labels, int64 (n,); n is 50,000, or 10,000 for the test part.

    Raises:
        FileNotFoundError: a file is missing.
        CheckpointError: a file is damaged.
    """
    names = [f"data_batch_{i}.bin" for i in range(1, 6)] if train else ["test_batch.bin"]
    parts = [read_cifar(Path(folder) / name) for name in names]
    return TensorDataset(*(lt.cat(columns) for columns in zip(*parts, strict=True)))


def cifar100(folder: str | os.PathLike[str], train: bool = True, coarse: bool = False) -> TensorDataset:
    """CIFAR-100 from the folder `cifar-100-binary`, with the labels of its 100 classes, or of its 20 with `coarse`.

    Returns:
        images, uint8 (n, 3, 32, 32), and labels, int64 (n,); n is 50,000, or 10,000 for the test part.

    Raises:
        FileNotFoundError: the file is missing.
        CheckpointError: it is damaged.
    """
    images, rough, fine = read_cifar(Path(folder) / ("train.bin" if train else "test.bin"), (20, 100))
    return TensorDataset(images, rough if coarse else fine)
