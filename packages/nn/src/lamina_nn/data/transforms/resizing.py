"""Resize: an image at another size, each column and then each row a weighted sum of the old ones: two products of matrices."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Any, Final

import numpy as np

import lamina_tensor as lt
from lamina_flatarray import ArgumentValueError, float32, float64
from lamina_tensor import Tensor

from .image import height_and_width, part, pictured, sizes

__all__ = ["InterpolationMode", "Resize"]

_ONE: Final = 1 << 22
"""What a weight of 1 is for pixels that are integers: their sums are exact, and rounded as Pillow rounds them."""


class InterpolationMode(Enum):
    """What a new pixel is made of: the nearest old one, or a weighted sum of those around."""

    NEAREST = "nearest"
    BILINEAR = "bilinear"


def _weights(new: int, old: int, antialias: bool) -> np.ndarray[Any, Any]:
    """(new, old): what each old pixel gives to each new one. Triangles about the new pixels' centres, as wide as a new
    pixel where the image becomes smaller and is not to alias, else as an old one."""
    scale = old / new
    centres = (np.arange(new) + 0.5) * scale - 0.5
    if antialias and scale > 1:
        shares = np.maximum(0.0, 1 - np.abs(np.arange(old) - centres[:, None]) / scale)
    else:
        shares = np.maximum(0.0, 1 - np.abs(np.arange(old) - np.clip(centres, 0, old - 1)[:, None]))
    weights: np.ndarray[Any, Any] = shares / shares.sum(axis=1, keepdims=True)
    return weights


class Resize:
    """An image at another size.

    Args:
        size: (height, width); or one number for the shorter side, the other follows.
        interpolation: "bilinear" or "nearest", or an InterpolationMode.
        max_size: with one number, how long the longer side may become.
        antialias: whether every old pixel counts where the image becomes smaller, or only those next to a new one's centre.

    Raises:
        ValueError: the size is not positive, or the interpolation is unknown.
    """

    def __init__(
        self, size: int | Sequence[int], interpolation: str | InterpolationMode = "bilinear", max_size: int | None = None,
        antialias: bool = True,
    ) -> None:  # fmt: skip
        sizes(size)
        interpolation = interpolation.value if isinstance(interpolation, InterpolationMode) else interpolation
        if interpolation not in ("bilinear", "nearest"):
            raise ArgumentValueError(f"Resize: interpolation {interpolation!r}; there are 'bilinear' and 'nearest'")
        single = isinstance(size, int) or len(size) == 1
        if max_size is not None and not single:
            raise ArgumentValueError("max_size should only be passed if size specifies the length of the smaller edge")
        self.size, self.interpolation, self.max_size, self.antialias = size, interpolation, max_size, antialias
        self._shorter = sizes(size)[0] if single else None

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
    if not image.dtype.is_floating_point:
        whole = (lt.tensor(_integers(weights), dtype=float64, device=image.device) for weights in (across, down))
        rows = ((image.to(float64) @ next(whole) + _ONE / 2) / _ONE).floor()
        return ((next(whole) @ rows + _ONE / 2) / _ONE).floor().to(image.dtype)
    wide = image.dtype if image.dtype in (float32, float64) else float32
    left, right = (lt.tensor(w, dtype=wide, device=image.device) for w in (down, across))
    return (left @ (image.to(wide) @ right)).to(image.dtype)


def _of_array(image: np.ndarray[Any, Any], down: Any, across: Any) -> np.ndarray[Any, Any]:
    planes = np.moveaxis(image, (0, 1), (-2, -1))
    if image.dtype.kind == "f":
        wide = np.float64 if image.dtype == np.float64 else np.float32
        values = down.astype(wide) @ (planes.astype(wide) @ across.astype(wide))
    else:
        values = np.floor((planes.astype(np.float64) @ _integers(across) + _ONE / 2) / _ONE)
        values = np.floor((_integers(down) @ values + _ONE / 2) / _ONE)
    return np.ascontiguousarray(np.moveaxis(values, (-2, -1), (0, 1)).astype(image.dtype))


def _integers(weights: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    return np.floor(weights * _ONE + 0.5)
