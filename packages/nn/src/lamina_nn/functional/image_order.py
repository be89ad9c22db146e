"""Results that lie in memory as the images that they are made of."""

from __future__ import annotations

from lamina_ndarray.layouts.image_order import format_told
from lamina_tensor import Tensor
from lamina_tensor.methods.shapes.memory_order import formatted

__all__ = ["as_images_lie"]


def as_images_lie(result: Tensor, input: Tensor) -> Tensor:
    """A result of as many dims as the input, channels-last where that is, as PyTorch's."""
    format = format_told(input.array.layout)
    return result if format == "contiguous" else formatted(result, format, "images")
