"""Resize: an image at another size, each row and column a weighted sum of the old ones: two products of matrices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import lamina_tensor as lt
from lamina_flatarray import float32, float64
from lamina_tensor import Tensor

from .image import height_and_width, part, pictured, sizes

__all__ = ["Resize"]


def _weights(new: int, old: int, antialias: bool) -> np.ndarray[Any, Any]:
    """(new, old): what each old pixel gives to each new one. Triangles about the new pixels' centres, as wide as a new
    pixel where the image becomes smaller and is not to alias, else as an old one."""
    scale = old / new
    centres = (np.arange(new) + 0.5) * scale - 0.5
    if antialias and scale > 1:
        found = np.maximum(0.0, 1 - np.abs(np.arange(old) - centres[:, None]) / scale)
    else:
        found = np.maximum(0.0, 1 - np.abs(np.arange(old) - np.clip(centres, 0, old - 1)[:, None]))
    return found / found.sum(axis=1, keepdims=True)


class Resize:
    """An image at another size.

    Args:
        size: (height, width); or one number for the shorter side, the other follows.
        interpolation: "bilinear" or "nearest".
        max_size: with one number, how long the longer side may become.
        antialias: whether every old pixel counts where the image becomes smaller, or only those next to a new one's centre.

    Raises:
        ValueError: the size is not positive, or the interpolation is unknown.
    """

    def __init__(
        self, size: int | Sequence[int], interpolation: str = "bilinear", max_size: int | None = None, antialias: bool = True
    ) -> None:
        sizes(size)
        if interpolation not in ("bilinear", "nearest"):
            raise ValueError(f"Resize: interpolation {interpolation!r}; there are 'bilinear' and 'nearest'")
        one = isinstance(size, int) or len(size) == 1
        if max_size is not None and not one:
            raise ValueError("max_size should only be passed if size specifies the length of the smaller edge")
        self.size, self.interpolation, self.max_size, self.antialias = size, interpolation, max_size, antialias
        self._shorter = sizes(size)[0] if one else None

    def _wanted(self, high: int, wide: int) -> tuple[int, int]:
        if self._shorter is None:
            return sizes(self.size)
        short, long = min(high, wide), max(high, wide)
        new_short, new_long = self._shorter, int(self._shorter * long / short)
        if self.max_size is not None and new_long > self.max_size:
            new_short, new_long = int(self.max_size * new_short / new_long), self.max_size
        return (new_short, new_long) if high <= wide else (new_long, new_short)

    def __call__(self, image: Any) -> Any:
        image = pictured("Resize", image)
        high, wide = height_and_width(image)
        tall, broad = self._wanted(high, wide)
        if (tall, broad) == (high, wide):
            return image
        if self.interpolation == "nearest":
            rows, columns = np.arange(tall) * high // tall, np.arange(broad) * wide // broad
            if isinstance(image, Tensor):
                return part(image, lt.from_numpy(rows), lt.from_numpy(columns))
            return part(image, rows, columns)
        down, across = _weights(tall, high, self.antialias), _weights(broad, wide, self.antialias).T
        if isinstance(image, Tensor):
            return _of_tensor(image, down, across)
        return _of_array(image, down, across)

    def __repr__(self) -> str:
        return f"Resize(size={self.size}, interpolation={self.interpolation}, antialias={self.antialias})"


def _of_tensor(image: Tensor, down: Any, across: Any) -> Tensor:
    wide = image.dtype if image.dtype in (float32, float64) else float32
    pixels = image.to(wide)
    left, right = (lt.tensor(w, dtype=wide, device=image.device) for w in (down, across))
    made = left @ pixels @ right
    return (made if image.dtype.is_floating_point else made.round()).to(image.dtype)


def _of_array(image: np.ndarray[Any, Any], down: Any, across: Any) -> np.ndarray[Any, Any]:
    planes = np.moveaxis(image, (0, 1), (-2, -1)).astype(np.float64 if image.dtype == np.float64 else np.float32)
    made = down.astype(planes.dtype) @ planes @ across.astype(planes.dtype)
    made = made if image.dtype.kind == "f" else np.rint(made)
    return np.ascontiguousarray(np.moveaxis(made, (-2, -1), (0, 1)).astype(image.dtype))
