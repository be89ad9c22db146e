"""ImageSet: images of a known set with the numbers of their classes, each passed through a transform as it is asked for."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from ..dataset import Dataset

__all__ = ["ImageSet"]


class ImageSet(Dataset[tuple[Any, Any]]):
    """A set of images that its files tell whole.

    Args:
        root: the folder below which the set has its own.
        train: whether the training part is wanted, or the test part.
        transform: from an image, uint8 (height, width[, channels]), to what is given for it.
        target_transform: from the class's number to what is given for it.
        download: accepted: files that are there are not downloaded again, and those that are not have to be put there.

    Attributes:
        data: all images.
        targets: the numbers of their classes.
        classes: names by number.

    Raises:
        FileNotFoundError: files are missing; the message says which are wanted, and where.
        CheckpointError: one is damaged.
    """

    differs = "images are NumPy arrays, not Pillow's; nothing is downloaded"
    classes: list[str]
    data: Any
    targets: Any

    def __init__(
        self, root: str | os.PathLike[str], train: bool = True, transform: Callable[[Any], Any] | None = None,
        target_transform: Callable[[Any], Any] | None = None, download: bool = False,
    ) -> None:  # fmt: skip
        self.root, self.train = os.fspath(root), train
        self.transform, self.target_transform = transform, target_transform
        folder, names = Path(root) / self._below(), self._files()
        try:
            self._read(folder)
        except FileNotFoundError as error:
            raise FileNotFoundError(
                f"{type(self).__name__}: {error}. Nothing is downloaded here: put {', '.join(names)} into {folder}"
            ) from None

    def _below(self) -> Path:
        """Where the files are, from the root."""
        raise NotImplementedError(f"{type(self).__name__} does not say where its files are")

    def _files(self) -> list[str]:
        """The names of all files."""
        raise NotImplementedError(f"{type(self).__name__} does not name its files")

    def _read(self, folder: Path) -> None:
        """Set `data` and `targets`."""
        raise NotImplementedError(f"{type(self).__name__} does not read its files")

    def _image(self, index: Any) -> np.ndarray[Any, Any]:
        image: np.ndarray[Any, Any] = self.data[index]
        return image

    @property
    def class_to_idx(self) -> dict[str, int]:
        """Numbers by name."""
        return {name: i for i, name in enumerate(self.classes)}

    def __getitem__(self, index: Any) -> tuple[Any, Any]:
        image, target = self._image(index), int(self.targets[index])
        return (
            image if self.transform is None else self.transform(image),
            target if self.target_transform is None else self.target_transform(target),
        )

    def __len__(self) -> int:
        return len(self.data)

    def __repr__(self) -> str:
        part = "Train" if self.train else "Test"
        return f"Dataset {type(self).__name__}\n    Number of datapoints: {len(self)}\n    Root location: {self.root}\n    Split: {part}"
