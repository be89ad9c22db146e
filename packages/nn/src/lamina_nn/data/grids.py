"""Many images as one: side by side in a grid, and written to a file, which Pillow does, that the extra `images` brings."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import IO, Any

import lamina_tensor as lt
from lamina_flatarray import ArgumentTypeError
from lamina_tensor import Tensor

__all__ = ["make_grid", "save_image"]


def make_grid(
    tensor: Tensor | Sequence[Tensor], nrow: int = 8, padding: int = 2, normalize: bool = False,
    value_range: tuple[float, float] | None = None, scale_each: bool = False, pad_value: float = 0.0,
) -> Tensor:  # fmt: skip
    """Images in rows, with room around each.

    Args:
        tensor: (n, channels, height, width), or images of one shape; grey ones get three equal channels.
        nrow: how many stand in a row.
        padding: the room's width.
        normalize: whether values are moved and scaled to lie between 0 and 1.
        value_range: which values become 0 and 1; by default the least and the greatest.
        scale_each: whether each image has a least and a greatest value of its own.
        pad_value: what the room holds.

    Returns:
        (channels, rows * (height + padding) + padding, columns * (width + padding) + padding); a single image as it is.

    Raises:
        TypeError: `tensor` is neither tensor nor sequence of them.
    """
    if not isinstance(tensor, Tensor):
        if not isinstance(tensor, (list, tuple)) or not all(isinstance(image, Tensor) for image in tensor):
            raise ArgumentTypeError(f"tensor or list of tensors expected, got {type(tensor)}")
        tensor = lt.stack(list(tensor))
    images = tensor.detach()
    images = images.reshape((1,) * (3 - images.ndim) + tuple(images.shape))  # (height, width) has one channel
    images = images[None] if images.ndim == 3 else images
    if images.shape[1] == 1:
        images = lt.cat([images] * 3, 1)
    if normalize:
        images = lt.stack([_spread(i, value_range) for i in images]) if scale_each else _spread(images, value_range)
    count, channels, high, wide = images.shape
    if count == 1:
        return images[0]
    columns = min(nrow, count)
    rows = -(-count // columns)
    grid = images.new_full(
        (channels, rows * (high + padding) + padding, columns * (wide + padding) + padding), pad_value
    )
    for k in range(count):
        top, left = (place * (side + padding) + padding for place, side in zip(divmod(k, columns), (high, wide), strict=True))
        grid[:, top : top + high, left : left + wide] = images[k]
    return grid


def _spread(images: Tensor, value_range: tuple[float, float] | None) -> Tensor:
    low, high = value_range or (float(images.min()), float(images.max()))
    return (images.clamp(low, high) - low) / max(high - low, 1e-5)


def save_image(
    tensor: Tensor | Sequence[Tensor], fp: str | os.PathLike[str] | IO[bytes], format: str | None = None, **options: Any
) -> None:
    """Write images, values in [0, 1], as one image file.

    Args:
        tensor, options: as for `make_grid`.
        fp: a path or an open file.
        format: Pillow's name of the format; by default, the path's ending tells it.

    Raises:
        ModuleNotFoundError: Pillow is not installed.
        OSError: the file cannot be written.
    """
    try:
        from PIL import Image
    except ModuleNotFoundError:
        raise ModuleNotFoundError("images are written by Pillow: pip install 'lamina-nn[images]'", name="PIL") from None
    pixels = (make_grid(tensor, **options) * 255 + 0.5).clamp(0, 255).to("cpu", lt.empty(0).dtype)
    Image.fromarray(pixels.permute(1, 2, 0).numpy().astype("uint8")).save(fp, format=format)
