"""FakeData: images and classes drawn at random, the same for the same position, in torchvision's stream."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import lamina_tensor as lt
from lamina_flatarray.random import Generator

from ..dataset import Dataset

__all__ = ["FakeData"]


class FakeData(Dataset[tuple[Any, Any]]):
    """Noise in the place of images.

    Args:
        size: how many.
        image_size: (channels, height, width) of each.
        num_classes: how many classes there are.
        transform: from an image, uint8 (height, width[, channels]), to what is given for it.
        target_transform: from the class's number to what is given for it.
        random_offset: added to a position, for the seed of what is drawn there.
    """

    differs = "images are NumPy arrays, not Pillow's"

    def __init__(
        self, size: int = 1000, image_size: tuple[int, int, int] = (3, 224, 224), num_classes: int = 10,
        transform: Callable[[Any], Any] | None = None, target_transform: Callable[[Any], Any] | None = None,
        random_offset: int = 0,
    ) -> None:  # fmt: skip
        self.size, self.image_size, self.num_classes = size, image_size, num_classes
        self.transform, self.target_transform, self.random_offset = transform, target_transform, random_offset

    def __getitem__(self, index: int) -> tuple[Any, Any]:
        if index >= self.size:
            raise IndexError(f"FakeData: image {index} of {self.size}")
        generator = Generator().manual_seed(index + self.random_offset)
        planes = lt.randn(*self.image_size, generator=generator).numpy()
        target = int(lt.randint(0, self.num_classes, (1,), generator=generator).item())
        with np.errstate(invalid="ignore"):  # negative ones, too, become bytes
            image = (planes.transpose(1, 2, 0) * 255).astype(np.uint8)
        image = image[..., 0] if image.shape[2] == 1 else image
        return (
            image if self.transform is None else self.transform(image),
            target if self.target_transform is None else self.target_transform(target),
        )

    def __len__(self) -> int:
        return self.size
