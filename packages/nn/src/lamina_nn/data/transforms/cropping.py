"""Parts of an image, and room around it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

import lamina_tensor as lt
from lamina_flatarray import ArgumentValueError
from lamina_tensor import Tensor

from .image import height_and_width, part, pictured, sizes
from .resizing import InterpolationMode, Resize

__all__ = ["CenterCrop", "Pad", "RandomCrop", "RandomResizedCrop"]

_MODES: Final = ("constant", "edge", "reflect", "symmetric")


class Pad:
    """An image with room around it.

    Args:
        padding: for all sides; or (left and right, top and bottom); or (left, top, right, bottom).
        fill: what the room holds in the mode "constant": a number, or one for each channel.
        padding_mode: "constant"; "edge", "reflect" and "symmetric" repeat the image's own pixels.

    Raises:
        ValueError: there are not 1, 2 or 4 paddings, one is negative, or the mode is unknown.
    """

    def __init__(self, padding: int | Sequence[int], fill: Any = 0, padding_mode: str = "constant") -> None:
        widths = (padding,) if isinstance(padding, int) else tuple(padding)
        if len(widths) not in (1, 2, 4) or min(widths) < 0:
            raise ArgumentValueError(f"Padding must be an int or a 1, 2, or 4 element tuple, not negative; got {padding!r}")
        if padding_mode not in _MODES:
            raise ArgumentValueError(f"Padding mode should be one of {', '.join(_MODES)}; got {padding_mode!r}")
        self.padding, self.fill, self.padding_mode = padding, fill, padding_mode
        self.sides = (widths * 4)[:4]

    def __call__(self, image: Any) -> Any:
        image = pictured("Pad", image)
        left, top, right, bottom = self.sides
        high, wide = height_and_width(image)
        if self.padding_mode != "constant":
            rows = np.pad(np.arange(high), (top, bottom), mode=self.padding_mode)  # type: ignore[call-overload]
            columns = np.pad(np.arange(wide), (left, right), mode=self.padding_mode)  # type: ignore[call-overload]
            if isinstance(image, Tensor):
                return part(image, lt.from_numpy(rows), lt.from_numpy(columns))
            return part(image, rows, columns)
        inside = slice(top, top + high), slice(left, left + wide)
        if isinstance(image, Tensor):
            shape = (*image.shape[:-2], high + top + bottom, wide + left + right)
            result = lt.zeros(shape, dtype=image.dtype, device=image.device)
            result += self._filling(image.dtype)
            result[(..., *inside)] = image
            return result
        array = np.empty((high + top + bottom, wide + left + right, *image.shape[2:]), image.dtype)
        array[...] = self.fill
        array[inside] = image
        return array

    def _filling(self, dtype: Any) -> Any:
        filling = lt.tensor(self.fill, dtype=dtype)
        return filling.reshape(-1, 1, 1) if filling.ndim else filling

    def __repr__(self) -> str:
        return f"Pad(padding={self.padding}, fill={self.fill}, padding_mode={self.padding_mode})"


class RandomCrop:
    """A part at a random place; nothing is drawn where there is only one.

    Args:
        size: (height, width), or one number for both.
        padding: as for `Pad`, put around before.
        pad_if_needed: whether a smaller image is padded to the size, on both sides.
        fill, padding_mode: as for `Pad`.

    Raises:
        ValueError: the size is not positive; or, when called, the image is smaller than it.
    """

    def __init__(
        self, size: int | Sequence[int], padding: int | Sequence[int] | None = None, pad_if_needed: bool = False, fill: Any = 0,
        padding_mode: str = "constant",
    ) -> None:  # fmt: skip
        self.size, self.padding, self.pad_if_needed = sizes(size), padding, pad_if_needed
        self.fill, self.padding_mode = fill, padding_mode
        self._pad = None if padding is None else Pad(padding, fill, padding_mode)

    def __call__(self, image: Any) -> Any:
        image = pictured("RandomCrop", image)
        if self._pad is not None:
            image = self._pad(image)
        (high, wide), (tall, broad) = height_and_width(image), self.size
        if self.pad_if_needed and (wide < broad or high < tall):
            image = Pad((max(0, broad - wide), max(0, tall - high)), self.fill, self.padding_mode)(image)
            high, wide = height_and_width(image)
        if high < tall or wide < broad:
            raise ArgumentValueError(f"Required crop size {self.size} is larger than input image size {(high, wide)}")
        if (high, wide) == self.size:
            return image
        top = int(lt.randint(0, high - tall + 1, (1,)).item())
        left = int(lt.randint(0, wide - broad + 1, (1,)).item())
        return part(image, slice(top, top + tall), slice(left, left + broad))

    def __repr__(self) -> str:
        return f"RandomCrop(size={self.size}, padding={self.padding})"


class CenterCrop:
    """The middle of an image; one that is smaller gets room around it first.

    Args:
        size: (height, width), or one number for both.

    Raises:
        ValueError: the size is not positive.
    """

    def __init__(self, size: int | Sequence[int]) -> None:
        self.size = sizes(size)

    def __call__(self, image: Any) -> Any:
        image = pictured("CenterCrop", image)
        (high, wide), (tall, broad) = height_and_width(image), self.size
        lacking, narrow = max(0, tall - high), max(0, broad - wide)
        if lacking or narrow:
            image = Pad((narrow // 2, lacking // 2, (narrow + 1) // 2, (lacking + 1) // 2))(image)
            high, wide = height_and_width(image)
        top, left = round((high - tall) / 2), round((wide - broad) / 2)
        return part(image, slice(top, top + tall), slice(left, left + broad))

    def __repr__(self) -> str:
        return f"CenterCrop(size={self.size})"


class RandomResizedCrop:
    """A part of random place, area and shape, at a given size: what remains of an image in many ways of training.

    Args:
        size: (height, width), or one number for both.
        scale: the least and the greatest share of the image's area.
        ratio: the least and the greatest width, as a multiple of the height.
        interpolation, antialias: as for `Resize`.

    Raises:
        ValueError: the size is not positive.
    """

    _TRIES: Final = 10

    def __init__(
        self, size: int | Sequence[int], scale: tuple[float, float] = (0.08, 1.0), ratio: tuple[float, float] = (3 / 4, 4 / 3),
        interpolation: str | InterpolationMode = "bilinear", antialias: bool = True,
    ) -> None:  # fmt: skip
        self.size, self.scale, self.ratio = sizes(size), scale, ratio
        self._resize = Resize(self.size, interpolation, antialias=antialias)

    def __call__(self, image: Any) -> Any:
        image = pictured("RandomResizedCrop", image)
        top, left, tall, broad = self._drawn(*height_and_width(image))
        return self._resize(part(image, slice(top, top + tall), slice(left, left + broad)))

    def _drawn(self, high: int, wide: int) -> tuple[int, int, int, int]:
        """Top, left, height and width of the part."""
        log_ratio = lt.tensor(self.ratio).log().tolist()
        for _ in range(self._TRIES):
            area = high * wide * lt.empty(1).uniform_(*self.scale).item()
            ratio = lt.empty(1).uniform_(*log_ratio).exp().item()
            broad, tall = round(math.sqrt(area * ratio)), round(math.sqrt(area / ratio))
            if 0 < broad <= wide and 0 < tall <= high:
                top = int(lt.randint(0, high - tall + 1, (1,)).item())
                return top, int(lt.randint(0, wide - broad + 1, (1,)).item()), tall, broad
        # No part drawn fits: the largest one in the middle whose shape is allowed.
        broad = min(wide, round(high * max(self.ratio)))
        tall = min(high, round(wide / min(self.ratio)))
        return (high - tall) // 2, (wide - broad) // 2, tall, broad

    def __repr__(self) -> str:
        return f"RandomResizedCrop(size={self.size}, scale={self.scale}, ratio={self.ratio})"
