"""Random flips: each call draws one number from the default generator."""

from __future__ import annotations

from typing import Any

import numpy as np

import lamina_tensor as lt
from lamina_flatarray import ArgumentValueError
from lamina_tensor import Tensor

from .image import pictured

__all__ = ["RandomHorizontalFlip", "RandomVerticalFlip"]


class _RandomFlip:
    _axis: int  # of a tensor

    def __init__(self, p: float = 0.5) -> None:
        if not 0 <= p <= 1:
            raise ArgumentValueError(f"{type(self).__name__}: p={p}; a probability is in [0, 1]")
        self.p = p

    def __call__(self, image: Any) -> Any:
        image = pictured(type(self).__name__, image)
        if not lt.rand(1).item() < self.p:
            return image
        if isinstance(image, Tensor):
            return lt.flip(image, (self._axis,))
        return np.ascontiguousarray(np.flip(image, self._axis + 2))

    def __repr__(self) -> str:
        return f"{type(self).__name__}(p={self.p})"


class RandomHorizontalFlip(_RandomFlip):
    """Left and right exchanged with probability `p`."""

    _axis = -1


class RandomVerticalFlip(_RandomFlip):
    """Top and bottom exchanged with probability `p`."""

    _axis = -2
