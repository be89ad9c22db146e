"""What an image is to a transform: a tensor or an array, and which of its axes are height and width."""

from __future__ import annotations

from typing import Any

import numpy as np

from lamina_flatarray import ArgumentTypeError, ArgumentValueError
from lamina_tensor import Tensor

__all__ = ["height_and_width", "part", "pictured", "sizes"]


def pictured(op: str, image: Any) -> Any:
    """The image as a tensor or a NumPy array; what has an array's interface, as Pillow's images do, becomes one.

    Raises:
        TypeError: it is neither, or has no height and width.
    """
    array = image if isinstance(image, (Tensor, np.ndarray)) else None
    if array is None and hasattr(image, "__array_interface__"):
        array = np.asarray(image)
    if array is None:
        raise ArgumentTypeError(f"{op}: an image is a tensor or a NumPy array, not {type(image).__name__}")
    if array.ndim < 2 or (isinstance(array, np.ndarray) and array.ndim > 3):
        raise ArgumentTypeError(
            f"{op}: shape {tuple(array.shape)}; an image is a tensor (..., height, width) or an array (height, width[, channels])"
        )
    return array


def height_and_width(image: Any) -> tuple[int, int]:
    """How high and wide an image is."""
    high, wide = image.shape[-2:] if isinstance(image, Tensor) else image.shape[:2]
    return int(high), int(wide)


def part(image: Any, rows: Any, columns: Any) -> Any:
    """`image[rows, columns]` along height and width, for slices or arrays of positions."""
    if isinstance(image, Tensor):
        return image[..., rows, :][..., columns]
    return np.ascontiguousarray(image[rows][:, columns])


def sizes(size: Any) -> tuple[int, int]:
    """(height, width) from that, or from one number for both.

    Raises:
        ValueError: it is neither.
    """
    result = (size, size) if isinstance(size, int) else tuple(size)
    if len(result) == 1:
        result *= 2
    if len(result) != 2 or not all(isinstance(n, int) and n > 0 for n in result):
        raise ArgumentValueError(f"Please provide only two dimensions (h, w) for size, positive; got {size!r}")
    return result
