"""Pixels as numbers: from bytes to floats in [0, 1], and to a mean of 0 and a deviation of 1."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import lamina_tensor as lt
from lamina_flatarray import ArgumentTypeError, ArgumentValueError, get_default_dtype, uint8
from lamina_tensor import Tensor

from .image import pictured

__all__ = ["Normalize", "ToTensor"]


class ToTensor:
    """An array (height, width[, channels]) as a tensor (channels, height, width); bytes become floats in [0, 1].

    Other dtypes are kept as they are. A tensor has its channels in front already: it is only scaled, and (height, width)
    gets one channel.
    """

    def __call__(self, image: Tensor) -> Tensor:
        image = pictured("ToTensor", image)
        if isinstance(image, np.ndarray):
            planes = image[None] if image.ndim == 2 else image.transpose(2, 0, 1)
            image = lt.from_numpy(np.array(planes, order="C"))
        elif image.ndim == 2:
            image = image[None]
        return image.to(get_default_dtype()) / 255 if image.dtype is uint8 else image

    def __repr__(self) -> str:
        return "ToTensor()"


class Normalize:
    """`(image - mean) / std` for each channel.

    Args:
        mean, std: one number for each channel, or one for all.
        inplace: whether the image itself is changed.

    Raises:
        ValueError: a deviation is 0.
        TypeError: when called, the image is not of a floating dtype.
    """

    def __init__(self, mean: Sequence[float] | float, std: Sequence[float] | float, inplace: bool = False) -> None:
        self.mean, self.std, self.inplace = mean, std, inplace
        if not np.all(np.asarray(std)):
            raise ArgumentValueError(f"Normalize: std={std}, which leads to division by zero")

    def __call__(self, image: Any) -> Any:
        image = pictured("Normalize", image)
        if not (image.dtype.kind == "f" if isinstance(image, np.ndarray) else image.dtype.is_floating_point):
            raise ArgumentTypeError(f"Normalize: Input tensor should be a float tensor. Got {image.dtype}")
        mean, std = (self._beside(image, np.asarray(value, np.float64)) for value in (self.mean, self.std))
        if not self.inplace:
            return (image - mean) / std
        image -= mean
        image /= std
        return image

    @staticmethod
    def _beside(image: Any, numbers: np.ndarray[Any, Any]) -> Any:
        """The numbers of channels, which are a tensor's dim before height and width, and an array's last axis."""
        if isinstance(image, Tensor):
            return lt.tensor(numbers.reshape(-1, 1, 1), dtype=image.dtype, device=image.device)
        return numbers.astype(image.dtype)

    def __repr__(self) -> str:
        return f"Normalize(mean={self.mean}, std={self.std})"
