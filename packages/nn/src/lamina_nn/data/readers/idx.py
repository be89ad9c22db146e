"""IDX files: MNIST's format, a header of dtype and lengths and then the items, big-endian (LeCun's page on MNIST)."""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import Any, Final

import numpy as np

import lamina_tensor as lt
from lamina_tensor import Tensor

from ..dataset import TensorDataset
from .bytes_read import Counted

__all__ = ["mnist", "read_idx"]

_DTYPES: Final = {0x08: ">u1", 0x09: ">i1", 0x0B: ">i2", 0x0C: ">i4", 0x0D: ">f4", 0x0E: ">f8"}


def read_idx(path: str | os.PathLike[str], *, max_unpacked: int | None = None) -> Tensor:
    """The tensor in an IDX file, plain or gzip-compressed.

    Args:
        path: the file.
        max_unpacked: how many bytes a compressed one may give; None: 64 for each byte of the file, or 64 MiB where that is
            more.

    Returns:
        of the file's dtype (uint8, int8, int16, int32, float32 or float64) and shape.

    Raises:
        CheckpointError: the file is no IDX file, is cut short, has more than its header tells, or unpacks to more than is
            allowed.
    """
    with Counted(path, max_unpacked) as file:
        zero, kind, ndim = np.split(file.read(4, "an IDX file's magic number"), [2, 3])
        if zero.any() or int(kind[0]) not in _DTYPES:
            raise file.damaged("not an IDX file: it begins with another magic number")
        if not 1 <= int(ndim[0]) <= 32:
            raise file.damaged(f"an array of {int(ndim[0])} dims; the format goes up to 32 here")
        shape = file.read(4 * int(ndim[0]), "the lengths").view(">u4").tolist()
        dtype = np.dtype(_DTYPES[int(kind[0])])
        items: np.ndarray[Any, Any] = file.read(math.prod(shape) * dtype.itemsize, f"an array of shape {tuple(shape)}")
        file.end()
        try:
            array = items.view(dtype).reshape(shape)
        except ValueError as error:  # no items, but lengths that are too large to count with
            raise file.damaged(f"an array of shape {tuple(shape)}: {error}") from None
    return lt.from_numpy(array.astype(dtype.newbyteorder("="), copy=False))


def _one_of(folder: Path, name: str) -> Path:
    for candidate in (name, name + ".gz", name.replace("-idx", ".idx")):
        if (folder / candidate).is_file():
            return folder / candidate
    raise FileNotFoundError(f"{folder}: neither {name} nor {name}.gz is there")


def mnist(folder: str | os.PathLike[str], train: bool = True, *, max_unpacked: int | None = None) -> TensorDataset:
    """MNIST, or a set in its files' place such as Fashion-MNIST, from a folder with its files under their own names.

    Args:
        folder: with `train-images-idx3-ubyte`, `train-labels-idx1-ubyte`, and `t10k-...`, each perhaps with `.gz`.
        train: whether the training part is wanted, or the test part.
        max_unpacked: as `read_idx` takes it, for each file.

    Returns:
        images, uint8 (n, 28, 28), and labels, int64 (n,).

    Raises:
        FileNotFoundError: a file is missing.
        CheckpointError: a file is damaged, or there are not as many labels as images.
    """
    root, part = Path(folder), "train" if train else "t10k"
    images = read_idx(_one_of(root, f"{part}-images-idx3-ubyte"), max_unpacked=max_unpacked)
    labels = read_idx(_one_of(root, f"{part}-labels-idx1-ubyte"), max_unpacked=max_unpacked)
    if images.ndim != 3 or labels.ndim != 1 or len(images) != len(labels):
        with Counted(_one_of(root, f"{part}-labels-idx1-ubyte")) as file:
            raise file.damaged(f"labels of shape {tuple(labels.shape)} for images of shape {tuple(images.shape)}")
    return TensorDataset(images, labels.long())
