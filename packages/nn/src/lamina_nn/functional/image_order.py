"""Results that lie in memory as the images that they are made of."""

from __future__ import annotations

from lamina_ndarray.layouts.image_order import image_layout
from lamina_ndarray.layouts.memory_order import laid_like
from lamina_tensor import Tensor

__all__ = ["as_images_lie"]


def as_images_lie(result: Tensor, input: Tensor) -> Tensor:
    """A result of as many dims as the input, channels-last where that is, as PyTorch's."""
    layout = image_layout(tuple(result.shape), input.array.layout)
    return result if layout.contiguous or result.array.layout.strides == layout.strides else laid_like(result, input)
