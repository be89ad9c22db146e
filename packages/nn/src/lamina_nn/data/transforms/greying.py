"""Grayscale: colours as their brightness."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

import lamina_tensor as lt
from lamina_flatarray import ArgumentValueError
from lamina_tensor import Tensor

from .image import pictured

__all__ = ["Grayscale"]

_LUMA: Final = (19595, 38470, 7471)
"""What red, green and blue give to brightness, of 65536 (ITU-R 601-2, in the integers that Pillow sums)."""


class Grayscale:
    """An image without colours.

    Args:
        num_output_channels: 1, or 3 for three equal ones.

    Raises:
        ValueError: another number of channels is wanted, or the image has neither one nor three.
    """

    def __init__(self, num_output_channels: int = 1) -> None:
        if num_output_channels not in (1, 3):
            raise ArgumentValueError("num_output_channels should be either 1 or 3")
        self.num_output_channels = num_output_channels

    def __call__(self, image: Any) -> Any:
        image = pictured("Grayscale", image)
        if isinstance(image, Tensor):
            grey = self._weighted(image, 1 if image.ndim == 2 else image.shape[-3], lambda i: image[..., i, :, :])
            return lt.stack([grey] * self.num_output_channels, -3)
        grey = self._weighted(image, 1 if image.ndim == 2 else image.shape[2], lambda i: image[..., i])
        return grey if self.num_output_channels == 1 else np.stack([grey] * 3, -1)

    def _weighted(self, image: Any, channels: int, channel: Any) -> Any:
        if channels not in (1, 3):
            raise ArgumentValueError(f"Grayscale: an image of {channels} channels; there are images of 1 and of 3")
        if channels == 1:
            return image if image.ndim == 2 else channel(0)
        planes = [channel(i) for i in range(3)]
        if isinstance(image, Tensor):  # torchvision's weights of tensors
            return sum(p * w for p, w in zip(planes, (0.2989, 0.587, 0.114), strict=True)).to(image.dtype)
        if image.dtype.kind == "f":
            return sum(p * image.dtype.type(w / 65536) for p, w in zip(planes, _LUMA, strict=True))
        total = sum(p.astype(np.int64) * w for p, w in zip(planes, _LUMA, strict=True))
        return ((total + 32768) >> 16).astype(image.dtype)

    def __repr__(self) -> str:
        return f"Grayscale(num_output_channels={self.num_output_channels})"
